import Foundation
import Imaging
import Recipes
import TestSupport

/// Compares each combination of shape, ring and scale with sampled points.
struct RingOracleTests {
  private static let scales = Extent.isAll ? [1, 2, 3] : [1, 2]

  enum Shape: String, CaseIterable, CustomTestStringConvertible {
    case circle, rounded, quarter, continuous, square, capsule, corners

    var testDescription: String { rawValue }

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
  }

  private func isRing(_ border: Border, _ depth: Double) -> Bool {
    border.rings.contains { $0.from <= depth && depth < $0.to }
  }

  @Test(arguments: Shape.allCases, scales)
  func `ring coverage is exact`(shape: Shape, scale: Int) throws {
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
}
