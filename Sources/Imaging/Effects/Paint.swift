/// A colour as whole numbers, and the one place where two colours are mixed by weight.
struct Paint {
  let red: Int
  let green: Int
  let blue: Int
  let alpha: Int

  init(_ color: Color) {
    red = Int(color.red)
    green = Int(color.green)
    blue = Int(color.blue)
    alpha = Int(color.alpha)
  }

  /// Makes a pixel of `kept` parts of itself and `added` parts of the paint.
  ///
  /// Parts are alphas times `scale`: with the default, 255 × 255 parts are an opaque pixel. All is
  /// whole numbers, so equal inputs are equal outputs; a channel is rounded down, which leaves a
  /// pixel of one colour as it was and gives the figures of ImageMagick's own strokes.
  func mix(
    into pixels: inout MutableSpan<UInt8>, at pixel: Int, keeping kept: Int, adding added: Int,
    scale: Int = 255
  ) {
    let total = kept &+ added
    let alpha = (total &+ scale / 2) / scale
    guard alpha > 0 else {
      for channel in 0..<4 { pixels[pixel &+ channel] = 0 }
      return
    }
    pixels[pixel] = UInt8((Int(pixels[pixel]) &* kept &+ red &* added) / total)
    pixels[pixel &+ 1] = UInt8((Int(pixels[pixel &+ 1]) &* kept &+ green &* added) / total)
    pixels[pixel &+ 2] = UInt8((Int(pixels[pixel &+ 2]) &* kept &+ blue &* added) / total)
    pixels[pixel &+ 3] = UInt8(alpha)
  }
}
