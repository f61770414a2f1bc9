import Foundation
import Recipes
import Testing

struct BlurTests {
  /// Returns the weights of a line's pixels for one output pixel: a Gaussian summed to 8 sigma.
  private func weights(_ count: Int, around pixel: Int, _ sigma: Double) -> [Double] {
    var result = [Double](repeating: 0, count: count)
    let reach = Int((sigma * 8).rounded(.up)) + 1
    for tap in -reach...reach {
      result[max(0, min(pixel + tap, count - 1))] += exp(-Double(tap * tap) / (2 * sigma * sigma))
    }
    let total = result.reduce(0, +)
    return result.map { $0 / total }
  }

  /// Blurs as defined: every output pixel is a weighted sum of all pixels.
  private func oracle(_ pixels: Pixels, _ sigma: Double) -> [[Double]] {
    let columns = (0..<pixels.width).map { weights(pixels.width, around: $0, sigma) }
    let rows = (0..<pixels.height).map { weights(pixels.height, around: $0, sigma) }
    var result: [[Double]] = []
    for y in 0..<pixels.height {
      for x in 0..<pixels.width {
        var sum = [0.0, 0, 0, 0]
        for v in 0..<pixels.height {
          for u in 0..<pixels.width {
            let at = (v * pixels.width + u) * 4
            let alpha = Double(pixels.bytes[at + 3]) * rows[y][v] * columns[x][u]
            for channel in 0..<3 { sum[channel] += Double(pixels.bytes[at + channel]) * alpha }
            sum[3] += alpha
          }
        }
        let alpha = sum[3]
        result.append(alpha > 0 ? [sum[0] / alpha, sum[1] / alpha, sum[2] / alpha, alpha] : sum)
      }
    }
    return result
  }

  private static let halves = Pixels(width: 28, height: 20) { x, y in
    x < 12 ? [255, 0, 10, 255] : y < 9 ? [0, 255, 0, 255] : [0, 0, 255, 255]
  }

  /// Stripes with a transparent corner that hides a bright colour.
  private static let cutOut = Pixels(width: 21, height: 26) { x, y in
    x + y > 32
      ? [255, 255, 255, 0] : [UInt8(x * 12), UInt8((y / 4 % 2) * 200), 30, UInt8(120 + x)]
  }

  @Test(arguments: [0.2, 0.5, 1, 2.7, 8, 11.9, 12, 13.4, 20, 33.3, 60, 400])
  func `a blur is a Gaussian with repeated edge pixels`(sigma: Double) throws {
    for pixels in [Self.halves, Self.cutOut] {
      let image = try pixels.filtered(.blur(radius: sigma))
      for (index, wanted) in oracle(pixels, sigma).enumerated() {
        let pixel = image[index % pixels.width, index / pixels.width]
        #expect(abs(Double(pixel[3]) - wanted[3]) <= 1.2)
        // The colours of almost transparent pixels are rounded coarsely.
        guard wanted[3] >= 64 else { continue }
        for channel in 0..<3 {
          #expect(abs(Double(pixel[channel]) - wanted[channel]) <= 1.2, "pixel \(index)")
        }
      }
    }
  }

  /// G12: a radius of 0 produces the same picture and key as omitting the blur.
  @Test func `a blur with an invalid or tiny radius has no effect`() throws {
    for radius in [0, -1, 0.01, Double.nan, Double.infinity] {
      #expect(try Self.halves.filtered(.blur(radius: radius)) == Self.halves)
    }
  }

  @Test func `a blur has an effect only above the minimum radius`() throws {
    let board = Pixels(width: 9, height: 9) { x, y in
      (x + y) % 2 == 0 ? [255, 255, 255, 255] : [0, 0, 0, 255]
    }
    let least = Filter.smallestBlur
    // At the limit, the weights still round each pixel to itself.
    let across = weights(9, around: 4, least)
    #expect(255 * (1 - across[4] * across[4]) < 0.5)
    for pixels in [board, Self.halves, Self.cutOut] {
      let plain = try pixels.filtered(.blur(radius: 0))
      #expect(try pixels.filtered(.blur(radius: least.nextDown)) == plain)
    }
    #expect(try board.filtered(.blur(radius: least * 1.1)) != board)
  }

  @Test(arguments: [0.7, 9, 90])
  func `blurring does not change a uniform picture`(sigma: Double) throws {
    for (width, height) in [(1, 1), (1, 50), (64, 3)] {
      let solid = Pixels.solid(.sky, width, height)
      #expect(try solid.filtered(.blur(radius: sigma)) == solid)
    }
  }

  @Test func `invisible colours do not bleed into a blur`() throws {
    let image = try Pixels(width: 40, height: 40) { x, _ in
      x < 20 ? [200, 0, 0, 255] : [0, 255, 0, 0]
    }.filtered(.blur(radius: 4))
    for y in 0..<40 {
      for x in 0..<40 where image.alpha(x, y) > 0 { #expect(image[x, y][1] == 0) }
    }
    #expect(image.alpha(20, 20) > 90)
  }
}
