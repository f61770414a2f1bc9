import CHeif
import Foundation

package enum HEIFRuntime {
  /// Loads the decoders; ignores plugin paths from the environment for security reasons.
  package static func start() throws(HEIFError) { try outcome.get() }

  private static let outcome = Result { () throws(HEIFError) in
    for name in ProcessInfo.processInfo.environment.keys where name.hasPrefix("LIBHEIF_") {
      unsafe unsetenv(name)
    }
    unsafe try HEIFError.check(heif_init(nil))
  }

  static func encoder() -> OpaquePointer? {
    var encoder: OpaquePointer?
    let count = unsafe heif_get_encoder_descriptors(heif_compression_AV1, "aom", &encoder, 1)
    return unsafe count > 0 ? encoder : nil
  }

  package static var versions: [String] {
    var decoders = unsafe [OpaquePointer?](repeating: nil, count: 16)
    let count = unsafe decoders.withUnsafeMutableBufferPointer { buffer in
      unsafe heif_get_decoder_descriptors(
        heif_compression_undefined, buffer.baseAddress, Int32(buffer.count))
    }
    var versions = ["libheif \(unsafe String(cString: heif_get_version()))"]
    for index in 0..<Int(count) {
      guard let decoder = unsafe decoders[index],
        let name = unsafe heif_decoder_descriptor_get_name(decoder)
      else { continue }
      unsafe versions.append(String(cString: name))
    }
    if let encoder = unsafe encoder(), let name = unsafe heif_encoder_descriptor_get_name(encoder) {
      unsafe versions.append(String(cString: name))
    }
    return versions
  }
}

package struct HEIFError: Error, Hashable, Sendable {
  package let message: String

  init(_ message: String) {
    self.message = message
  }

  static let outOfMemory = HEIFError("libheif: out of memory")

  static func check(_ result: heif_error) throws(HEIFError) {
    guard unsafe result.code != heif_error_Ok else { return }
    // libaom can encode every picture, so it fails only if memory runs out.
    if unsafe result.code == heif_error_Encoder_plugin_error { throw .outOfMemory }
    // An exceeded limit has the same error code, but is caused by the picture.
    if unsafe result.code == heif_error_Memory_allocation_error,
      unsafe result.subcode != heif_suberror_Security_limit_exceeded
    {
      throw .outOfMemory
    }
    if unsafe result.code == heif_error_Unsupported_filetype {
      throw HEIFError(
        "libheif: the file is not marked as a still picture, and sequences are not supported")
    }
    let words = unsafe result.message.map { unsafe String(cString: $0) } ?? ""
    throw HEIFError(words.isEmpty ? "libheif failed without an error message" : "libheif: \(words)")
  }
}
