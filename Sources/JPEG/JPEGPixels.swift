import CTurboJPEG
package import Foundation

/// A decoder for intact JPEGs, based on libjpeg-turbo; ImageMagick decodes all others.
package enum JPEGPixels {
  /// Decodes a file to opaque 8-bit RGBA, with its width and height divided by `reduction`.
  ///
  /// Returns nil for damaged files, and for files with a colour profile or CMYK colours.
  package static func rgba(_ file: Data, width: Int, height: Int, reduction: Int) -> [UInt8]? {
    // Do not scale small pictures: several of libjpeg-turbo's scales may produce the same size.
    guard reduction == 1 || min(width, height) >= 64, !hasProfile(file),
      let handle = unsafe tjInitDecompress()
    else { return nil }
    defer { unsafe tjDestroy(handle) }
    return unsafe file.withUnsafeBytes { buffer -> [UInt8]? in
      let start = unsafe buffer.bindMemory(to: UInt8.self).baseAddress
      let length = UInt(buffer.count)
      var (wide, high, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
      guard
        unsafe tjDecompressHeader3(handle, start, length, &wide, &high, &sampling, &colors) == 0,
        (Int(wide), Int(high)) == (width, height),
        [TJCS_RGB, TJCS_YCbCr, TJCS_GRAY].contains(where: { Int32($0.rawValue) == colors })
      else { return nil }
      wide = (wide + Int32(reduction) - 1) / Int32(reduction)
      high = (high + Int32(reduction) - 1) / Int32(reduction)
      var isDone = false
      let count = Int(wide) * Int(high) * 4
      // libjpeg-turbo either fills all `count` bytes of the buffer or fails.
      let pixels = unsafe [UInt8](unsafeUninitializedCapacity: count) { pixels, initialized in
        isDone =
          unsafe tjDecompress2(
            handle, start, length, pixels.baseAddress, wide, wide * 4, high,
            Int32(TJPF_RGBA.rawValue), TJFLAG_STOPONWARNING) == 0
        initialized = isDone ? count : 0
      }
      return isDone ? pixels : nil
    }
  }

  /// Measures the usable data of a truncated JPEG; returns nil if libjpeg cannot read the file.
  package static func extent(of file: Data) -> (rows: Int, refined: Int, isComplete: Bool)? {
    var extent = sitegen_jpeg_extent()
    let isRead = unsafe file.withUnsafeBytes { buffer in
      unsafe sitegen_jpeg_measure(
        buffer.bindMemory(to: UInt8.self).baseAddress, UInt(buffer.count), &extent) != 0
    }
    return isRead ? (Int(extent.rows), Int(extent.refined), extent.complete != 0) : nil
  }

  private static func hasProfile(_ file: Data) -> Bool {
    unsafe file.withUnsafeBytes { bytes in
      let words = "ICC_PROFILE"
      guard let start = bytes.baseAddress else { return false }
      return unsafe memmem(start, bytes.count, words, words.utf8.count) != nil
    }
  }
}
