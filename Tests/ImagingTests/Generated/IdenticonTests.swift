import Foundation
import Imaging
import Recipes
import Testing

struct IdenticonTests {
  private static let colors = [
    Color(red: 240, green: 230, blue: 220), Color(red: 20, green: 60, blue: 200),
    Color(red: 200, green: 40, blue: 10, alpha: 128),
  ]

  private func identicon(_ seed: Int) -> Identicon {
    let cells = (0..<25).map { UInt8(($0 * $0 * 7 + $0 * seed + seed) % 11 % 3) }
    return Identicon(cells: cells, side: 5, colors: Self.colors)
  }

  private func pixels(
    _ identicon: Identicon, _ width: Int, _ height: Int, outline: Outline = .square
  ) throws -> Pixels {
    try ImageMagick.start()
    var picture = try Picture(.generated(.identicon(identicon)))
    return try Pixels(picture.rendered(.simple(width, height, fit: .stretch, outline: outline)))
  }

  /// Supersamples the pattern, in which each cell is a rectangle of 14 % of the side.
  private func oracle(_ identicon: Identicon, _ width: Int, _ height: Int) -> Pixels {
    let points = 64
    let cell = Double(min(width, height)) * 0.14
    let left = Double(width) / 2 - 2.5 * cell
    let top = Double(height) / 2 - 2.5 * cell
    return Pixels(width: width, height: height) { x, y in
      var sum = [0.0, 0, 0, 0]
      for row in 0..<points {
        for column in 0..<points {
          let u = (Double(x) + (Double(column) + 0.5) / Double(points) - left) / cell
          let v = (Double(y) + (Double(row) + 0.5) / Double(points) - top) / cell
          let isInside = u >= 0 && v >= 0 && u < 5 && v < 5
          let color = Self.colors[isInside ? Int(identicon.cells[Int(v) * 5 + Int(u)]) : 0]
          let alpha = Double(color.alpha)
          sum[0] += Double(color.red) * alpha
          sum[1] += Double(color.green) * alpha
          sum[2] += Double(color.blue) * alpha
          sum[3] += alpha
        }
      }
      return (0..<3).map { UInt8((sum[$0] / sum[3]).rounded()) }
        + [UInt8((sum[3] / Double(points * points)).rounded())]
    }
  }

  @Test(arguments: [(7, 7), (33, 33), (50, 50), (48, 30), (15, 60), (1, 1)], [1, 2])
  func `each cell covers its exact area`(size: (Int, Int), seed: Int) throws {
    let identicon = identicon(seed)
    let drawn = try pixels(identicon, size.0, size.1)
    #expect(drawn.difference(to: oracle(identicon, size.0, size.1)) <= 5)
  }

  @Test func `a circular outline does not clip cells`() throws {
    let full = Identicon(
      cells: [UInt8](repeating: 1, count: 25), side: 5, colors: Array(Self.colors.prefix(2)))
    let box = PixelSize(width: 96, height: 96)
    let square = try pixels(full, 96, 96)
    let circle = try pixels(full, 96, 96, outline: .circle(in: box))
    let blue: [UInt8] = [20, 60, 200, 255]
    var count = 0
    for y in 0..<96 {
      for x in 0..<96 where square[x, y] == blue {
        #expect(circle[x, y] == blue)
        count += 1
      }
    }
    #expect(count >= 66 * 66)
  }

  @Test func `invalid cells produce a transparent picture`() throws {
    for broken in [
      Identicon(cells: [], side: 0, colors: Self.colors),
      Identicon(cells: [1], side: 5, colors: Self.colors),
      Identicon(cells: [1], side: 1, colors: []),
    ] {
      #expect(try pixels(broken, 8, 8).alphas.allSatisfy { $0 == 0 })
    }
    let strange = Identicon(cells: [9], side: 1, colors: Array(Self.colors.prefix(2)))
    #expect(try pixels(strange, 10, 10)[5, 5] == [20, 60, 200, 255])
  }
}
