import Bytes
import Diagnostics

extension JSONParser {
  mutating func string() throws(Diagnostic) -> String {
    let start = position
    var index = offset + 1
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
          .jsonString, "a string contains \(name)", file: file, at: position(at: index),
          note: "the string began at \(start)", help: "write `\(escape)`, or close the string")
      }
      if byte.isContinuation { lineStart += 1 }
      index += 1
    }
    throw unclosedString(at: start)
  }

  private mutating func escape(at index: Int, opening: Position) throws(Diagnostic) -> Int {
    guard index + 1 < end else { throw unclosedString(at: opening) }
    let letter = bytes[index + 1]
    if letter == UInt8(ascii: "u") { return try unicodeEscape(at: index, opening: opening) }
    guard let byte = letter == UInt8(ascii: "/") ? letter : letter.escaped else {
      throw badEscape(at: index)
    }
    scratch.append(byte)
    return index + 2
  }

  private mutating func unicodeEscape(at index: Int, opening: Position) throws(Diagnostic) -> Int {
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

  /// Returns a number as written, so that no precision is lost.
  mutating func number() throws(Diagnostic) -> String {
    let start = position
    let first = offset
    while offset < end, bytes[offset].isWord || "+-.".utf8.contains(bytes[offset]) { offset += 1 }
    let text = String(decoding: bytes[first..<offset], as: UTF8.self)
    if let problem = limits.problem(ofText: text.utf8, file: file, at: start) { throw problem }
    guard bytes[first..<offset].isJSONNumber else {
      throw Diagnostic(
        .jsonNumber, "`\(text.brief)` is not a valid JSON number", file: file, at: start,
        help: "write numbers like -1.5e3, and put text in double quotes")
    }
    return text
  }
}
