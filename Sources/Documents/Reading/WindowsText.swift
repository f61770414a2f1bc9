/// Windows-1252, which spreadsheets write where nobody asks for UTF-8.
enum WindowsText {
  /// What stands for the bytes from 0x80 to 0x9F; five of them are no characters.
  private static let letters = Array(
    "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)

  /// The same text in UTF-8; each byte that cannot be UTF-8 is read as Windows-1252.
  static func utf8(_ piece: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(piece.count + piece.count / 8)
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = piece.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &bytes) {
      case .valid(let scalar):
        text += scalar
        offset += scalar.count
      case .error(let length):
        for byte in piece[offset..<offset + length] {
          let letter = byte < 0xA0 ? letters[Int(byte) - 0x80] : Unicode.Scalar(byte)
          text += Array(String(letter).utf8)
        }
        offset += length
      case .emptyInput:
        return text
      }
    }
  }
}
