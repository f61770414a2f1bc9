import CCrypto
package import Foundation

/// Takes bytes in any number of pieces and gives their SHA-256, in constant memory.
@safe
package struct DigestStream: ~Copyable {
  private let context: OpaquePointer

  package init() {
    guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
    unsafe self.context = context
    let result = unsafe EVP_DigestInit_ex2(context, SHA256.shared.algorithm, nil)
    // Fails only without memory: the algorithm is there.
    precondition(result == 1)
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
  }

  package mutating func update(_ bytes: RawSpan) {
    // The pointer is used only during the call of the closure.
    let result = unsafe bytes.withUnsafeBytes { bytes in
      unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }
    precondition(result == 1)
  }

  package mutating func update(_ bytes: [UInt8]) {
    update(unsafe bytes.span.bytes)
  }

  package mutating func update(_ bytes: Data) {
    update(unsafe bytes.span.bytes)
  }

  package consuming func finish() -> Digest {
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    // SHA-256 writes 32 bytes.
    let result = unsafe span.withUnsafeMutableBufferPointer { bytes in
      unsafe EVP_DigestFinal_ex(context, bytes.baseAddress, nil)
    }
    guard result == 1, let digest = Digest(bytes: unsafe bytes.span.bytes) else {
      preconditionFailure("SHA-256 gave no digest")
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

  /// Of the UTF-8 bytes.
  package init(of text: String) {
    self.init(of: Array(text.utf8))
  }
}

/// The algorithm, looked up once: a lookup costs more than hashing a small record.
///
/// Sendable, since OpenSSL lets threads share an algorithm, and nothing changes it.
@safe
private struct SHA256: @unchecked Sendable {
  static let shared = SHA256()

  let algorithm: OpaquePointer

  private init() {
    guard let algorithm = unsafe EVP_MD_fetch(nil, "SHA256", nil) else {
      preconditionFailure("this OpenSSL has no SHA-256")
    }
    unsafe self.algorithm = algorithm
  }
}
