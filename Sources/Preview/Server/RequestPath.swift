import Bytes

/// What a request asks for: a path beneath the folder.
struct RequestPath: Hashable, Sendable {
  /// Without a slash at either end; empty for the folder itself.
  let path: String
  /// Asks for a folder.
  let endsWithSlash: Bool

  /// In bytes, query included.
  private static let limit = 2048

  /// The file that is asked for.
  var file: String {
    endsWithSlash ? (path.isEmpty ? "index.html" : path + "/index.html") : path
  }

  /// The page of the folder by this name.
  var asFolder: RequestPath { RequestPath(path: path, endsWithSlash: true) }

  /// The target that asks for it: always on this site, whatever the path says.
  var target: String {
    let path = Percent.encoded(path.utf8) { $0 == UInt8(ascii: "/") || Percent.isUnreserved($0) }
    return endsWithSlash ? "/\(path)/" : "/" + path
  }
}

extension RequestPath {
  /// Reads the target of a request, decoded once: `/a%20b/c.html?query`.
  ///
  /// A name that begins with a dot is `notFound`.
  init(reading target: [UInt8]) throws(Refusal) {
    if target.count > RequestPath.limit { throw .longTarget }
    guard target.first == UInt8(ascii: "/") else { throw .badTarget }
    let raw = target.prefix { $0 != UInt8(ascii: "?") }.dropFirst()
    let slash = UInt8(ascii: "/")
    guard raw.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "#") }),
      let bytes = Percent.decoded(raw),
      bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\\") }),
      // An encoded slash would divide the path differently for whatever decodes it later.
      bytes.count(where: { $0 == slash }) == raw.count(where: { $0 == slash }),
      let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: { (0x80...0x9f).contains($0.value) })
    else { throw .badTarget }
    endsWithSlash = bytes.last == slash || bytes.isEmpty
    path = endsWithSlash ? String(text.unicodeScalars.dropLast()) : text
    if bytes.isEmpty { return }
    // By bytes, since a dot or a slash may combine with what follows to another character.
    let names = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
    if names.contains(where: {
      $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8)
    }) {
      throw .badTarget
    }
    if names.contains(where: { $0.first == UInt8(ascii: ".") }) { throw .notFound }
  }
}
