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
    withBytes { Hex.text(of: $0) }
  }

  package var description: String { hex }

  /// Nil unless there are 64 lower-case digits: one digest has one spelling.
  package init?(hex: some StringProtocol) {
    guard let bytes = Hex.bytes(hex) else { return nil }
    self.init(bytes: bytes)
  }
}
