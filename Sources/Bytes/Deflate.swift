import CDeflate
import CZlib

package enum Deflate {
  package struct OutOfMemory: Error {}

  /// Compresses to a zlib stream; `level` is 1 to 12, as in libdeflate.
  package static func compressed(_ bytes: [UInt8], level: Int) throws(OutOfMemory) -> [UInt8] {
    guard let compressor = unsafe libdeflate_alloc_compressor(Int32(level)) else {
      throw OutOfMemory()
    }
    defer { unsafe libdeflate_free_compressor(compressor) }
    let room = unsafe libdeflate_zlib_compress_bound(compressor, bytes.count)
    let result = unsafe bytes.withUnsafeBufferPointer { source in
      unsafe [UInt8](unsafeUninitializedCapacity: room) { target, used in
        used = unsafe libdeflate_zlib_compress(
          compressor, source.baseAddress, source.count, target.baseAddress, target.count)
      }
    }
    precondition(!result.isEmpty, "libdeflate's size bound is too small")
    return result
  }

  package static func crc32(of bytes: borrowing Span<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe libdeflate_crc32(0, buffer.baseAddress, buffer.count)
    }
  }

  package static func adler32(of bytes: borrowing Span<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe libdeflate_adler32(1, buffer.baseAddress, buffer.count)
    }
  }

  /// libdeflate's version, and a checksum of its output for sample data.
  package static let version: String = {
    var value: UInt32 = 1
    let sample = (0..<4_096).map { index in
      value = value &* 1_664_525 &+ 1_013_904_223
      return index % 64 < 32 ? UInt8(value >> 27) : UInt8(index / 64)
    }
    let streams = [6, 9, 12].compactMap { try? compressed(sample, level: $0) }
    let sum = crc32(of: streams.flatMap(\.self).span)
    return "libdeflate \(LIBDEFLATE_VERSION_STRING) \(String(sum, radix: 16))"
  }()
}

/// Partial decompression with zlib, because libdeflate can only decompress whole streams.
package enum Zlib {
  /// Decompresses the first `count` bytes, or fewer if the stream ends or is damaged.
  package static func beginning(
    of compressed: borrowing Span<UInt8>, count: Int
  ) throws(Deflate.OutOfMemory) -> [UInt8] {
    var stream = unsafe z_stream()
    guard
      unsafe inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw Deflate.OutOfMemory() }
    defer { _ = unsafe inflateEnd(&stream) }
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
