/// Whether a page may point there: `http` and `https` with a host, `mailto` with an address.
///
/// Everything else (`javascript:`, `data:`, a path) could do harm or lead nowhere.
func isLink(_ text: String) -> Bool {
  guard isUnbroken(text), let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
    return false
  }
  let rest = text.utf8[colon...].dropFirst()
  switch text[..<colon].lowercased() {
  case "http", "https":
    guard rest.starts(with: "//".utf8), let host = rest.dropFirst(2).first else { return false }
    return !"/?#:".utf8.contains(host)
  case "mailto":
    return !rest.isEmpty && rest.first != UInt8(ascii: "?")
  default:
    return false
  }
}

/// Without white space, quotes and the like, which no address contains as they are.
private func isUnbroken(_ text: String) -> Bool {
  var isASCII = true
  for byte in text.utf8 {
    switch byte {
    case ...0x20, 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B, 0x7C, 0x7D, 0x7F: return false
    case 0x80...: isASCII = false
    default: break
    }
  }
  return isASCII || !text.unicodeScalars.contains(where: \.properties.isWhitespace)
}
