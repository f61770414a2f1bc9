import Recipes
import TestSupport

@testable import Imaging

/// Compares integer arithmetic with the same filter in double precision.
@Suite struct ResamplerTests {
  static let sides = [
    (264, 128), (265, 193), (128, 192), (33, 32), (640, 64), (3, 50), (1, 5), (2, 2), (90, 1),
  ]

  @Test(arguments: sides, [false, true])
  func `integer and exact results differ by at most one`(
    sides: (source: Int, target: Int), isClear: Bool
  ) {
    for shift in [0.0, 0.3] {
      let source = Self.noise(side: sides.source, isClear: isClear)
      let length = Double(sides.source) - shift
      let window = Window(x: shift, y: shift / 2, width: length, height: length)
      let scaled = Self.scaled(source, window, to: sides.target)
      let exact = Self.exact(source, window, to: sides.target)
      // Invisible pixels may have any colour.
      for index in exact.indices {
        let alpha = exact[index | 3]
        let seen = index % 4 == 3 ? 1 : alpha / 255
        #expect(abs(Double(scaled.bytes[index]) - exact[index]) * seen <= 1.01)
      }
    }
  }

  @Test func `scaling preserves a uniform colour at every size`() {
    for (from, to) in Self.sides {
      for pixel: [UInt8] in [[255, 255, 255, 255], [1, 128, 254, 255], [0, 0, 0, 0]] {
        let size = PixelSize(width: from, height: from)
        let raster = Raster(
          size: size, bytes: Array([[UInt8]](repeating: pixel, count: from * from).joined()))
        let window = Window(x: 0, y: 0, width: Double(from), height: Double(from))
        let bytes = Self.scaled(raster, window, to: to).bytes
        #expect(bytes == Array([[UInt8]](repeating: pixel, count: to * to).joined()))
      }
    }
  }

  /// Rounding the sides of a small box changes its aspect ratio by more than a pixel.
  @Test func `a filter window that extends beyond the edge repeats the edge pixels`() {
    let raster = Self.noise(side: 9, isClear: false)
    let window = Window(x: -4, y: 0, width: 18, height: 11.25)
    let bytes = Self.scaled(raster, window, to: 5).bytes
    #expect(bytes.indices.allSatisfy { $0 % 4 != 3 || bytes[$0] == 255 })
    #expect(abs(Int(bytes[0]) - Int(raster.bytes[0])) < 40)
  }

  @Test func `scaling in bands produces the same result as scaling in one step`() {
    let source = Self.noise(side: 75, isClear: true)
    let window = Window(x: 10.5, y: 3.25, width: 60, height: 60)
    let whole = Self.scaled(source, window, to: 40)
    for rows in [1, 2, 7] { #expect(Self.scaled(source, window, to: 40, band: rows) == whole) }
  }

  /// The filter's largest overshoot fits in 16 bits.
  @Test func `filter overshoot at high contrast does not overflow`() {
    let side = 64
    var bytes: [UInt8] = []
    for index in 0..<side * side {
      let isWhite = (index % side / 3 + index / side / 3) % 2 == 0
      bytes += [isWhite ? 255 : 0, isWhite ? 0 : 255, 255, 255]
    }
    let source = Raster(size: PixelSize(width: side, height: side), bytes: bytes)
    let window = Window(x: 0, y: 0, width: 64, height: 64)
    for target in [20, 65, 190] {
      let exact = Self.exact(source, window, to: target)
      let scaled = Self.scaled(source, window, to: target).bytes
      #expect(zip(scaled, exact).allSatisfy { abs(Double($0) - $1) <= 1.01 })
    }
  }

  private static func scaled(
    _ source: Raster, _ window: Window, to side: Int, band: Int = .max
  ) -> Raster {
    let target = PixelSize(width: side, height: side)
    var resampler = Resampler(window: window, of: source.size, to: target)
    var rows = resampler.rowRange
    while !rows.isEmpty {
      let some = rows.prefix(band)
      var pixels: [UInt8] = []
      for row in some {
        let start = row * source.size.width
        let columns = resampler.columnRange
        pixels += source.bytes[(start + columns.startIndex) * 4..<(start + columns.endIndex) * 4]
      }
      resampler.add(pixels.span)
      rows = some.endIndex..<rows.endIndex
    }
    return resampler.finish()
  }

  /// Returns noise, gradients and, if `isClear`, every alpha value.
  private static func noise(side: Int, isClear: Bool) -> Raster {
    var random = SeededRandom(seed: UInt64(side))
    var bytes: [UInt8] = []
    for index in 0..<side * side {
      let edge: UInt8 = index % side / 5 % 2 == 0 ? 0 : 255
      let alpha = isClear ? UInt8(clamping: index / side * 300 / side) : 255
      bytes += [
        UInt8(index % side * 255 / side), UInt8.random(in: 0...255, using: &random), edge, alpha,
      ]
    }
    return Raster(size: PixelSize(width: side, height: side), bytes: bytes)
  }

  /// Resamples as defined, one pixel at a time, without rounding.
  private static func exact(_ source: Raster, _ window: Window, to side: Int) -> [Double] {
    let columns = weights(window.x, window.width, source.size.width, side)
    let rows = weights(window.y, window.height, source.size.height, side)
    var result: [Double] = []
    for row in rows {
      for column in columns {
        var sum = [0.0, 0, 0, 0]
        for (y, down) in row {
          for (x, along) in column {
            let at = (y * source.size.width + x) * 4
            let alpha = Double(source.bytes[at + 3])
            for channel in 0..<3 {
              sum[channel] += Double(source.bytes[at + channel]) * alpha / 255 * down * along
            }
            sum[3] += alpha * down * along
          }
        }
        let alpha = min(max(sum[3], 0), 255)
        for channel in 0..<3 {
          result.append(sum[3] < 0.5 ? 0 : min(max(sum[channel] * 255 / sum[3], 0), 255))
        }
        result.append(alpha)
      }
    }
    return result
  }

  private static func weights(
    _ start: Double, _ length: Double, _ limit: Int, _ target: Int
  ) -> [[(Int, Double)]] {
    let step = length / Double(target)
    let stretch = max(step, 1)
    func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
    return (0..<target).map { index in
      let center = start + (Double(index) + 0.5) * step
      let taps = (0..<limit).map { place in
        let x = (Double(place) + 0.5 - center) / stretch
        return (place, abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0)
      }
      let sum = taps.reduce(0) { $0 + $1.1 }
      return taps.filter { $0.1 != 0 }.map { ($0.0, $0.1 / sum) }
    }
  }
}
