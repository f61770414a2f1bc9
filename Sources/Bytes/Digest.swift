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

@safe
package struct DigestStream: ~Copyable {
  private let context: OpaquePointer

  package init() {
    guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
    unsafe self.context = context
    let result = unsafe EVP_DigestInit_ex2(context, SHA256.shared.algorithm, nil)
    precondition(result == 1)
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
  }

  package mutating func update(_ bytes: RawSpan) {
    let result = unsafe bytes.withUnsafeBytes { bytes in
      unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }
    precondition(result == 1)
  }

  package mutating func update(_ bytes: [UInt8]) {
    update(unsafe bytes.span.bytes)
  }

  package consuming func finish() -> Digest {
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    let result = unsafe span.withUnsafeMutableBufferPointer { bytes in
      unsafe EVP_DigestFinal_ex(context, bytes.baseAddress, nil)
    }
    guard result == 1, let digest = Digest(bytes: unsafe bytes.span.bytes) else {
      preconditionFailure("SHA-256 did not return a digest")
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

/// OpenSSL's SHA-256, fetched once, because fetching it takes longer than hashing a small record.
@safe
private struct SHA256: @unchecked Sendable {
  static let shared = SHA256()

  let algorithm: OpaquePointer

  private init() {
    guard let algorithm = unsafe EVP_MD_fetch(nil, "SHA256", nil) else {
      preconditionFailure("OpenSSL does not support SHA-256")
    }
    unsafe self.algorithm = algorithm
  }
}
