package enum Hex {
  package enum Case: Sendable { case lower, upper }

  package static func text(of bytes: RawSpan, _ letters: Case = .lower) -> String {
    unsafe String(unsafeUninitializedCapacity: bytes.byteCount * 2) { text in
      for index in 0..<bytes.byteCount {
        let byte = unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
        unsafe text[index * 2] = digit(byte >> 4, letters)
        unsafe text[index * 2 + 1] = digit(byte & 15, letters)
      }
      return bytes.byteCount * 2
    }
  }

  package static func text(of bytes: [UInt8], _ letters: Case = .lower) -> String {
    text(of: unsafe bytes.span.bytes, letters)
  }

  package static func append(_ byte: UInt8, to bytes: inout [UInt8], _ letters: Case = .lower) {
    bytes.append(digit(byte >> 4, letters))
    bytes.append(digit(byte & 15, letters))
  }

  /// Accepts only pairs of lowercase hex digits, so that each value has a single representation.
  package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    // An array is several times faster than a UTF-8 view, and indexes contain thousands of digests.
    let digits = Array(text.utf8)
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      let (high, low) = (digits[index], digits[index + 1])
      guard high == high.asciiLowercased, low == low.asciiLowercased,
        let high = high.hexDigitValue, let low = low.hexDigitValue
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// Formats a code point in Unicode notation: `U+00E9`, `U+1F600`.
  package static func codePoint(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }

  private static func digit(_ value: UInt8, _ letters: Case) -> UInt8 {
    value < 10 ? 0x30 + value : (letters == .lower ? 0x61 : 0x41) + value - 10
  }
}
