/// Whether a page may point there: `http` and `https` with a host, `mailto` with an address.
///
/// Everything else (`javascript:`, `data:`, a path) could do harm or lead nowhere.
func isLink(_ text: String) -> Bool {
  let isPlain = text.unicodeScalars.allSatisfy {
    !$0.properties.isWhitespace && !"\"<>\\^`{|}".unicodeScalars.contains($0)
  }
  guard isPlain, let colon = text.firstIndex(of: ":") else { return false }
  let rest = text[text.index(after: colon)...]
  switch text[..<colon].lowercased() {
  case "http", "https":
    guard rest.hasPrefix("//") else { return false }
    guard let host = rest.dropFirst(2).first else { return false }
    return !"/?#:".contains(host)
  case "mailto":
    return !rest.isEmpty && rest.first != "?"
  default:
    return false
  }
}

/// Whether the text looks like a BCP 47 tag: `en`, `pt-BR`, `zh-Hans`.
func isLanguageTag(_ text: String) -> Bool {
  let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
  for (index, part) in parts.enumerated() {
    guard (1...8).contains(part.count) else { return false }
    for byte in part {
      let isLetter = (0x61...0x7A).contains(byte | 0x20)
      let isDigit = (0x30...0x39).contains(byte)
      guard isLetter || (isDigit && index > 0) else { return false }
    }
  }
  return true
}
