import Bytes
import Diagnostics

extension TOMLParser {
  /// Reads a quoted string; a quoted key must be on a single line.
  mutating func string(isKey: Bool) throws(Diagnostic) -> String {
    let start = position
    let quote = bytes[offset]
    let isLong = !isKey && bytes[offset...].starts(with: [quote, quote, quote])
    offset += isLong ? 3 : 1
    if isLong { _ = takesNewline() }
    var text: [UInt8] = []
    while let byte = next {
      if byte == quote {
        let count = isLong ? bytes[offset...].prefix(5).prefix { $0 == quote }.count : 1
        offset += count
        guard isLong, count < 3 else {
          if isLong { text += Array(repeating: quote, count: count - 3) }
          if let problem = limits.problem(ofText: text, file: file, at: start) { throw problem }
          return String(decoding: text, as: UTF8.self)
        }
        text += Array(repeating: quote, count: count)
      } else if byte == Byte.backslash, quote == Byte.quote {
        try escape(into: &text, isLong: isLong)
      } else if byte == Byte.newline || byte == Byte.carriageReturn {
        guard isLong else { break }
        text.append(Byte.newline)
        _ = takesNewline()
      } else {
        text.append(byte)
        if byte.isContinuation { lineStart += 1 }
        offset += 1
      }
    }
    throw problem(
      "a string is never closed", "close it; text on several lines needs three quotes",
      at: start)
  }

  private mutating func escape(into text: inout [UInt8], isLong: Bool) throws(Diagnostic) {
    let start = position
    offset += 1
    let letter = next ?? 0
    offset += 1
    if let byte = letter.escaped { return text.append(byte) }
    switch letter {
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      let digits = bytes[offset...].prefix(letter == UInt8(ascii: "u") ? 4 : 8)
        .prefix(while: \.isHexDigit)
      let isWhole = digits.count == (letter == UInt8(ascii: "u") ? 4 : 8)
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
      guard isWhole, let scalar = value.flatMap(Unicode.Scalar.init) else {
        throw problem(
          "`\\\(Character(Unicode.Scalar(letter)))` is not followed by a character code",
          "write the character itself, or \\u00E9 or \\U0001F600", at: start)
      }
      text += Array(String(scalar).utf8)
      offset += digits.count
    case _ where isLong && letter.isASCIISpace:
      // A backslash at the end of a line skips white space up to the next word.
      offset -= 1
      skipBlanks()
      guard takesNewline() else { throw badEscape(at: start) }
      repeat { skipBlanks() } while takesNewline()
    default: throw badEscape(at: start)
    }
  }

  private func badEscape(at start: Position) -> Diagnostic {
    problem(
      "a backslash is not followed by a valid escape",
      "write the backslash twice, or use single quotes", at: start)
  }
}
