import Files

/// The name of a file's bytes, quoted: other bytes, another tag.
struct EntityTag: Hashable, Sendable {
  let text: String

  /// A stamp tells versions of one name apart: who publishes writes new files and renames them.
  ///
  /// - Parameters:
  ///   - path: A path that names its bytes is its own tag.
  ///   - stamp: Of the open file.
  init(path: String, stamp: FileStamp) {
    if let name = ForEver.name(of: path) {
      text = "\"\(name)\""
    } else {
      let parts = [
        stamp.inode, UInt64(bitPattern: stamp.size), UInt64(bitPattern: stamp.modified),
        UInt64(bitPattern: stamp.changed),
      ]
      text = "\"" + parts.map { String($0, radix: 36) }.joined(separator: "-") + "\""
    }
  }

  /// For bytes that a path stands for, wherever they come from.
  init?(path: String) {
    guard let name = ForEver.name(of: path) else { return nil }
    text = "\"\(name)\""
  }

  private init(text: String) { self.text = text }

  /// The tag of the same bytes, compressed: on the wire they are others.
  var packed: EntityTag { EntityTag(text: text.dropLast() + "-gzip\"") }

  /// Whether an If-None-Match names it; weakly, as is right for that header.
  func isNamed(in headers: [String]) -> Bool {
    headers.contains { header in
      var rest = header.utf8[...]
      let skipped: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ",")]
      let quote = UInt8(ascii: "\"")
      while true {
        rest = rest.drop { skipped.contains($0) }
        if rest.first == UInt8(ascii: "*") { return true }
        if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
        guard rest.first == quote, let end = rest.dropFirst().firstIndex(of: quote) else {
          return false
        }
        if rest[...end].elementsEqual(text.utf8) { return true }
        rest = rest[rest.index(after: end)...]
      }
    }
  }
}

/// Paths that name their bytes: `assets/ab/<64 hexadecimal digits>.png`.
enum ForEver {
  /// The digits, or nil for other paths.
  static func name(of path: String) -> Substring? {
    let bytes = path.utf8
    // Before anything is taken apart, since every request asks.
    guard bytes.count > prefix.utf8.count + 68, bytes.starts(with: prefix.utf8) else { return nil }
    let folder = bytes.dropFirst(prefix.utf8.count).prefix(2)
    let rest = bytes.dropFirst(prefix.utf8.count + 2)
    let name = rest.dropFirst().prefix(64)
    let ending = rest.dropFirst(65)
    guard rest.first == UInt8(ascii: "/"), name.starts(with: folder),
      name.allSatisfy({ byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      }), ending.first == UInt8(ascii: "."), !ending.contains(UInt8(ascii: "/"))
    else { return nil }
    return Substring(name)
  }

  private static let prefix = "assets/"
}
