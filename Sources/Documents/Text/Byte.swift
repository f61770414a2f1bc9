/// The bytes that the syntaxes are made of, by name.
enum Byte {
  static let tab = UInt8(ascii: "\t")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")
  static let openBracket = UInt8(ascii: "[")
  static let closeBracket = UInt8(ascii: "]")
  static let hash = UInt8(ascii: "#")
  static let percent = UInt8(ascii: "%")
  static let minus = UInt8(ascii: "-")
  static let plus = UInt8(ascii: "+")
  static let dot = UInt8(ascii: ".")
  static let zero = UInt8(ascii: "0")
}

extension UInt8 {
  /// Whether this byte goes on with a UTF-8 character that an earlier one began.
  var isContinuation: Bool { self & 0xC0 == 0x80 }
  var isDigit: Bool { self &- 0x30 < 10 }
  /// Letters, digits, and all bytes of characters that are not ASCII.
  var isWord: Bool { isDigit || (self | 0x20) &- 0x61 < 26 || self == 0x5F || self >= 0x80 }

  var hexDigit: UInt32? {
    switch self {
    case 0x30...0x39: UInt32(self) - 0x30
    case 0x41...0x46: UInt32(self) - 0x41 + 10
    case 0x61...0x66: UInt32(self) - 0x61 + 10
    default: nil
    }
  }
}
