import CZlib

/// Parts of compressed bytes, which libdeflate cannot read.
package enum Zlib {
  /// There was no memory for it.
  package struct OutOfMemory: Error {}

  /// The first bytes of what a zlib stream holds; fewer than `count` when it ends or breaks before.
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
}
