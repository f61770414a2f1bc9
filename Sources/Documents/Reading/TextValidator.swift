/// Accepts only clean UTF-8: no broken sequences, no overlong forms, no raw control characters.
struct TextValidator {
  enum Verdict: Equatable {
    case clean
    /// The bytes end inside a character that may still become valid.
    case partial
    case invalidUTF8(UInt8)
    case control(UInt32)
  }

  /// YAML also forbids DEL, the controls U+0080 to U+009F, U+FEFF, U+FFFE and U+FFFF.
  let isYAML: Bool

  /// How many of the first bytes are clean, and why not more.
  func check(_ bytes: [UInt8]) -> (clean: Int, verdict: Verdict) {
    var offset = 0
    let count = bytes.count
    while offset < count {
      let byte = bytes[offset]
      if byte < 0x80 {
        if byte < 0x20 {
          guard byte == Byte.tab || byte == Byte.newline || byte == Byte.carriageReturn else {
            return (offset, .control(UInt32(byte)))
          }
        } else if byte == 0x7F, isYAML {
          return (offset, .control(0x7F))
        }
        offset += 1
        continue
      }
      let (length, verdict) = character(bytes, at: offset)
      guard verdict == .clean else { return (offset, verdict) }
      offset += length
    }
    return (offset, .clean)
  }

  private func character(_ bytes: [UInt8], at offset: Int) -> (Int, Verdict) {
    let lead = bytes[offset]
    let length: Int
    let second: ClosedRange<UInt8>
    // The table of RFC 3629: the second byte's range keeps out overlong forms and surrogates.
    switch lead {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return (1, .invalidUTF8(lead))
    }
    var value = UInt32(lead) & (0xFF >> UInt32(length + 1))
    var index = 1
    while index < length {
      guard offset + index < bytes.count else { return (length, .partial) }
      let byte = bytes[offset + index]
      guard index == 1 ? second.contains(byte) : byte.isContinuation else {
        return (1, .invalidUTF8(lead))
      }
      value = value << 6 | UInt32(byte & 0x3F)
      index += 1
    }
    if isYAML, Self.isForbiddenInYAML(value) { return (length, .control(value)) }
    return (length, .clean)
  }

  private static func isForbiddenInYAML(_ value: UInt32) -> Bool {
    (value <= 0x9F && value != 0x85) || value == 0xFEFF || value == 0xFFFE || value == 0xFFFF
  }
}
