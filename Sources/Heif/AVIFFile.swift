import CHeif
package import Foundation

/// An AVIF encoder based on libaom; decision 24 explains the settings.
package enum AVIFFile {
  /// Encodes rows of 8-bit RGBA pixels with straight alpha; the alpha is encoded losslessly.
  package static func data(
    rgba: Span<UInt8>, width: Int, height: Int, quality: Int, isOpaque: Bool
  ) throws(HEIFError) -> Data {
    precondition(rgba.count == width * height * 4, "expected four bytes per pixel")
    try HEIFRuntime.start()
    guard let context = unsafe heif_context_alloc() else { throw .outOfMemory }
    defer { unsafe heif_context_free(context) }
    let encoder = unsafe try encoder(of: context, quality: quality)
    defer { unsafe heif_encoder_release(encoder) }
    var image: OpaquePointer?
    unsafe try HEIFError.check(
      heif_image_create(
        Int32(width), Int32(height), heif_colorspace_RGB,
        isOpaque ? heif_chroma_interleaved_RGB : heif_chroma_interleaved_RGBA, &image))
    defer { unsafe heif_image_release(image) }
    unsafe try HEIFError.check(
      heif_image_add_plane(image, heif_channel_interleaved, Int32(width), Int32(height), 8))
    var stride: Int32 = 0
    guard let start = unsafe heif_image_get_plane(image, heif_channel_interleaved, &stride)
    else { throw .outOfMemory }
    let plane = unsafe UnsafeMutableBufferPointer(start: start, count: Int(stride) * height)
    unsafe copy(rgba, into: plane, width: width, stride: Int(stride), channels: isOpaque ? 3 : 4)
    guard let colors = unsafe heif_nclx_color_profile_alloc() else { throw .outOfMemory }
    defer { unsafe heif_nclx_color_profile_free(colors) }
    // Without a profile, viewers would have to guess the colour space.
    unsafe colors.pointee.color_primaries = heif_color_primaries_ITU_R_BT_709_5
    unsafe colors.pointee.transfer_characteristics = heif_transfer_characteristic_IEC_61966_2_1
    unsafe try HEIFError.check(heif_image_set_nclx_color_profile(image, colors))
    unsafe try HEIFError.check(heif_context_encode_image(context, image, encoder, nil, nil))
    var bytes: UnsafeMutableRawPointer?
    var count = 0
    unsafe try HEIFError.check(sitegen_heif_write(context, &bytes, &count))
    guard let bytes = unsafe bytes else { throw .outOfMemory }
    return unsafe Data(bytesNoCopy: bytes, count: count, deallocator: .free)
  }

  /// Selects libaom by name, because other encoders would produce different bytes.
  private static func encoder(
    of context: OpaquePointer, quality: Int
  ) throws(HEIFError) -> OpaquePointer? {
    guard let descriptor = unsafe HEIFRuntime.encoder() else {
      throw HEIFError("libheif: the AVIF encoder, libaom, is not installed")
    }
    var encoder: OpaquePointer?
    unsafe try HEIFError.check(heif_context_get_encoder(context, descriptor, &encoder))
    do throws(HEIFError) {
      unsafe try HEIFError.check(heif_encoder_set_lossy_quality(encoder, Int32(quality)))
      for (name, value): (String, Int32) in [("speed", 8), ("threads", 1)] {
        unsafe try HEIFError.check(heif_encoder_set_parameter_integer(encoder, name, value))
      }
      unsafe try HEIFError.check(heif_encoder_set_parameter_boolean(encoder, "lossless-alpha", 1))
      unsafe try HEIFError.check(heif_encoder_set_parameter_string(encoder, "chroma", "444"))
    } catch {
      unsafe heif_encoder_release(encoder)
      throw error
    }
    return unsafe encoder
  }

  /// Copies pixels, and replaces invisible colours with the nearest visible colour in the same row,
  /// because hidden edges would take up bytes and affect visible pixels.
  private static func copy(
    _ rgba: Span<UInt8>, into plane: UnsafeMutableBufferPointer<UInt8>, width: Int, stride: Int,
    channels: Int
  ) {
    var plane = unsafe plane.mutableSpan
    for row in 0..<(rgba.count / (width * 4)) {
      let from = row &* width &* 4
      let to = row &* stride
      // The nearest visible pixels to the left and right; -1 if there are none.
      var left = -1
      var right = -1
      for column in 0..<width {
        let isVisible = rgba[from &+ column &* 4 &+ 3] > 0
        if isVisible {
          left = column
        } else if right <= column {
          right = column &+ 1
          while right < width, rgba[from &+ right &* 4 &+ 3] == 0 { right &+= 1 }
        }
        let nearest =
          isVisible || left >= 0 && (right >= width || column &- left <= right &- column)
          ? left : right
        for channel in 0..<3 {
          plane[to &+ column &* channels &+ channel] =
            nearest < width
            ? rgba[from &+ nearest &* 4 &+ channel]
            : row > 0 ? plane[to &- stride &+ column &* channels &+ channel] : 0
        }
        if channels == 4 { plane[to &+ column &* 4 &+ 3] = rgba[from &+ column &* 4 &+ 3] }
      }
    }
  }
}
