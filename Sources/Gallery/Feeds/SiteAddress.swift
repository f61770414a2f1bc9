import Bytes
import Manifest

/// Where the site will be: makes whole addresses of paths in the output.
struct SiteAddress: Sendable {
  /// Encoded, with `/` at its end.
  private let base: String

  /// Nil where the manifest does not say.
  init?(_ site: SiteDescription) {
    guard let url = site.url else { return nil }
    base = Self.encoded(url)
  }

  /// Of a file, or of what stands on a page.
  ///
  /// Pages are called by their folders, as everywhere on the web.
  func of(_ path: String, fragment: String? = nil) -> String {
    let page = "index.html"
    let isPage = path == page || path.hasSuffix("/" + page)
    let address = base + Self.encoded(isPage ? String(path.dropLast(page.count)) : path)
    return fragment.map { "\(address)#\(Self.encoded($0))" } ?? address
  }

  /// Percent signs for all that an address may not have as it is; what is encoded already stays.
  static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = Array(text.utf8)
    var encoded: [UInt8] = []
    encoded.reserveCapacity(bytes.count)
    for (place, byte) in bytes.enumerated() {
      let isEncoded =
        byte == UInt8(ascii: "%")
        && bytes[(place + 1)...].prefix(2).count(where: \.isHexDigit) == 2
      if isAllowed(byte) || isEncoded {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Letters, digits, and RFC 3986's signs without `%`.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte)
    }
  }
}
