/// The host and the port of an address, as text.
package struct HostAndPort {
  /// With its brackets where it is an address of IPv6.
  package let host: Substring
  /// What stands behind the colon; nil where there is none.
  package let port: Substring?

  /// Nil where something other than a port stands behind a bracket.
  package init?(_ text: some StringProtocol) {
    let text = Substring(text)
    var end = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    if text.utf8.first == UInt8(ascii: "["), let close = text.utf8.firstIndex(of: UInt8(ascii: "]"))
    {
      let next = text.utf8.index(after: close)
      guard next == text.endIndex || text.utf8[next] == UInt8(ascii: ":") else { return nil }
      end = next == text.endIndex ? nil : next
    }
    host = text[..<(end ?? text.endIndex)]
    port = end.map { Substring(text.utf8[$0...].dropFirst()) }
  }

  /// A port from 1 to 65535, in at most five digits.
  package static func port(_ digits: some StringProtocol) -> UInt16? {
    guard digits.utf8.count <= 5, digits.utf8.allSatisfy(\.isASCIIDigit),
      let port = UInt16(digits), port > 0
    else { return nil }
    return port
  }
}

package enum HostName {
  /// Bytes; the name system knows no longer one.
  package static let limit = 253

  /// Whether it is one in ASCII: labels of letters, digits, `-` and `_`, perhaps with a dot behind
  /// the last.
  package static func isValid(_ name: some StringProtocol) -> Bool {
    var labels = Substring(name).utf8.split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let hasRoot = labels.count > 1 && labels.last?.isEmpty == true
    if hasRoot { labels.removeLast() }
    return name.utf8.count <= (hasRoot ? 254 : 253)
      && labels.allSatisfy { label in
        (1...63).contains(label.count)
          && label.allSatisfy {
            $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
          }
      }
  }

  /// Whether it looks like an address of IPv6 in its brackets.
  package static func isBracketedAddress(_ host: some StringProtocol) -> Bool {
    let address = host.utf8.dropFirst().dropLast(1)
    return host.hasPrefix("[") && host.hasSuffix("]") && address.contains(UInt8(ascii: ":"))
      && address.allSatisfy { $0.isHexDigit || ":.".utf8.contains($0) }
  }
}
