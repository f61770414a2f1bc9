import Foundation
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
    var sum = ColorSum()
    sum.add(Paint(pixels.span, at: pixel), parts: kept)
    sum.add(self, parts: added)
    sum.blend(into: &pixels, at: pixel, scale: scale)
  }
}

/// The only place that mixes colours, by weight.
///
/// Parts are alphas times a scale: with the default, 255 × 255 parts are an opaque pixel. A channel is
/// rounded down, which keeps a pixel of one colour and equals ImageMagick's own strokes.
struct ColorSum {
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

  func blend(into pixels: inout MutableSpan<UInt8>, at pixel: Int, scale: Int = 255) {
    // Only rings that overlap exceed 255.
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

/// The paint that a fill over an area gives each pixel of a canvas.
///
/// The colours of a gradient are computed once, in steps finer than a picture shows.
struct FillPainter {
  private enum Gradient {
    case solid
    /// The position at a pixel's middle is start + x · across + y · down.
    case linear(start: Double, across: Double, down: Double)
    /// Around a centre, beginning `turns` after the top.
    case conic(x: Double, y: Double, turns: Double)
  }

  /// Steps of the whole gradient at least, and between two colours.
  private static let steps = (least: 1024, between: 256)

  private let paints: [Paint]
  private let gradient: Gradient

  init(_ fill: Fill, over area: Window) {
    let x = area.x + area.width / 2
    let y = area.y + area.height / 2
    switch fill {
    case .solid(let color):
      gradient = .solid
      paints = [Paint(color)]
      return
    case .linear(_, let degrees):
      let (sine, cosine) = Self.direction(degrees)
      let length = max(abs(area.width * sine) + abs(area.height * cosine), .leastNormalMagnitude)
      let across = sine / length
      let down = -cosine / length
      gradient = .linear(
        start: 0.5 + (0.5 - x) * across + (0.5 - y) * down, across: across, down: down)
    case .conic(_, let degrees):
      gradient = .conic(x: x - 0.5, y: y - 0.5, turns: degrees / 360)
    }
    let last = max(Self.steps.least, (fill.colors.count - 1) * Self.steps.between)
    paints = (0...last).map { Paint(fill.color(at: Double($0) / Double(last))) }
  }

  /// The paint at the middle of a pixel.
  func paint(_ x: Int, _ y: Int) -> Paint {
    let position: Double
    switch gradient {
    case .solid:
      return paints[0]
    case .linear(let start, let across, let down):
      position = start + Double(x) * across + Double(y) * down
    case .conic(let centerX, let centerY, let start):
      let turns = atan2(Double(x) - centerX, centerY - Double(y)) / (2 * .pi) - start
      position = turns - turns.rounded(.down)
    }
    return paints[Int(min(max(position, 0), 1) * Double(paints.count - 1) + 0.5)]
  }

  /// Sine and cosine, exact for right angles: rows of a gradient that runs down are of one colour.
  private static func direction(_ degrees: Double) -> (sine: Double, cosine: Double) {
    switch degrees.truncatingRemainder(dividingBy: 360) {
    case 0: (0, 1)
    case 90, -270: (1, 0)
    case 180, -180: (0, -1)
    case 270, -90: (-1, 0)
    default: (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    }
  }
}

/// The luma of a colour, rounded; a grey is its own luma.
func luma(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
  let sum = Int(red) &* 2126 &+ Int(green) &* 7152 &+ Int(blue) &* 722
  return UInt8(truncatingIfNeeded: (sum &+ 5_000) / 10_000)
}
