package import Bytes
package import Foundation

/// Many pieces of bytes under one key: they lie one after the other in few objects, since each object
/// costs a request.
package enum Pack {
  /// Of one object; a longer piece has one of its own.
  private static let partLimit = 16 << 20
  /// Of one object, for who does not know how many there are.
  private static let mostPieces = 1 << 16
  /// The longest piece that an object can hold.
  package static let pieceLimit = StoredObject.sizeLimit - 64

  package static func put(
    _ pieces: [Data], as key: Digest, in store: any ObjectStore
  ) throws {
    try put(count: pieces.count, as: key, in: store) { pieces[$0] }
  }

  /// Asks for each piece when it is its turn, so that only those of one object are in memory.
  ///
  /// The objects come first, so that who finds the key finds them.
  package static func put(
    count: Int, as key: Digest, in store: any ObjectStore, piece: (Int) throws -> Data
  ) throws {
    var files: [ActionResult.File] = []
    var part: [Data] = []
    var size = 0
    func putPart() throws(ObjectStoreFailure) {
      var head = ByteWriter()
      head.write(UInt32(part.count))
      for piece in part { head.write(UInt64(piece.count)) }
      let bytes = Data(joining: [Data(head.bytes)] + part)
      let file = ActionResult.File(path: "\(files.count)", contents: bytes, isInside: false)
      try store.put(bytes, as: .bytes(file.digest))
      files.append(file)
      (part, size) = ([], 0)
    }
    for number in 0..<count {
      let piece = try piece(number)
      if !part.isEmpty, size + piece.count > partLimit { try putPart() }
      part.append(piece)
      size += piece.count
    }
    try putPart()
    try store.put(ActionResult(files).bytes, as: .result(key))
  }

  /// Whether all of it is there; only `get` finds out whether it is sound.
  package static func isWhole(
    _ key: Digest, in store: any ObjectStore
  ) throws(ObjectStoreFailure) -> Bool {
    guard let files = try files(of: key, in: store) else { return false }
    for file in files where try !store.has(.bytes(file.digest)) { return false }
    return true
  }

  /// Makes what is not sound be missing, so that somebody makes it again.
  ///
  /// Nothing is ever deleted in a store: a message without objects takes the place of theirs. Who must
  /// not write there changes nothing.
  package static func renounce(_ key: Digest, in store: any ObjectStore) {
    try? store.put(ActionResult.failed, as: .result(key))
  }

  /// So many pieces; nil where they are others, or something is missing or not sound.
  package static func get(
    _ key: Digest, count: Int, in store: any ObjectStore
  ) throws(ObjectStoreFailure) -> [Data]? {
    guard let files = try files(of: key, in: store) else { return nil }
    var pieces: [Data] = []
    for file in files {
      guard let read = try Self.pieces(in: file, upTo: count - pieces.count, store),
        // Else a list of a thousand names could be of one long object without end.
        !read.isEmpty || files.count == 1
      else { return nil }
      pieces += read
    }
    return pieces.count == count ? pieces : nil
  }

  /// As many pieces as there are, where some may be missing, of one object after the other: they may
  /// not fit into memory together.
  package static func forEach(
    in key: Digest, _ store: any ObjectStore, _ body: (Data) throws -> Void
  ) throws {
    var seen: Set<Digest> = []
    for file in try files(of: key, in: store) ?? [] where seen.insert(file.digest).inserted {
      for piece in try pieces(in: file, upTo: mostPieces, store) ?? [] { try body(piece) }
    }
  }

  /// What the pack is kept in.
  package static func objects(
    of key: Digest, in store: any ObjectStore
  ) throws(ObjectStoreFailure) -> [StoredObject] {
    try [.result(key)] + (files(of: key, in: store) ?? []).map { .bytes($0.digest) }
  }

  private static func files(
    of key: Digest, in store: any ObjectStore
  ) throws(ObjectStoreFailure) -> [ActionResult.File]? {
    let files = try store.get(.result(key)).flatMap { ActionResult($0) }?.files ?? []
    return files.isEmpty ? nil : files
  }

  private static func pieces(
    in file: ActionResult.File, upTo limit: Int, _ store: any ObjectStore
  ) throws(ObjectStoreFailure) -> [Data]? {
    guard let part = try store.get(.bytes(file.digest)), Digest(of: part) == file.digest else {
      return nil
    }
    return try? pieces(of: part, upTo: limit)
  }

  private static func pieces(
    of part: Data, upTo limit: Int
  ) throws(ByteReader.Malformed) -> [Data] {
    var head = ByteReader(Array(part.prefix(4)))
    let count = Int(try head.read(UInt32.self))
    guard count <= limit, count <= (part.count - 4) / 8 else { throw ByteReader.Malformed() }
    var lengths = ByteReader(Array(part.dropFirst(4).prefix(8 * count)))
    var rest = part.dropFirst(4 + 8 * count)
    var pieces: [Data] = []
    for _ in 0..<count {
      let length = Int(clamping: try lengths.read(UInt64.self))
      guard length <= rest.count else { throw ByteReader.Malformed() }
      pieces.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    guard rest.isEmpty else { throw ByteReader.Malformed() }
    return pieces
  }
}
