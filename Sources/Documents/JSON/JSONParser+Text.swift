import Bytes

// Strings and numbers: the leaves that have a grammar of their own.
extension JSONParser {
  /// Reads a string from its opening quote to behind its closing one.
  mutating func string() throws(DocumentError) -> String {
    let opening = offset
    let place = position
    var index = opening + 1
    while index < end {
      let byte = bytes[index]
      if byte == Byte.quote {
        let text = bytes[opening + 1..<index]
        offset = index + 1
        try check(length: text.count, isData: text.starts(with: Self.dataPrefix), at: place)
        return String(decoding: text, as: UTF8.self)
      }
      if byte == Byte.backslash {
        return try escapedString(opening: opening, backslash: index, place: place)
      }
      if byte < 0x20 { throw rawControl(at: index, opening: place) }
      if byte.isContinuation { lineStart += 1 }
      index += 1
    }
    throw unclosedString(at: place)
  }

  /// The same from the first backslash on, where the text is no longer a piece of the bytes.
  private mutating func escapedString(opening: Int, backslash: Int, place: Position)
    throws(DocumentError) -> String
  {
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: bytes[opening + 1..<backslash])
    var index = backslash
    while index < end {
      let byte = bytes[index]
      if byte == Byte.quote {
        offset = index + 1
        let isData = scratch.starts(with: Self.dataPrefix)
        try check(length: scratch.count, isData: isData, at: place)
        return String(decoding: scratch, as: UTF8.self)
      }
      if byte == Byte.backslash {
        index = try escape(at: index, opening: place)
        continue
      }
      if byte < 0x20 { throw rawControl(at: index, opening: place) }
      if byte.isContinuation { lineStart += 1 }
      scratch.append(byte)
      index += 1
    }
    throw unclosedString(at: place)
  }

  /// Decodes one escape into `scratch`, and returns the offset behind it.
  private mutating func escape(at index: Int, opening: Position) throws(DocumentError) -> Int {
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
    throws(DocumentError) -> Int
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

  private func hexadecimal(at index: Int, opening: Position) throws(DocumentError) -> UInt32 {
    var value: UInt32 = 0
    for digit in index + 2..<index + 6 {
      guard digit < end else { throw unclosedString(at: opening) }
      guard let digit = bytes[digit].hexDigitValue else { throw badEscape(at: index) }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  // MARK: Numbers

  /// Reads a number and keeps it as written, so that nothing is lost to rounding.
  mutating func number() throws(DocumentError) -> String {
    let place = position
    let first = offset
    if bytes[offset] == Byte.minus { offset += 1 }
    let leading = offset
    try digits("a digit")
    if bytes[leading] == Byte.zero, offset - leading > 1 {
      throw badNumber(at: place, "a number may not start with a zero", help: "remove the zero")
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
      throw badNumber(
        at: place, "a number may not go on with \(found(at: offset))",
        help: "numbers are decimal; put text into double quotes")
    }
    try check(length: offset - first, isData: false, at: place)
    return String(decoding: bytes[first..<offset], as: UTF8.self)
  }

  private mutating func digits(_ expected: String) throws(DocumentError) {
    let first = offset
    while offset < end, bytes[offset].isASCIIDigit { offset += 1 }
    guard offset > first else { throw unexpected(expected, code: .jsonNumber) }
  }

  // MARK: Length

  private static let dataPrefix = Array("data:".utf8)

  private func check(length: Int, isData: Bool, at place: Position) throws(DocumentError) {
    let cap = limits.scalarCap(isData: isData)
    guard length <= cap else { throw .tooLong(length, cap: cap, file: file, at: place) }
  }
}
