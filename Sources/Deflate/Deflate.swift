import CZlib

/// Compression as PNG has it: one zlib stream, as small as zlib can make it.
package enum Deflate {
  /// There was no memory for it.
  package struct OutOfMemory: Error {}

  /// The corresponding C function is `compress2`, at its highest level.
  package static func compressed(_ bytes: [UInt8]) throws(OutOfMemory) -> [UInt8] {
    let room = compressBound(uLong(bytes.count))
    var count = room
    var status = Z_OK
    // The buffer has the room that zlib asks for; `count` becomes what it has filled.
    let stream = unsafe [UInt8](unsafeUninitializedCapacity: Int(room)) { buffer, initialized in
      status = unsafe bytes.withUnsafeBufferPointer { source in
        unsafe compress2(
          buffer.baseAddress, &count, source.baseAddress, uLong(source.count),
          Z_BEST_COMPRESSION)
      }
      initialized = status == Z_OK ? Int(count) : 0
    }
    guard status == Z_OK else { throw OutOfMemory() }
    return stream
  }

  /// Of the library that is loaded, which decides the bytes.
  ///
  /// The corresponding C function is `zlibVersion`.
  package static var version: String {
    unsafe String(cString: zlibVersion())
  }
}
