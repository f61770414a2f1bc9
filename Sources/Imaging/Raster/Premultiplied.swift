import CVectors

/// Two adjacent premultiplied pixels; each lane packs one channel of both, 16 bits each.
typealias PixelPair = SIMD4<UInt32>

extension PixelPair {
  static let fraction = 7

  /// Returns the weighted sum of both pixels; the lower half of `weights` is for the first pixel.
  @inline(__always)
  func weighed(by weights: UInt32) -> SIMD4<Int32> {
    vectors_pair_sums(self, PixelPair(repeating: weights))
  }

  /// Returns two sums over both pixels: colour times alpha in x, y and z, and alpha in w.
  @inline(__always)
  static func weighedByAlpha(_ pixels: UInt64) -> SIMD4<Int32> {
    let pair = vectors_pair(pixels)
    var weights = PixelPair(repeating: pair.w)
    weights.w = 0x0001_0001
    return vectors_pair_sums(pair, weights)
  }

  /// Premultiplies two pixels, the first of which is in the lower half of `pixels`.
  @inline(__always)
  fileprivate init(_ pixels: UInt64) {
    let numbers = vectors_pair(pixels)
    if pixels & 0xFF00_0000_FF00_0000 == 0xFF00_0000_FF00_0000 {
      self = numbers &<< UInt32(Self.fraction)
    } else {
      let low = numbers & PixelPair(repeating: 0xFFFF)
      self = Self.premultiplied(low) | Self.premultiplied(numbers &>> 16) &<< 16
    }
  }

  @inline(__always)
  private static func premultiplied(_ pixel: PixelPair) -> PixelPair {
    var factors = PixelPair(repeating: pixel.w)
    factors.w = 255
    // 32,897 / 65,536 is close enough to 128 / 255; for opaque pixels, the result is exact.
    return (pixel &* factors &* 32_897 &+ 32_768) &>> 16
  }
}

extension [PixelPair] {
  /// Premultiplies straight RGBA pixels and stores them in pairs; the last may be unpaired.
  mutating func fill(from row: Span<UInt8>) {
    let bytes = unsafe row.bytes
    var pairs = mutableSpan
    let whole = bytes.byteCount / 8
    for index in 0..<whole {
      // Safe: the load stays in bounds, and any bytes form valid pixels.
      let both = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index &* 8, as: UInt64.self)
      pairs[index] = PixelPair(both)
    }
    if bytes.byteCount % 8 != 0 {
      let last = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: whole * 8, as: UInt32.self)
      pairs[whole] = PixelPair(UInt64(last))
    }
  }
}

extension SIMD4<Float> {
  @inline(__always)
  init(_ pixels: Span<UInt8>, at index: Int) {
    let alpha = pixels[index &+ 3]
    let color = SIMD4(
      Float(pixels[index]), Float(pixels[index &+ 1]), Float(pixels[index &+ 2]), 255)
    self = alpha == 255 ? color : color * (Float(alpha) / 255)
  }

  /// The pixel with straight alpha; `w` can exceed 255, because resampling overshoots at edges.
  @inline(__always)
  var straightPixel: SIMD4<UInt8> {
    let alpha = w
    if alpha < 0.5 { return SIMD4<UInt8>() }
    let factor = abs(alpha - 255) < 0.5 ? 1 : 255 / alpha
    func byte(_ value: Float) -> UInt8 { UInt8(Swift.min(Swift.max(value, 0), 255) + 0.5) }
    return SIMD4<UInt8>(byte(x * factor), byte(y * factor), byte(z * factor), byte(alpha))
  }
}
