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
