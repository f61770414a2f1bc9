/// A SHA-256 digest.
package struct Digest: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The 32 bytes as four big-endian words, so that comparing words compares bytes.
  package let words: (UInt64, UInt64, UInt64, UInt64)

  package init(words: (UInt64, UInt64, UInt64, UInt64)) {
    self.words = words
  }

  package static func == (left: Digest, right: Digest) -> Bool { left.words == right.words }

  package static func < (left: Digest, right: Digest) -> Bool { left.words < right.words }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}

// MARK: - As bytes

extension Digest {
  package static let byteCount = 32

  /// Nil unless there are exactly 32 bytes.
  package init?(bytes: RawSpan) {
    guard bytes.byteCount == Digest.byteCount else { return nil }
    func word(_ index: Int) -> UInt64 {
      (0..<8).reduce(0) { word, byte in
        // Inside, since there are four words of eight bytes.
        word << 8
          | UInt64(unsafe bytes.unsafeLoad(fromByteOffset: index * 8 + byte, as: UInt8.self))
      }
    }
    self.init(words: (word(0), word(1), word(2), word(3)))
  }

  package init?(bytes: [UInt8]) {
    self.init(bytes: unsafe bytes.span.bytes)
  }

  package var bytes: [UInt8] {
    withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
  }

  /// Calls `body` with the 32 bytes, which are valid only during the call.
  package func withBytes<Result, Failure>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let big: InlineArray<4, UInt64> = [
      words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian,
    ]
    return try body(unsafe big.span.bytes)
  }
}

// MARK: - As text

extension Digest: CustomStringConvertible {
  /// 64 lower-case digits.
  package var hex: String {
    let digits: StaticString = "0123456789abcdef"
    return unsafe String(unsafeUninitializedCapacity: 64) { text in
      withBytes { bytes in
        for index in 0..<Digest.byteCount {
          // Inside: 32 bytes become 64 digits, and a half byte is one of 16.
          let byte = unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
          unsafe text[index * 2] = digits.utf8Start[Int(byte >> 4)]
          unsafe text[index * 2 + 1] = digits.utf8Start[Int(byte & 15)]
        }
      }
      return 64
    }
  }

  package var description: String { hex }

  /// Nil unless there are 64 lower-case digits: one digest has one spelling.
  package init?(hex: some StringProtocol) {
    var words: [UInt64] = [0, 0, 0, 0]
    var count = 0
    for digit in hex.utf8 {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      default: return nil
      }
      guard count < 64 else { return nil }
      words[count / 16] = words[count / 16] << 4 | UInt64(value)
      count += 1
    }
    guard count == 64 else { return nil }
    self.init(words: (words[0], words[1], words[2], words[3]))
  }
}
