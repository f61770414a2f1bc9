import Foundation
import Imaging
import Recipes
import Testing

/// Every shape with every way to draw rings, at every scale, against points in the shape.
struct RingOracleTests {
  enum Shape: String, CaseIterable, CustomTestStringConvertible {
    case circle, rounded, quarter, continuous, square, capsule, corners

    var testDescription: String { rawValue }

    /// In pixels.
    func layout(_ scale: Int, room: Int) -> CanvasLayout {
      let side = (self == .continuous ? 24 : 32) * scale
      let box = PixelSize(width: side, height: self == .capsule ? side * 3 / 4 : side)
      let points = Double(scale)
      let outline =
        switch self {
        case .circle, .capsule: Outline.circle(in: box)
        case .rounded: Outline(radius: 12 * points)
        case .quarter: Outline(radius: Double(side) / 4)
        case .continuous: Outline(continuous: 6.5 * points)
        case .square: Outline.square
        case .corners:
          Outline(topLeft: 12 * points, topRight: 0, bottomRight: 5 * points, bottomLeft: 0)
        }
      return CanvasLayout(box.width, box.height, room: room, outline: outline)
    }

    var isSymmetric: Bool { self != .corners }
  }

  enum Mode: String, CaseIterable {
    case none, over, inset, outside, insetGap, outsideGap, two

    /// Rings of 1.5 points, gaps of 1.
    func border(_ scale: Int) -> Border {
      let (width, gap) = (1.5 * Double(scale), Double(scale))
      func ring(_ from: Double, isOver: Bool = false) -> Border.Ring {
        Border.Ring(from: from, to: from + width, fill: .solid(.ruby), isOver: isOver)
      }
      return switch self {
      case .none: Border(rings: [])
      case .over: Border(rings: [ring(0, isOver: true)])
      case .inset: Border(rings: [ring(0)], cut: width)
      case .outside: Border(rings: [ring(-width)])
      case .insetGap: Border(rings: [ring(0)], cut: width + gap)
      case .outsideGap: Border(rings: [ring(-gap - width)])
      case .two: Border(rings: [ring(-gap - width), ring(0)], cut: width)
      }
    }

    var hasGap: Bool { self == .insetGap || self == .outsideGap || self == .two }
  }

  private func isRing(_ border: Border, _ depth: Double) -> Bool {
    border.rings.contains { $0.from <= depth && depth < $0.to }
  }

  @Test(arguments: Shape.allCases, [1, 2, 3])
  func `coverage is exact`(shape: Shape, scale: Int) throws {
    let layout = shape.layout(scale, room: 3 * scale)
    let oracle = DepthOracle(layout.outline, of: layout.box)
    for mode in Mode.allCases {
      let border = mode.border(scale)
      let image = try layout.rendered([.border(border)], on: .lime)
      let levels: [Double] = border.rings.flatMap { [$0.from, $0.to] } + [0, border.cut]
      var worst = (alpha: 0.0, red: 0.0)
      for y in 0..<(shape.isSymmetric ? image.height / 2 : image.height) {
        for x in 0..<(shape.isSymmetric ? image.width / 2 : image.width) {
          let depths = oracle.depths(x - layout.x, y - layout.y, levels: levels)
          let alpha = DepthOracle.coverage(depths) { $0 >= border.cut || isRing(border, $0) }
          let red = DepthOracle.coverage(depths) { isRing(border, $0) }
          let pixel = image[x, y]
          let seen = Double(pixel[0]) * Double(pixel[3]) / 255
          worst.alpha = max(worst.alpha, abs(Double(pixel[3]) - alpha))
          worst.red = max(worst.red, abs(seen - red))
        }
      }
      #expect(worst.alpha <= 5, "\(mode)")
      #expect(worst.red <= 6, "\(mode)")
      if shape.isSymmetric {
        for y in 0..<image.height {
          for x in 0..<image.width {
            #expect(image[x, y] == image[image.width - 1 - x, y])
            #expect(image[x, y] == image[x, image.height - 1 - y])
          }
        }
      }
    }
  }

  @Test(arguments: Shape.allCases, [1, 2, 3])
  func `rings are as wide as they should be along any ray, and have no seams`(
    shape: Shape, scale: Int
  ) throws {
    let layout = shape.layout(scale, room: 4 * scale)
    let oracle = DepthOracle(layout.outline, of: layout.box)
    for mode in Mode.allCases where mode != .none {
      let border = mode.border(scale)
      let outermost = border.rings.map(\.from).min() ?? 0
      let innermost = border.rings.map(\.to).max() ?? 0
      let image = try layout.rendered([.border(border)], on: .lime)
      var count = 0
      for ray in 0..<32 {
        let points = self.ray(ray, in: layout.box, oracle, to: outermost)
        if !mode.hasGap {
          // A pixel as deep as its own diagonal lies inside as a whole.
          for point in points where oracle.depth(point.x, point.y) > outermost + 1.42 {
            #expect(image.alpha(Int(point.x) + layout.x, Int(point.y) + layout.y) >= 250)
          }
        }
        let reach = innermost - outermost + 1.5
        guard let end = points.last, let normal = normal(at: end, reach, oracle) else { continue }
        count += 1
        var width = 0.0
        for step in -15...Int(reach * 10) {
          let point = end + normal * (Double(step) / 10)
          width += red(image, point.x + Double(layout.x), point.y + Double(layout.y)) / 10
        }
        let wanted = border.rings.reduce(0) { $0 + $1.to - $1.from }
        #expect(abs(width - wanted) <= 0.25, "\(mode), ray \(ray)")
      }
      #expect(count >= 12)
    }
  }

  /// Points from the middle of a box outwards, to a parallel.
  private func ray(
    _ index: Int, in box: PixelSize, _ oracle: DepthOracle, to parallel: Double
  ) -> [SIMD2<Double>] {
    let angle = (Double(index) + 0.25) / 32 * 2 * .pi
    let middle = SIMD2(Double(box.width), Double(box.height)) / 2
    var points: [SIMD2<Double>] = []
    while true {
      let point = middle + SIMD2(cos(angle), sin(angle)) * (Double(points.count) / 20)
      guard oracle.depth(point.x, point.y) > parallel else { return points }
      points.append(point)
    }
  }

  /// The direction inwards; nil beside a right angle, where there is no single one.
  private func normal(
    at point: SIMD2<Double>, _ reach: Double, _ oracle: DepthOracle
  ) -> SIMD2<Double>? {
    let slope = SIMD2(
      oracle.depth(point.x + 0.01, point.y) - oracle.depth(point.x - 0.01, point.y),
      oracle.depth(point.x, point.y + 0.01) - oracle.depth(point.x, point.y - 0.01))
    let normal = slope / (slope * slope).sum().squareRoot()
    let along = SIMD2(-normal.y, normal.x) * 2.5
    let depth = oracle.depth(point.x, point.y)
    for distance in [0, reach] {
      for place in [point + normal * distance + along, point + normal * distance - along] {
        if abs(oracle.depth(place.x, place.y) - depth - distance) > 1 { return nil }
      }
    }
    return normal
  }

  /// How red a point is, between the middles of the pixels around it.
  private func red(_ image: Pixels, _ x: Double, _ y: Double) -> Double {
    let left = Int((x - 0.5).rounded(.down))
    let top = Int((y - 0.5).rounded(.down))
    var sum = 0.0
    for (column, row) in [(left, top), (left + 1, top), (left, top + 1), (left + 1, top + 1)]
    where (0..<image.width).contains(column) && (0..<image.height).contains(row) {
      let pixel = image[column, row]
      let weight = (1 - abs(Double(column) + 0.5 - x)) * (1 - abs(Double(row) + 0.5 - y))
      sum += weight * Double(pixel[0]) * Double(pixel[3]) / 65025
    }
    return sum
  }
}
