import CCrypto
package import Foundation

package struct Digest: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The digest as four big-endian words, which sort in the same order as the 32 bytes.
  package let words: (UInt64, UInt64, UInt64, UInt64)

  package static func == (left: Digest, right: Digest) -> Bool { left.words == right.words }

  package static func < (left: Digest, right: Digest) -> Bool { left.words < right.words }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}

extension Digest {
  package static let byteCount = 32

  package init?(bytes: RawSpan) {
    guard bytes.byteCount == Digest.byteCount else { return nil }
    func word(_ index: Int) -> UInt64 {
      (0..<8).reduce(0) { word, byte in
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

  package func withBytes<Result, Failure>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let big: InlineArray<4, UInt64> = [
      words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian,
    ]
    return try body(unsafe big.span.bytes)
  }
}

extension Digest: CustomStringConvertible {
  package var hex: String {
    withBytes { Hex.text(of: $0) }
  }

  package var description: String { hex }

  /// Accepts only 64 lowercase hex digits, so that each digest has a single representation.
  package init?(hex: some StringProtocol) {
    guard let bytes = Hex.bytes(hex) else { return nil }
    self.init(bytes: bytes)
  }
}

package struct DigestStream: ~Copyable {
  private var context = SHA256_CTX()

  package init() { _ = unsafe SHA256_Init(&context) }

  package mutating func update(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { bytes in
      _ = unsafe SHA256_Update(&context, bytes.baseAddress, bytes.count)
    }
  }

  package mutating func update(_ bytes: [UInt8]) {
    update(unsafe bytes.span.bytes)
  }

  package consuming func finish() -> Digest {
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    unsafe span.withUnsafeMutableBufferPointer { bytes in
      _ = unsafe SHA256_Final(bytes.baseAddress, &context)
    }
    guard let digest = Digest(bytes: unsafe bytes.span.bytes) else {
      preconditionFailure("a SHA-256 digest has 32 bytes")
    }
    return digest
  }
}

extension Digest {
  package init(of bytes: RawSpan) {
    var stream = DigestStream()
    stream.update(bytes)
    self = stream.finish()
  }

  package init(of bytes: [UInt8]) {
    self.init(of: unsafe bytes.span.bytes)
  }

  package init(of bytes: Data) {
    self.init(of: unsafe bytes.span.bytes)
  }

  package init(of text: String) {
    self.init(of: Array(text.utf8))
  }
}
