import Recipes

/// A colour as whole numbers.
struct Paint: Hashable {
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

  init(_ pixels: Span<UInt8>, at pixel: Int) {
    red = Int(pixels[pixel])
    green = Int(pixels[pixel &+ 1])
    blue = Int(pixels[pixel &+ 2])
    alpha = Int(pixels[pixel &+ 3])
  }

  /// Makes a pixel of `kept` parts of itself and `added` parts of the paint.
  func mix(
    into pixels: inout MutableSpan<UInt8>, at pixel: Int, keeping kept: Int, adding added: Int,
    scale: Int = 255
  ) {
    var mixture = Mixture()
    mixture.add(Paint(pixels.span, at: pixel), parts: kept)
    mixture.add(self, parts: added)
    mixture.pour(into: &pixels, at: pixel, scale: scale)
  }
}

/// The one place where colours are mixed by weight.
///
/// Parts are alphas times a scale: with the default, 255 × 255 parts are an opaque pixel. All is
/// whole numbers, so equal inputs are equal outputs; a channel is rounded down, which leaves a
/// pixel of one colour as it was and gives the figures of ImageMagick's own strokes.
struct Mixture {
  private var red = 0
  private var green = 0
  private var blue = 0
  private var parts = 0

  init() {}

  mutating func add(_ paint: Paint, parts added: Int) {
    red &+= paint.red &* added
    green &+= paint.green &* added
    blue &+= paint.blue &* added
    parts &+= added
  }

  func pour(into pixels: inout MutableSpan<UInt8>, at pixel: Int, scale: Int = 255) {
    // More than all of a pixel is asked for only by rings that overlap after all.
    let alpha = min((parts &+ scale / 2) / scale, 255)
    guard alpha > 0 else {
      for channel in 0..<4 { pixels[pixel &+ channel] = 0 }
      return
    }
    pixels[pixel] = UInt8(red / parts)
    pixels[pixel &+ 1] = UInt8(green / parts)
    pixels[pixel &+ 2] = UInt8(blue / parts)
    pixels[pixel &+ 3] = UInt8(alpha)
  }
}
