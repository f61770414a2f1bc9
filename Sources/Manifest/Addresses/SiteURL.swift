/// The address of a site as whole addresses begin with it, or nil if it is none.
///
/// Its scheme is in lower case, and a missing `/` at the end is added. There is nothing in it that a
/// browser would take away or that is not the site's: no query, fragment, user, `.` or `..`.
func siteAddress(_ text: String) -> String? {
  guard isLink(text), let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
  let scheme = text[..<colon].lowercased()
  let rest = Substring(text.utf8[colon...].dropFirst("://".utf8.count))
  guard scheme.hasPrefix("http"), !rest.utf8.contains(where: "?#".utf8.contains),
    hasWholeEscapes(rest)
  else { return nil }
  let parts = rest.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    .map { Substring($0) }
  guard let authority = parts.first, isAuthority(authority),
    !parts.dropFirst().contains(where: isDots)
  else { return nil }
  return "\(scheme)://\(rest)\(rest.hasSuffix("/") ? "" : "/")"
}

/// A host, and maybe a port.
private func isAuthority(_ text: Substring) -> Bool {
  guard !text.utf8.contains(UInt8(ascii: "@")) else { return false }
  var host = text
  // The colons of a numeric address stand in brackets.
  let bracket = text.utf8.lastIndex(of: UInt8(ascii: "]")) ?? text.startIndex
  if let colon = text.utf8[bracket...].firstIndex(of: UInt8(ascii: ":")) {
    let port = Substring(text.utf8[colon...].dropFirst())
    guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(port),
      (1...65_535).contains(number)
    else { return false }
    host = text[..<colon]
  }
  guard host.hasPrefix("[") else {
    return !host.isEmpty && !host.utf8.contains(where: "[]".utf8.contains)
  }
  let address = host.dropFirst().dropLast()
  return host.hasSuffix("]") && address.contains(":")
    && address.utf8.allSatisfy { $0.isHexDigit || ":.".utf8.contains($0) }
}

/// Whether a part of a path leads nowhere else: `.` and `..`, encoded or not.
private func isDots(_ part: Substring) -> Bool {
  let plain = part.lowercased().replacing("%2e", with: ".")
  return plain == "." || plain == ".."
}

/// Whether two digits follow each percent sign.
private func hasWholeEscapes(_ text: Substring) -> Bool {
  text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst()
    .allSatisfy { $0.prefix(2).count(where: \.isHexDigit) == 2 }
}

extension UInt8 {
  package var isHexDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
