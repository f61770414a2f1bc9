import CZlib

/// Compressed bytes.
package enum Zlib {
  package enum Frame: Sendable {
    /// As PNG has it, as small as zlib can make it.
    case zlib
    /// As HTTP has it, at zlib's usual level.
    case gzip
  }

  /// There was no memory for it.
  package struct OutOfMemory: Error {}

  /// The corresponding C functions are `deflateInit2`, `deflate` and `deflateEnd`.
  package static func compressed(
    _ bytes: [UInt8], as frame: Frame
  ) throws(OutOfMemory) -> [UInt8] {
    let (level, windowBits): (Int32, Int32) =
      switch frame {
      case .zlib: (Z_BEST_COMPRESSION, 15)
      // 15 bits of window, and 16 more for gzip's frame.
      case .gzip: (6, 15 + 16)
      }
    var stream = unsafe z_stream()
    guard
      unsafe deflateInit2_(
        &stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw OutOfMemory() }
    defer { _ = unsafe deflateEnd(&stream) }
    var input = bytes
    let room = Int(unsafe deflateBound(&stream, uLong(bytes.count)))
    var isDone = false
    // The pointers are used only during the call, and zlib keeps to the counts beside them.
    let result = unsafe input.withUnsafeMutableBufferPointer { source in
      unsafe [UInt8](unsafeUninitializedCapacity: room) { target, used in
        unsafe stream.next_in = source.baseAddress
        unsafe stream.avail_in = uInt(source.count)
        unsafe stream.next_out = target.baseAddress
        unsafe stream.avail_out = uInt(target.count)
        isDone = unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
        used = unsafe target.count - Int(stream.avail_out)
      }
    }
    guard isDone else { throw OutOfMemory() }
    return result
  }

  /// The first bytes of what a zlib stream holds; fewer than `count` when it ends or breaks before.
  ///
  /// The corresponding C functions are `inflateInit`, `inflate` and `inflateEnd`.
  package static func beginning(
    of compressed: borrowing Span<UInt8>, count: Int
  ) throws(OutOfMemory) -> [UInt8] {
    var stream = unsafe z_stream()
    guard
      unsafe inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw OutOfMemory() }
    defer { _ = unsafe inflateEnd(&stream) }
    // The pointers are used only during the call; zlib keeps to the counts beside them, and does not
    // write to its input.
    return unsafe compressed.withUnsafeBufferPointer { source in
      unsafe [UInt8](unsafeUninitializedCapacity: count) { target, used in
        unsafe stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        unsafe stream.avail_in = uInt(clamping: source.count)
        unsafe stream.next_out = target.baseAddress
        unsafe stream.avail_out = uInt(clamping: target.count)
        _ = unsafe inflate(&stream, Z_SYNC_FLUSH)
        used = unsafe target.count - Int(stream.avail_out)
      }
    }
  }

  /// The checksum of PNG chunks and gzip files.
  ///
  /// The corresponding C function is `crc32_z`.
  package static func checksum(of bytes: borrowing Span<UInt8>) -> Int {
    // zlib reads no more bytes than the count beside the pointer says.
    unsafe bytes.withUnsafeBufferPointer { buffer in
      Int(unsafe crc32_z(0, buffer.baseAddress, buffer.count))
    }
  }

  /// Of the library that is loaded, which decides the bytes.
  ///
  /// The corresponding C function is `zlibVersion`.
  package static var version: String {
    unsafe String(cString: zlibVersion())
  }
}
