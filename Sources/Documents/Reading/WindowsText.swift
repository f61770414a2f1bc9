import Foundation

/// A Windows code page, in which spreadsheet programs save CSV files unless UTF-8 is selected.
enum WindowsText: String {
  case western = "Windows-1252"
  case central = "Windows-1250"

  /// The UTF-8 forms of bytes 0x80 to 0xFF; undefined bytes become U+FFFD.
  private var letters: [[UInt8]] {
    let encoding: String.Encoding = self == .western ? .windowsCP1252 : .windowsCP1250
    return (0x80...UInt8.max).map { byte in
      let letter = String(bytes: [byte], encoding: encoding)
      return Array((letter.flatMap { $0 < "\u{A0}" ? nil : $0 } ?? "\u{FFFD}").utf8)
    }
  }

  // If Windows-1250 is read as 1252, `Ł Ą Ż ł ą Ľ ľ ż` become `£ ¥ ¯ ³ ¹ ¼ ¾ ¿`: `Ma³gorzata`.
  // Count such signs only between lower-case letters; a single one may be a footnote mark.
  private static let signs: Set<UInt8> = [0xA3, 0xA5, 0xAF, 0xB3, 0xB9, 0xBC, 0xBE, 0xBF]

  init(of text: [UInt8]) {
    func isSmall(_ index: Int) -> Bool { 0x61...0x7A ~= text[index] }
    let count = text.indices.dropFirst().dropLast().count { index in
      Self.signs.contains(text[index]) && isSmall(index - 1) && isSmall(index + 1)
    }
    // Czech `ř` and `ě` are misread as `ø` and `ì`; Danish and Italian do not use `Š Ž š ž`.
    let carons = text.contains { [0x8A, 0x8E, 0x9A, 0x9E].contains($0) }
    let isCentral = count > 1 || carons && text.contains(0xF8) && text.contains(0xEC)
    let isWestern = text.contains(0xE5) || text.contains(0xE0)  // å, à
    self = isCentral && !isWestern ? .central : .western
  }

  /// Returns the text in UTF-8; bytes that are not valid UTF-8 are decoded with this code page.
  func utf8(_ piece: [UInt8]) -> [UInt8] {
    let letters = letters
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
        for byte in piece[offset..<offset + length] { text += letters[Int(byte) - 0x80] }
        offset += length
      case .emptyInput:
        return text
      }
    }
  }
}
