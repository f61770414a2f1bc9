/// Accepts only clean UTF-8: no broken sequences, no overlong forms, no raw control characters.
struct TextValidator {
  enum Verdict: Equatable {
    case clean
    /// The bytes end inside a character that may still become valid.
    case partial
    case invalidUTF8(UInt8)
    case control(UInt32)

    /// No UTF-8, as far as that is known.
    func isBroken(atEnd: Bool) -> Bool {
      if case .invalidUTF8 = self { true } else { atEnd && self == .partial }
    }
  }

  /// YAML also forbids DEL, the controls U+0080 to U+009F, U+FEFF, U+FFFE and U+FFFF.
  let isYAML: Bool

  /// How many of the first bytes are clean, and why not more.
  func check(_ bytes: [UInt8]) -> (clean: Int, verdict: Verdict) {
    var end = bytes.count
    var verdict = Verdict.clean
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      end = error.byteOffsets.lowerBound
      let isCut = error.kind == .truncatedScalar && error.byteOffsets.upperBound == bytes.count
      verdict = isCut ? .partial : .invalidUTF8(bytes[end])
    }
    var offset = 0
    while offset < end {
      if let control = control(bytes, at: offset) { return (offset, .control(control)) }
      offset += 1
    }
    return (end, verdict)
  }

  /// A character that text must not have, if it begins here.
  private func control(_ bytes: [UInt8], at offset: Int) -> UInt32? {
    switch bytes[offset] {
    case Byte.tab, Byte.newline, Byte.carriageReturn: nil
    case 0..<0x20: UInt32(bytes[offset])
    case 0x7F where isYAML: 0x7F
    case 0xC2 where isYAML && bytes[offset + 1] < 0xA0 && bytes[offset + 1] != 0x85:
      UInt32(bytes[offset + 1])
    case 0xEF where isYAML:
      switch (bytes[offset + 1], bytes[offset + 2]) {
      case (0xBB, 0xBF): 0xFEFF
      case (0xBF, 0xBE): 0xFFFE
      case (0xBF, 0xBF): 0xFFFF
      default: nil
      }
    default: nil
    }
  }
}
