import Diagnostics

extension String {
  /// Cut like `quoted`, without the quotes.
  var shortened: String {
    String(quoted.dropFirst().dropLast())
  }

  /// C0, delete or C1.
  func hasControls(otherThanLines allowsLines: Bool = false) -> Bool {
    var previous: UInt8 = 0
    for byte in utf8 {
      if byte < 0x20 || byte == 0x7F {
        let isLine = byte == 0x0A || byte == 0x0D || byte == 0x09
        if !(isLine && allowsLines) { return true }
      }
      // C1 is U+0080…U+009F, in UTF-8 C2 80…C2 9F.
      if previous == 0xC2, (0x80...0x9F).contains(byte) { return true }
      previous = byte
    }
    return false
  }

  /// Nothing, or nothing but white space.
  var isBlank: Bool {
    // Nearly every text begins with a visible letter.
    if let first = utf8.first, (0x21..<0x7F).contains(first) { return false }
    return unicodeScalars.allSatisfy(\.properties.isWhitespace)
  }
}

extension Substring {
  /// Without the spaces and tabs around it.
  var trimmed: String {
    let isVisible = { (byte: UInt8) in byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") }
    guard let first = utf8.firstIndex(where: isVisible),
      let last = utf8.lastIndex(where: isVisible)
    else { return "" }
    return String(self[first...last])
  }
}
