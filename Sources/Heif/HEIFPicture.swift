import CHeif
package import Foundation

/// A decoded AVIF or HEIC picture in RGB, with the file's rotation and crop applied.
@safe package struct HEIFPicture: ~Copyable {
  package let width: Int
  package let height: Int
  private let image: OpaquePointer
  private let planes: [Plane]
  private let isPremultiplied: Bool

  /// Decodes a file without extra threads; throws if the picture exceeds `side` or `pixels`.
  package init(decoding file: Data, isGray: Bool, side: Int, pixels: Int) throws(HEIFError) {
    try HEIFRuntime.start()
    let decoded = unsafe file.withUnsafeBytes { buffer in
      unsafe Result { () throws(HEIFError) in
        unsafe try Self.decode(buffer, isGray: isGray, side: Int32(side), pixels: Int32(pixels))
      }
    }
    let image = unsafe try decoded.get()
    let isGray = unsafe heif_image_get_colorspace(image) == heif_colorspace_monochrome
    let colors =
      isGray
      ? [heif_channel_Y, heif_channel_Y, heif_channel_Y]
      : [heif_channel_R, heif_channel_G, heif_channel_B]
    let isLimited = unsafe isGray && Self.isLimited(image)
    var planes: [Plane] = []
    for channel in colors + [heif_channel_Alpha]
    where unsafe heif_image_has_channel(image, channel) != 0 {
      unsafe planes.append(
        Plane(channel, of: image, isLimited: isLimited && channel != heif_channel_Alpha))
    }
    do throws(HEIFError) {
      try Self.check(planes)
    } catch {
      unsafe heif_image_release(image)
      throw error
    }
    unsafe self.image = unsafe image
    self.planes = planes
    isPremultiplied = unsafe heif_image_is_premultiplied_alpha(image) != 0
    (width, height) = (planes[0].width, planes[0].height)
  }

  /// Returns whether black is 16 and white is 235; the container's range overrides the codec's.
  private static func isLimited(_ image: OpaquePointer) -> Bool {
    var colors: UnsafeMutablePointer<heif_color_profile_nclx>?
    _ = unsafe heif_image_get_nclx_color_profile(image, &colors)
    defer { unsafe heif_nclx_color_profile_free(colors) }
    return unsafe colors?.pointee.full_range_flag == 0
  }

  private static func check(_ planes: [Plane]) throws(HEIFError) {
    guard planes.count >= 3, planes.allSatisfy(\.isUsable) else {
      throw HEIFError("libheif: the decoded picture is incomplete")
    }
    // libheif 1.15 does not check that all planes have the same size.
    guard
      planes.allSatisfy({ $0.width == planes[0].width && $0.height == planes[0].height })
    else { throw HEIFError("the alpha plane's size differs from the picture's") }
  }

  deinit { unsafe heif_image_release(image) }

  private static func decode(
    _ file: UnsafeRawBufferPointer, isGray: Bool, side: Int32, pixels: Int32
  ) throws(HEIFError) -> OpaquePointer {
    guard let context = unsafe heif_context_alloc() else { throw .outOfMemory }
    // The image remains valid after the context and the file are freed.
    defer { unsafe heif_context_free(context) }
    unsafe sitegen_heif_limit(context, side, pixels)
    unsafe heif_context_set_max_decoding_threads(context, 0)
    unsafe try HEIFError.check(
      heif_context_read_from_memory_without_copy(context, file.baseAddress, file.count, nil))
    var handle: OpaquePointer?
    unsafe try HEIFError.check(heif_context_get_primary_image_handle(context, &handle))
    defer { unsafe heif_image_handle_release(handle) }
    var image: OpaquePointer?
    // Decode grey as monochrome: libheif ignores the range when it converts grey to RGB. Decoding
    // as monochrome fails if the picture has colours despite its header.
    if isGray {
      _ = unsafe heif_decode_image(
        handle, &image, heif_colorspace_monochrome, sitegen_heif_gray, nil)
    }
    if unsafe image == nil {
      unsafe try HEIFError.check(
        heif_decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_444, nil))
    }
    guard let image = unsafe image else { throw HEIFError("libheif: no pixels") }
    return unsafe image
  }

  package var hasAlpha: Bool { planes.count == 4 }

  /// Returns part of the picture as rows of 8-bit RGBA pixels with straight alpha.
  package borrowing func rgba(columns: Range<Int>, rows: Range<Int>) -> [UInt8] {
    var bytes = [UInt8](repeating: 255, count: columns.count * rows.count * 4)
    for (channel, plane) in planes.enumerated() {
      plane.copy(columns: columns, rows: rows, into: &bytes, channel: channel)
    }
    if isPremultiplied, hasAlpha { divide(&bytes, columns: columns, rows: rows) }
    return bytes
  }

  /// Converts premultiplied colours to straight colours before rounding to 8 bits.
  private borrowing func divide(_ bytes: inout [UInt8], columns: Range<Int>, rows: Range<Int>) {
    for (channel, plane) in planes.prefix(3).enumerated() {
      var at = channel
      for row in rows {
        for column in columns {
          let alpha = planes[3].value(column, row)
          if alpha > 0 {
            let whole = plane.value(column, row) &* planes[3].most &* 255
            let divisor = plane.most &* alpha
            bytes[at] = UInt8(min((whole &+ divisor / 2) / divisor, 255))
          }
          at &+= 4
        }
      }
    }
  }
}

/// A colour or alpha plane of a decoded picture; valid only while the picture exists.
@safe private struct Plane {
  let width: Int
  let height: Int
  /// The sample value of white minus that of black.
  let most: Int
  private let black: Int
  private let samples: UnsafeBufferPointer<UInt8>
  private let stride: Int
  /// The size of a sample: 1, or 2 for little-endian 16-bit numbers.
  private let bytesPerSample: Int
  private let levels: [UInt8]

  init(_ channel: heif_channel, of image: OpaquePointer, isLimited: Bool) {
    width = Int(unsafe heif_image_get_width(image, channel))
    height = Int(unsafe heif_image_get_height(image, channel))
    let bits = Int(unsafe heif_image_get_bits_per_pixel_range(image, channel))
    let values = (8...16).contains(bits) ? 1 << bits : 1
    black = isLimited ? 16 * values / 256 : 0
    most = isLimited ? 219 * values / 256 : values - 1
    bytesPerSample = bits > 8 ? 2 : 1
    levels = (0..<values).map { [black, most] in
      UInt8((min(max($0 - black, 0), most) * 255 + most / 2) / max(most, 1))
    }
    var step: Int32 = 0
    let start = unsafe heif_image_get_plane_readonly(image, channel, &step)
    stride = Int(step)
    // The last row may be shorter than the stride.
    let count = max(0, stride * (height - 1) + width * bytesPerSample)
    unsafe samples = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  var isUsable: Bool {
    unsafe !samples.isEmpty && most > 0 && stride >= width * bytesPerSample
  }

  /// Returns a sample, from 0 for black to `most` for white.
  func value(_ column: Int, _ row: Int) -> Int {
    let at = row &* stride &+ column &* bytesPerSample
    let samples = unsafe samples.span
    let stored = Int(samples[at]) | (bytesPerSample == 1 ? 0 : Int(samples[at &+ 1]) << 8)
    return min(max(stored - black, 0), most)
  }

  func copy(columns: Range<Int>, rows: Range<Int>, into bytes: inout [UInt8], channel: Int) {
    var pixels = bytes.mutableSpan
    let samples = unsafe samples.span
    let levels = levels.span
    var at = channel
    for row in rows {
      if bytesPerSample == 1 {
        for from in (row &* stride &+ columns.lowerBound)..<(row &* stride &+ columns.upperBound) {
          pixels[at] = levels[Int(samples[from])]
          at &+= 4
        }
      } else {
        for column in columns {
          let from = row &* stride &+ column &* 2
          pixels[at] =
            levels[min(Int(samples[from]) | Int(samples[from &+ 1]) << 8, levels.count - 1)]
          at &+= 4
        }
      }
    }
  }
}
