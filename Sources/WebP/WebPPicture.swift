import CWebP
package import Foundation

package struct WebPError: Error, Hashable, Sendable {
  package let message: String
}

/// The pixels of a lossy file: luma, subsampled chroma, and alpha unless the picture is opaque.
@safe package struct WebPPicture: ~Copyable {
  private var picture: CWebP.WebPPicture
  private let isFine: Bool

  /// Imports RGBA pixels; `isFine` preserves the colours of small pictures better (decision 33).
  package init(rgba: Span<UInt8>, width: Int, height: Int, isFine: Bool) throws(WebPError) {
    let isSharp = isFine && max(width, height) <= 96
    unsafe picture = try Self.imported(
      rgba, width: width, height: height, isARGB: isSharp, isSharp: isSharp)
    self.isFine = isFine
  }

  deinit {
    var picture = unsafe picture
    unsafe WebPPictureFree(&picture)
  }

  /// The alpha of each pixel; nil if the picture is opaque.
  package var alpha: [UInt8]? {
    guard let start = unsafe picture.a else { return nil }
    let (width, height) = unsafe (Int(picture.width), Int(picture.height))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height)
    for row in 0..<height {
      unsafe bytes.append(
        contentsOf: UnsafeBufferPointer(
          start: start + row * Int(picture.a_stride), count: width))
    }
    return bytes
  }

  /// Removes the alpha, and gives invisible pixels colours that compress well.
  package mutating func dropAlpha() {
    unsafe WebPCleanupTransparentArea(&picture)
    unsafe picture.a = nil
    unsafe picture.a_stride = 0
    unsafe picture.colorspace = WEBP_YUV420
  }

  /// Encodes a lossy file; decisions 1 and 33 explain the settings.
  package mutating func encoded(quality: Int?) throws(WebPError) -> Data {
    var settings = try Self.settings(quality)
    settings.method = 2
    settings.sns_strength = 0
    if !isFine { settings.segments = 1 }
    settings.alpha_filtering = 0
    return unsafe try Self.write(&picture, settings)
  }

  package static func lossless(
    rgba: Span<UInt8>, width: Int, height: Int
  ) throws(WebPError) -> Data {
    var settings = try Self.settings(100)
    settings.lossless = 1
    settings.method = 1
    var picture = unsafe try imported(rgba, width: width, height: height, isARGB: true)
    defer { unsafe WebPPictureFree(&picture) }
    return unsafe try write(&picture, settings)
  }

  private static func settings(_ quality: Int?) throws(WebPError) -> WebPConfig {
    var settings = WebPConfig()
    guard unsafe WebPConfigInit(&settings) != 0 else {
      throw WebPError(message: "libwebp is incompatible with the version used to build sitegen")
    }
    if let quality { settings.quality = Float(quality) }
    return settings
  }

  private static func imported(
    _ rgba: Span<UInt8>, width: Int, height: Int, isARGB: Bool, isSharp: Bool = false
  ) throws(WebPError) -> CWebP.WebPPicture {
    precondition(rgba.count == width * height * 4, "expected four bytes per pixel")
    var picture = unsafe CWebP.WebPPicture()
    guard unsafe WebPPictureInit(&picture) != 0 else {
      throw WebPError(message: "libwebp is incompatible with the version used to build sitegen")
    }
    unsafe (picture.width, picture.height) = (Int32(width), Int32(height))
    unsafe picture.use_argb = isARGB ? 1 : 0
    let done = unsafe rgba.withUnsafeBufferPointer { bytes in
      unsafe WebPPictureImportRGBA(&picture, bytes.baseAddress, Int32(width * 4))
    }
    guard done != 0, unsafe !isSharp || WebPPictureSharpARGBToYUVA(&picture) != 0 else {
      throw unsafe failure(&picture)
    }
    return unsafe picture
  }

  private static func write(
    _ picture: inout CWebP.WebPPicture, _ settings: WebPConfig
  ) throws(WebPError) -> Data {
    var settings = settings
    var file = unsafe WebPMemoryWriter()
    unsafe WebPMemoryWriterInit(&file)
    errno = 0
    let done = unsafe withUnsafeMutablePointer(to: &file) { file in
      unsafe picture.writer = WebPMemoryWrite
      unsafe picture.custom_ptr = UnsafeMutableRawPointer(file)
      defer { unsafe picture.custom_ptr = nil }
      if settings.segments == 1, settings.lossless == 0 {
        // With one segment, libwebp mistakes its finished statistics for cancelled ones and ignores
        // them. Cancelling the statistics early yields the same bytes in two thirds of the time.
        unsafe picture.progress_hook = { percent, picture in
          guard percent > 20, let picture = unsafe picture else { return 1 }
          unsafe UnsafeMutablePointer(mutating: picture).pointee.progress_hook = nil
          return 0
        }
        let done = unsafe WebPEncode(&settings, &picture)
        unsafe picture.progress_hook = nil
        guard done == 0, unsafe picture.error_code == VP8_ENC_ERROR_USER_ABORT else { return done }
        // If the picture has only one block, the hook cancels the actual encoding, so encode again.
        unsafe WebPMemoryWriterClear(file)
      }
      return unsafe WebPEncode(&settings, &picture)
    }
    // If memory runs out, libwebp 1.2 may return a broken file. ENOMEM alone is not proof, because
    // malloc may set it and then find memory elsewhere.
    guard done != 0, let start = unsafe file.mem,
      unsafe errno != ENOMEM || isComplete(start, count: file.size, picture)
    else {
      unsafe WebPMemoryWriterClear(&file)
      throw unsafe failure(&picture)
    }
    return unsafe Data(
      bytesNoCopy: start, count: file.size,
      deallocator: .custom { start, _ in unsafe WebPFree(start) })
  }

  /// Decodes a file to check its alpha and, if the file is lossless, its visible colours.
  private static func isComplete(
    _ file: UnsafeMutablePointer<UInt8>, count: Int, _ picture: CWebP.WebPPicture
  ) -> Bool {
    var (width, height): (Int32, Int32) = (0, 0)
    guard let pixels = unsafe WebPDecodeBGRA(file, count, &width, &height) else { return false }
    defer { unsafe WebPFree(pixels) }
    guard unsafe width == picture.width, unsafe height == picture.height else { return false }
    return (0..<Int(width * height)).allSatisfy { index in
      let (row, column) = index.quotientAndRemainder(dividingBy: Int(width))
      let pixel = unsafe UnsafeRawPointer(pixels).loadUnaligned(
        fromByteOffset: index * 4, as: UInt32.self)
      if unsafe picture.use_argb == 0 {
        let alpha = unsafe picture.a.map { unsafe $0[row * Int(picture.a_stride) + column] }
        return alpha.map { UInt32($0) == pixel >> 24 } ?? true
      }
      let wanted = unsafe picture.argb[row * Int(picture.argb_stride) + column]
      return pixel == wanted || pixel >> 24 == 0 && wanted >> 24 == 0
    }
  }

  private static func failure(_ picture: inout CWebP.WebPPicture) -> WebPError {
    let words =
      switch unsafe picture.error_code {
      // Writing fails only if memory runs out; libwebp may then report the wrong error or none.
      case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY,
        VP8_ENC_ERROR_BAD_WRITE, VP8_ENC_OK:
        "out of memory"
      case VP8_ENC_ERROR_BAD_DIMENSION: "a side is longer than 16,383 pixels"
      case let code: "error \(code.rawValue)"
      }
    unsafe WebPPictureFree(&picture)
    return WebPError(message: "libwebp: \(words)")
  }
}
