/// What a request asks for: a path beneath the folder that means what it says.
struct RequestPath: Hashable, Sendable {
  /// Relative, without a leading slash, and without one at the end; empty for the folder itself.
  let path: String
  /// Asks for a folder.
  let endsWithSlash: Bool

  /// In bytes, query included.
  static let limit = 2048

  /// The file that is asked for.
  var file: String {
    endsWithSlash ? (path.isEmpty ? "index.html" : path + "/index.html") : path
  }

  /// Where the page of this folder lies: beneath this site, whatever the path says.
  var slashed: String {
    var target = "/"
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        target.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        target += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
      }
    }
    return target + "/"
  }

  init(path: String, endsWithSlash: Bool) {
    self.path = path
    self.endsWithSlash = endsWithSlash
  }

  /// Reads the target of a request: `/a%20b/c.html?query`, decoded once.
  ///
  /// - Parameter target: As it came.
  /// - Throws: What is wrong with it; `notFound` for names that begin with a dot.
  init(reading target: [UInt8]) throws(Refusal) {
    if target.count > RequestPath.limit { throw .longTarget }
    guard target.first == UInt8(ascii: "/") else { throw .badTarget }
    let bytes = try RequestPath.decoded(target.prefix { $0 != UInt8(ascii: "?") }.dropFirst())
    guard let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: { (0x80...0x9f).contains($0.value) })
    else { throw .badTarget }
    try RequestPath.check(text)
    endsWithSlash = bytes.last == UInt8(ascii: "/") || bytes.isEmpty
    path = endsWithSlash ? String(text.dropLast()) : text
  }

  private static func decoded(_ raw: ArraySlice<UInt8>) throws(Refusal) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(raw.count)
    var rest = raw
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
        else { throw .badTarget }
        let decoded = high << 4 | low
        // A slash in disguise would divide differently for whoever decodes later.
        guard decoded >= 0x20, decoded != 0x7f, decoded != UInt8(ascii: "/"),
          decoded != UInt8(ascii: "\\")
        else { throw .badTarget }
        bytes.append(decoded)
      case ...0x20, 0x7f, UInt8(ascii: "\\"), UInt8(ascii: "#"):
        throw .badTarget
      default:
        bytes.append(byte)
      }
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Whether each part is a name; by its bytes, since characters may combine with a dot or slash.
  private static func check(_ text: String) throws(Refusal) {
    var parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true { parts.removeLast() }
    let dot = UInt8(ascii: ".")
    for part in parts
    where part.isEmpty || part.elementsEqual([dot]) || part.elementsEqual([dot, dot]) {
      throw .badTarget
    }
    for part in parts where part.first == dot { throw .notFound }
  }
}
