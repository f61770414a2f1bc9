package import Bytes
package import Foundation

/// What Bazel's cache protocol keeps under `/ac/`: files, which lie under `/cas/` or in the message.
///
/// Servers that know the protocol read these messages, so we write theirs. Of the message we use
/// `output_files`, and of a file `path`, `digest` and `contents`.
package struct ActionResult: Hashable, Sendable {
  package struct File: Hashable, Sendable {
    package var path: String
    package var digest: Digest
    package var count: Int
    /// Nil for one that is an object of its own.
    package var contents: Data?

    package init(path: String, contents: Data, isInside: Bool = true) {
      self.init(path: path, digest: Digest(of: contents), count: contents.count)
      if isInside { self.contents = contents }
    }

    fileprivate init(path: String, digest: Digest, count: Int, contents: Data? = nil) {
      (self.path, self.digest, self.count, self.contents) = (path, digest, count, contents)
    }
  }

  package var files: [File]

  /// A message of no file: `exit_code` is 1, since some servers take no empty one.
  package static let failed = Data([4 << 3, 1])

  package init(_ files: [File]) { self.files = files }

  /// Numbers of fields in the protocol's definition.
  private enum Field {
    static let outputFiles = 2
    static let path = 1
    static let digest = 2
    static let contents = 5
    static let hash = 1
    static let size = 2
  }

  package var bytes: Data {
    var message = ProtobufWriter()
    for file in files {
      var digest = ProtobufWriter()
      digest.write(Data(file.digest.hex.utf8), as: Field.hash)
      digest.write(file.count, as: Field.size)
      var part = ProtobufWriter()
      part.write(Data(file.path.utf8), as: Field.path)
      part.write(digest.bytes, as: Field.digest)
      if let contents = file.contents { part.write(contents, as: Field.contents) }
      message.write(part.bytes, as: Field.outputFiles)
    }
    return message.bytes
  }

  /// Nil for what is no such message, and where a file in it has not the digest that it states.
  package init?(_ bytes: Data) {
    guard let message = ProtobufReader.fields(of: bytes) else { return nil }
    files = []
    for file in message.blocks[Field.outputFiles] ?? [] {
      guard let file = ProtobufReader.fields(of: file),
        let path = file.blocks[Field.path]?.last.flatMap({ String(validating: $0, as: UTF8.self) }),
        let digest = file.blocks[Field.digest]?.last.flatMap(ProtobufReader.fields),
        let hex = digest.blocks[Field.hash]?.last,
        let hash = String(validating: hex, as: UTF8.self).flatMap({ Digest(hex: $0) })
      else { return nil }
      // Zeroes are left out.
      let count = digest.numbers[Field.size] ?? 0
      let contents = file.blocks[Field.contents]?.last
      if let contents, Digest(of: contents) != hash || contents.count != count { return nil }
      files.append(File(path: path, digest: hash, count: count, contents: contents))
    }
  }
}

private struct ProtobufWriter {
  private(set) var bytes = Data()

  mutating func write(_ block: Data, as field: Int) {
    write(varint: UInt64(field << 3 | 2))
    write(varint: UInt64(block.count))
    bytes += block
  }

  mutating func write(_ number: Int, as field: Int) {
    write(varint: UInt64(field << 3))
    write(varint: UInt64(number))
  }

  private mutating func write(varint: UInt64) {
    var rest = varint
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

private enum ProtobufReader {
  /// Of a message; each takes many times its bytes here.
  private static let mostFields = 1 << 16

  /// What a message has by the numbers of its fields.
  struct Fields {
    var blocks: [Int: [Data]] = [:]
    var numbers: [Int: Int] = [:]
  }

  /// Nil when the message is malformed.
  static func fields(of message: Data) -> Fields? {
    var fields = Fields()
    var rest = message[...]
    var count = 0
    while !rest.isEmpty {
      count += 1
      guard count <= mostFields, let tag = varint(&rest), tag >> 3 > 0, tag >> 3 < 1 << 29 else {
        return nil
      }
      switch tag & 7 {
      case 0:
        guard let number = varint(&rest) else { return nil }
        fields.numbers[Int(tag >> 3)] = Int(clamping: number)
      case 1 where rest.count >= 8: rest = rest.dropFirst(8)
      case 5 where rest.count >= 4: rest = rest.dropFirst(4)
      case 2:
        guard let count = varint(&rest), count <= rest.count else { return nil }
        fields.blocks[Int(tag >> 3), default: []].append(rest.prefix(Int(count)))
        rest = rest.dropFirst(Int(count))
      default: return nil
      }
    }
    return fields
  }

  private static func varint(_ rest: inout Data) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << UInt64(shift)
      if byte < 0x80 { return value }
    }
    return nil
  }
}
