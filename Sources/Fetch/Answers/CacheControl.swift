import Bytes

/// What a `Cache-Control` field says to a private cache (RFC 9111, 5.2).
///
/// A field that breaks the grammar counts as `no-cache`.
package struct CacheControl: Hashable, Sendable {
  package private(set) var noStore = false
  /// Also when it names fields, which is stricter than needed.
  package private(set) var noCache = false
  /// In seconds, the smallest of several; 0 for anything but a number.
  package private(set) var maxAge: Int64?

  /// Reads all lines of the field as one list.
  package init(_ text: String?) {
    // A name; its value is a token or a quoted text (RFC 9110, 5.6).
    let directive =
      /[ \t,]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:=(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)|"((?:[^"\\]|\\.)*)"))?[ \t]*(?=,|$)/
    var rest = (text ?? "")[...]
    while let match = rest.prefixMatch(of: directive) {
      rest = rest[match.range.upperBound...]
      switch match.1.lowercased() {
      case "no-store": noStore = true
      case "no-cache": noCache = true
      case "max-age":
        let value = match.2 ?? match.3?.replacing("\\", with: "") ?? ""
        maxAge = min(maxAge ?? .max, DeltaSeconds.read(value) ?? 0)
      default: break
      }
    }
    if !rest.allSatisfy({ " \t,".contains($0) }) { noCache = true }
  }
}

/// A number of seconds as HTTP writes it.
package enum DeltaSeconds {
  /// Larger numbers count as this (RFC 9111, 1.2.2).
  package static let largest: Int64 = 1 << 31

  package static func read(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return min(Int64(text) ?? .max, largest)
  }
}
