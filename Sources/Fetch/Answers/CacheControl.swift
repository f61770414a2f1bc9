import Bytes

/// The `Cache-Control` directives for a private cache (RFC 9111, 5.2).
///
/// A malformed field is treated as `no-cache`.
package struct CacheControl: Hashable, Sendable {
  package private(set) var noStore = false
  /// Whether `no-cache` is set; field names are ignored, which is stricter than required.
  package private(set) var noCache = false
  /// The smallest `max-age` in seconds; a malformed value is treated as 0.
  package private(set) var maxAge: Int64?

  package init(_ text: String?) {
    // A token, optionally with a token or quoted string as the value (RFC 9110, 5.6).
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

package enum DeltaSeconds {
  /// The maximum, which replaces larger values (RFC 9111, 1.2.2).
  package static let largest: Int64 = 1 << 31

  package static func read(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return min(Int64(text) ?? .max, largest)
  }
}
