import Foundation
import Recipes

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

/// A weighted sum of colours.
///
/// The weight of a colour is its alpha times a scale: with the default scale, an opaque pixel has
/// a weight of 255 × 255. Channels are rounded down, which preserves uniform colours and matches
/// ImageMagick's strokes.
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
    // Clamp the alpha, which would exceed 255 if a recipe's rings overlapped.
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

/// The colour of a fill at each pixel; gradients are computed in steps too fine to see.
struct FillPainter {
  private enum Gradient {
    case solid
    /// The position at a pixel's centre is start + x · across + y · down.
    case linear(start: Double, across: Double, down: Double)
    /// A gradient around the centre (x, y) that starts at `turns`, clockwise from the top.
    case conic(x: Double, y: Double, turns: Double)
  }

  /// The minimum number of steps in a gradient, and the number of steps between two colours.
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

  /// Returns exact values for right angles, so that the rows of a vertical gradient are uniform.
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

/// Returns the rounded BT.709 luma, which leaves greys unchanged.
func luma(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
  let sum = Int(red) &* 2126 &+ Int(green) &* 7152 &+ Int(blue) &* 722
  return UInt8(truncatingIfNeeded: (sum &+ 5_000) / 10_000)
}
