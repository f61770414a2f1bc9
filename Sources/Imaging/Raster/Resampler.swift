import Foundation
import Recipes

/// Scales a window of a picture to a size, band by band.
///
/// Rows are scaled horizontally as they come in, so a large source is never held twice; then the
/// columns. Colours are weighed by their alpha, so invisible ones do not bleed into others. Values
/// stay as they are stored (sRGB), as in all peers.
struct Resampler {
  private let columns: FilterWeights
  private let rows: FilterWeights
  private let target: PixelSize
  /// Squeezed rows from `rows.range` on, premultiplied.
  private var squeezed: [SIMD4<Float>] = []

  /// Scales `window`, in source pixels, to the whole target.
  init(window: Window, of source: PixelSize, to target: PixelSize) {
    columns = FilterWeights(
      start: window.x, length: window.width, limit: source.width, target: target.width)
    rows = FilterWeights(
      start: window.y, length: window.height, limit: source.height, target: target.height)
    self.target = target
    squeezed.reserveCapacity(rows.range.count * target.width)
  }

  /// The columns of the source that `add` wants.
  var columnRange: Range<Int> { columns.range }
  /// The rows of the source that `add` wants, in order.
  var rowRange: Range<Int> { rows.range }

  /// Takes in the next rows: RGBA, each `columnRange` wide.
  mutating func add(_ pixels: Span<UInt8>) {
    let columns = columns
    let width = columns.range.count
    let offset = columns.range.lowerBound
    let count = columns.count
    let weights = columns.weights.span
    let starts = columns.starts.span
    var line = [SIMD4<Float>](repeating: .zero, count: width)
    for row in 0..<pixels.count / (width * 4) {
      Self.premultiply(pixels, from: row * width * 4, into: &line)
      let line = line.span
      for column in starts.indices {
        let start = starts[column] &- offset
        let first = column &* count
        var even = SIMD4<Float>.zero
        var odd = SIMD4<Float>.zero
        var tap = 0
        while tap &+ 1 < count {
          even += line[start &+ tap] * weights[first &+ tap]
          odd += line[start &+ tap &+ 1] * weights[first &+ tap &+ 1]
          tap &+= 2
        }
        if tap < count { even += line[start &+ tap] * weights[first &+ tap] }
        squeezed.append(even + odd)
      }
    }
  }

  consuming func finish() -> Raster {
    precondition(
      squeezed.count == rows.range.count * target.width, "every wanted row must have been added")
    let width = target.width
    let source = squeezed.span
    let weights = rows.weights.span
    var bytes = [UInt8](repeating: 0, count: width * target.height * 4)
    var output = bytes.mutableSpan
    var line = [SIMD4<Float>](repeating: .zero, count: width)
    for row in 0..<target.height {
      var sums = line.mutableSpan
      for column in sums.indices { sums[column] = .zero }
      for tap in 0..<rows.count {
        let weight = weights[row &* rows.count &+ tap]
        let from = (rows.starts[row] &- rows.range.lowerBound &+ tap) &* width
        for column in sums.indices {
          sums[column] += source[from &+ column] * weight
        }
      }
      for column in sums.indices {
        Self.store(sums[column], in: &output, at: (row &* width &+ column) &* 4)
      }
    }
    return Raster(size: target, bytes: bytes)
  }

  static func premultiply(
    _ pixels: Span<UInt8>, from start: Int, into line: inout [SIMD4<Float>]
  ) {
    var line = line.mutableSpan
    for index in line.indices {
      let at = start &+ index &* 4
      let alpha = pixels[at &+ 3]
      let color = SIMD4<Float>(
        Float(pixels[at]), Float(pixels[at &+ 1]), Float(pixels[at &+ 2]), 255)
      line[index] = alpha == 255 ? color : color * (Float(alpha) / 255)
    }
  }

  /// Writes a premultiplied sum as a pixel of straight alpha.
  @inline(__always)
  static func store(_ sum: SIMD4<Float>, in pixels: inout MutableSpan<UInt8>, at: Int) {
    let alpha = sum.w
    // The filter overshoots beside an edge, in alpha as in colour, so alpha can exceed 255.
    var color = alpha < 0.5 ? .zero : abs(alpha - 255) < 0.5 ? sum : sum * (255 / alpha)
    color.w = alpha < 0.5 ? 0 : alpha
    let rounded = color.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)) + 0.5
    pixels[at] = UInt8(rounded.x)
    pixels[at &+ 1] = UInt8(rounded.y)
    pixels[at &+ 2] = UInt8(rounded.z)
    pixels[at &+ 3] = UInt8(rounded.w)
  }
}

/// Which source pixels make each pixel along one side, and with what weight: Lanczos, three lobes.
///
/// A window may begin inside a pixel. That keeps a crop centred at every scale; whole pixels would
/// shift it by up to half a pixel.
struct FilterWeights {
  /// First source pixel of each target pixel.
  private(set) var starts: [Int] = []
  /// As many weights for each target pixel, which add up to 1; unused ones are 0.
  private(set) var weights: [Float] = []
  let count: Int

  /// The window has `length` of `limit` source pixels from `start`; the filter may read outside it.
  init(start: Double, length: Double, limit: Int, target: Int) {
    let step = length / Double(target)
    // Shrinking widens the filter, so that every source pixel counts.
    let stretch = max(step, 1)
    let reach = 3 * stretch
    count = min(limit, Int((2 * reach).rounded(.up)) + 1)
    starts.reserveCapacity(target)
    weights.reserveCapacity(target * count)
    for index in 0..<target {
      let center = start + (Double(index) + 0.5) * step
      let first = max(0, min(Int((center - reach).rounded(.down)), limit - count))
      let raw = (0..<count).map { tap in
        Self.lanczos((Double(first + tap) + 0.5 - center) / stretch)
      }
      let total = raw.reduce(0, +)
      starts.append(first)
      weights += raw.map { Float($0 / total) }
    }
  }

  /// The source pixels that are read at all.
  var range: Range<Int> {
    (starts.first ?? 0)..<(starts.last ?? 0) + count
  }

  private static func lanczos(_ x: Double) -> Double {
    if x == 0 { return 1 }
    guard abs(x) < 3 else { return 0 }
    let angle = Double.pi * x
    return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
  }
}
