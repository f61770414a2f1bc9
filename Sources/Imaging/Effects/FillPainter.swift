import Foundation
import Recipes

/// A fill laid over an area: which paint each pixel of a canvas gets.
///
/// The colours of a gradient are computed once, in steps that are finer than any picture shows.
struct FillPainter {
  private enum Course {
    case solid
    /// The way at a pixel's middle is start + x · across + y · down.
    case linear(start: Double, across: Double, down: Double)
    /// Around a centre, from so many turns after the top.
    case conic(x: Double, y: Double, turns: Double)
  }

  /// Of the whole way, and of that between two neighbours.
  private static let steps = (least: 1024, between: 256)

  private let paints: [Paint]
  private let course: Course

  init(_ fill: Fill, over area: Window) {
    let x = area.x + area.width / 2
    let y = area.y + area.height / 2
    switch fill {
    case .solid(let color):
      course = .solid
      paints = [Paint(color)]
      return
    case .linear(_, let degrees):
      let (sine, cosine) = Self.direction(degrees)
      let length = max(abs(area.width * sine) + abs(area.height * cosine), .leastNormalMagnitude)
      let across = sine / length
      let down = -cosine / length
      course = .linear(
        start: 0.5 + (0.5 - x) * across + (0.5 - y) * down, across: across, down: down)
    case .conic(_, let degrees):
      course = .conic(x: x - 0.5, y: y - 0.5, turns: degrees / 360)
    }
    let last = max(Self.steps.least, (fill.colors.count - 1) * Self.steps.between)
    paints = (0...last).map { Paint(fill.color(at: Double($0) / Double(last))) }
  }

  /// The paint of the pixel with these coordinates, seen at its middle.
  func paint(_ x: Int, _ y: Int) -> Paint {
    let way: Double
    switch course {
    case .solid:
      return paints[0]
    case .linear(let start, let across, let down):
      way = start + Double(x) * across + Double(y) * down
    case .conic(let centerX, let centerY, let start):
      let turns = atan2(Double(x) - centerX, centerY - Double(y)) / (2 * .pi) - start
      way = turns - turns.rounded(.down)
    }
    return paints[Int(min(max(way, 0), 1) * Double(paints.count - 1) + 0.5)]
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
