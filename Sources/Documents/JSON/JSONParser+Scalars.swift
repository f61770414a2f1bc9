import Bytes
import Diagnostics

// Strings and numbers, which have a grammar of their own.
extension JSONParser {
  /// Reads a string with its quotes.
  mutating func string() throws(Diagnostic) -> String {
    let start = position
    var index = offset + 1
    // The text from here on is not in `scratch`; without escapes that is all of it.
    var first = index
    scratch.removeAll(keepingCapacity: true)
    while index < end {
      let byte = bytes[index]
      if byte == Byte.quote {
        offset = index + 1
        let hasEscapes = !scratch.isEmpty
        if hasEscapes { scratch.append(contentsOf: bytes[first..<index]) }
        let text = hasEscapes ? scratch[...] : bytes[first..<index]
        if let problem = limits.problem(ofText: text, file: file, at: start) { throw problem }
        return String(decoding: text, as: UTF8.self)
      }
      if byte == Byte.backslash {
        scratch.append(contentsOf: bytes[first..<index])
        index = try escape(at: index, opening: start)
        first = index
        continue
      }
      if byte < 0x20 {
        let (name, escape) = byte == Byte.tab ? ("a tab", "\\t") : ("a line break", "\\n")
        throw Diagnostic(
          .jsonString, "\(name) is inside a string", file: file, at: position(at: index),
          note: "the string began at \(start)", help: "write `\(escape)`, or close the string")
      }
      if byte.isContinuation { lineStart += 1 }
      index += 1
    }
    throw unclosedString(at: start)
  }

  /// Decodes one escape into `scratch` and returns the offset after it.
  private mutating func escape(at index: Int, opening: Position) throws(Diagnostic) -> Int {
    guard index + 1 < end else { throw unclosedString(at: opening) }
    switch bytes[index + 1] {
    case Byte.quote, Byte.backslash, UInt8(ascii: "/"): scratch.append(bytes[index + 1])
    case UInt8(ascii: "b"): scratch.append(0x08)
    case UInt8(ascii: "f"): scratch.append(0x0C)
    case UInt8(ascii: "n"): scratch.append(Byte.newline)
    case UInt8(ascii: "r"): scratch.append(Byte.carriageReturn)
    case UInt8(ascii: "t"): scratch.append(Byte.tab)
    case UInt8(ascii: "u"): return try unicodeEscape(at: index, opening: opening)
    default: throw badEscape(at: index)
    }
    return index + 2
  }

  private mutating func unicodeEscape(at index: Int, opening: Position)
    throws(Diagnostic) -> Int
  {
    let first = try hexadecimal(at: index, opening: opening)
    if let scalar = Unicode.Scalar(first) {
      scratch.append(contentsOf: Array(String(scalar).utf8))
      return index + 6
    }
    let next = index + 6
    guard first < 0xDC00, next + 1 < end, bytes[next] == Byte.backslash,
      bytes[next + 1] == UInt8(ascii: "u")
    else { throw loneSurrogate(at: index) }
    let second = try hexadecimal(at: next, opening: opening)
    guard 0xDC00...0xDFFF ~= second,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw loneSurrogate(at: index) }
    scratch.append(contentsOf: Array(String(scalar).utf8))
    return next + 6
  }

  private func hexadecimal(at index: Int, opening: Position) throws(Diagnostic) -> UInt32 {
    var value: UInt32 = 0
    for digit in index + 2..<index + 6 {
      guard digit < end else { throw unclosedString(at: opening) }
      guard let digit = bytes[digit].hexDigitValue else { throw badEscape(at: index) }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// Reads a number and keeps it as written, so that nothing is lost to rounding.
  mutating func number() throws(Diagnostic) -> String {
    let start = position
    let first = offset
    if bytes[offset] == Byte.minus { offset += 1 }
    let leading = offset
    try digits("a digit")
    if bytes[leading] == Byte.zero, offset - leading > 1 {
      throw Diagnostic(
        .jsonNumber, "a number may not start with a zero", file: file, at: start,
        help: "remove the zero")
    }
    if offset < end, bytes[offset] == Byte.dot {
      offset += 1
      try digits("a digit after the point")
    }
    if offset < end, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if offset < end, bytes[offset] == Byte.plus || bytes[offset] == Byte.minus { offset += 1 }
      try digits("a digit of the exponent")
    }
    if offset < end, bytes[offset].isWord || bytes[offset] == Byte.dot {
      throw Diagnostic(
        .jsonNumber, "a number may not go on with \(found(at: offset))", file: file, at: start,
        help: "numbers are decimal; put text into double quotes")
    }
    let text = bytes[first..<offset]
    if let problem = limits.problem(ofText: text, file: file, at: start) { throw problem }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func digits(_ expected: String) throws(Diagnostic) {
    let first = offset
    while offset < end, bytes[offset].isASCIIDigit { offset += 1 }
    guard offset > first else { throw unexpected(expected, code: .jsonNumber) }
  }
}
