import Foundation
import Recipes

/// Resamples a window of a picture to a size, band by band.
///
/// It scales rows horizontally as they arrive, so a large source is never held twice, then columns.
/// Colours are premultiplied, so invisible ones do not bleed. It works on sRGB values rather than
/// linear light, as comparable tools do.
///
/// Integer sums are identical on every processor, and twice as fast as floating point.
struct Resampler {
  /// Fraction bits of a scaled row, with room for a sign, because the filter overshoots.
  private static let downscaledFraction = 6

  private let columns: FilterWeights
  private let rows: FilterWeights
  private let target: PixelSize
  /// Scaled rows from `rows.range` on, premultiplied, interleaved in pairs.
  private var downscaled: [PixelPair]
  private var added = 0
  /// The source range to copy if nothing is scaled.
  private let same: (columns: Range<Int>, rows: Range<Int>)?
  private var copied: [UInt8] = []

  /// Scales `window`, in source pixels, to the whole target.
  init(window: Window, of source: PixelSize, to target: PixelSize) {
    same = window.wholePixels(of: source, to: target)
    let (wide, high) = same == nil ? (target.width, target.height) : (0, 0)
    columns = FilterWeights(
      start: window.x, length: window.width, limit: source.width, target: wide)
    // Most pictures are squares.
    let isSquare =
      (window.x, window.width, source.width, wide) == (window.y, window.height, source.height, high)
    rows =
      isSquare
      ? columns
      : FilterWeights(
        start: window.y, length: window.height, limit: source.height, target: high)
    self.target = target
    downscaled = Array(repeating: .zero, count: (rows.range.count + 1) / 2 * target.width)
  }

  var columnRange: Range<Int> { same?.columns ?? columns.range }
  /// The source rows that `add` expects, in order, each `columnRange` wide.
  var rowRange: Range<Int> { same?.rows ?? rows.range }

  /// Adds the next rows as RGBA.
  mutating func add(_ pixels: Span<UInt8>) {
    if same != nil {
      unsafe pixels.withUnsafeBufferPointer { unsafe copied.append(contentsOf: $0) }
      return
    }
    let columns = columns
    let weights = columns.weights.span
    let starts = columns.starts.span
    let offset = columns.range.lowerBound / 2
    let rowBytes = columns.range.count * 4
    let drop = Int32(PixelPair.fraction + FilterWeights.fraction - Self.downscaledFraction)
    var line = [PixelPair](repeating: .zero, count: (columns.range.count + 1) / 2)
    var row = added
    var downscaled = downscaled.mutableSpan
    for start in stride(from: 0, to: pixels.count, by: rowBytes) {
      line.fill(from: pixels.extracting(start..<start + rowBytes))
      let line = line.span
      let first = row / 2 * starts.count
      let shift = row % 2 == 0 ? PixelPair.zero : PixelPair(repeating: 16)
      for column in starts.indices {
        let from = starts[column] &- offset
        var sum = SIMD4<Int32>(repeating: 1 &<< (drop &- 1))
        for tap in 0..<columns.count {
          sum &+= line[from &+ tap].weighed(by: weights[column &* columns.count &+ tap])
        }
        let value = PixelPair(truncatingIfNeeded: sum &>> drop) & PixelPair(repeating: 0xFFFF)
        downscaled[first &+ column] |= value &<< shift
      }
      row += 1
    }
    added = row
  }

  consuming func finish() -> Raster {
    if same != nil {
      var raster = Raster(size: target, bytes: copied)
      raster.forgetInvisibleColors()
      return raster
    }
    precondition(added == rows.range.count, "every wanted row must have been added")
    let width = target.width
    let source = downscaled.span
    let weights = rows.weights.span
    let fraction = Int32(Self.downscaledFraction + FilterWeights.fraction)
    let half = SIMD4<Int32>(repeating: 1 &<< (fraction &- 1))
    let (black, white) = (SIMD4<Int32>.zero, SIMD4<Int32>(repeating: 255))
    var bytes = [UInt8](repeating: 0, count: width * target.height * 4)
    var span = bytes.mutableSpan
    // Safe: all byte values are valid, and each index is checked.
    var output = unsafe span.mutableBytes
    for row in 0..<target.height {
      let start = (rows.starts[row] &- rows.range.lowerBound / 2) &* width
      for column in 0..<width {
        var sum = SIMD4<Int32>.zero
        var from = start &+ column
        for tap in 0..<rows.count {
          sum &+= source[from].weighed(by: weights[row &* rows.count &+ tap])
          from &+= width
        }
        let rounded = (sum &+ half) &>> fraction
        let pixel =
          rounded.w == 255
          ? SIMD4<UInt8>(truncatingIfNeeded: rounded.clamped(lowerBound: black, upperBound: white))
          : (SIMD4<Float>(sum) / Float(1 &<< fraction)).straightPixel
        output.storeBytes(
          of: pixel, toByteOffset: (row &* width &+ column) &* 4, as: SIMD4<UInt8>.self)
      }
    }
    return Raster(size: target, bytes: bytes)
  }
}

extension Window {
  /// Returns the columns and rows to copy if the window needs no scaling.
  fileprivate func wholePixels(
    of source: PixelSize, to target: PixelSize
  ) -> (columns: Range<Int>, rows: Range<Int>)? {
    guard width == Double(target.width), height == Double(target.height), x == x.rounded(),
      y == y.rounded(), x >= 0, y >= 0,
      Int(x) + target.width <= source.width, Int(y) + target.height <= source.height
    else { return nil }
    return (Int(x)..<Int(x) + target.width, Int(y)..<Int(y) + target.height)
  }
}

/// The source pixels and weights for each pixel along one side: Lanczos with three lobes.
///
/// A window may begin inside a pixel. Rounding it would shift a centred crop by up to half a pixel.
struct FilterWeights {
  /// Fraction bits of a fixed-point weight.
  static let fraction = 14

  /// The first source pair for each target pixel.
  private(set) var starts: [Int] = []
  /// Pairs of weights, `count` for each target pixel, which add up to 1; unused ones are 0.
  ///
  /// The lower half is the even pixel's weight.
  private(set) var weights: [UInt32] = []
  let count: Int
  private let limit: Int

  /// The window has `length` of `limit` source pixels from `start`; the filter may read outside it.
  init(start: Double, length: Double, limit: Int, target: Int) {
    self.limit = limit
    guard target > 0 else {
      count = 0
      return
    }
    let step = length / Double(target)
    // Downscaling widens the filter, so that every source pixel counts.
    let stretch = max(step, 1)
    let reach = 3 * stretch
    // An odd first pixel needs an additional pair.
    count = min(Int((2 * reach).rounded(.up)) + 3, limit + 1) / 2
    starts.reserveCapacity(target)
    weights.reserveCapacity(target * count)
    var lanczos = Lanczos(step: 1 / stretch, count: count * 2)
    for index in 0..<target {
      // Clamps to the edge; beyond it, the remaining weights could add up to zero.
      let center = min(max(start + (Double(index) + 0.5) * step, 0), Double(limit))
      let first = max(0, min(Int((center - reach).rounded(.down)) / 2, (limit + 1) / 2 - count))
      starts.append(first)
      let inside = min(count * 2, limit - first * 2)
      lanczos.fill(from: (Double(first * 2) + 0.5 - center) / stretch, count: inside)
      append(lanczos.values)
    }
  }

  var range: Range<Int> {
    (starts.first ?? 0) * 2..<min(limit, ((starts.last ?? 0) + count) * 2)
  }

  private mutating func append(_ values: [Double]) {
    let scale = Double(1 << Self.fraction) / values.reduce(0, +)
    // Carries the rounding error to the next weight.
    var rest = 0.0
    var lower: UInt32 = 0
    for (index, value) in values.enumerated() {
      let exact = value * scale + rest
      let weight = exact.rounded()
      rest = exact - weight
      let bits = UInt32(UInt16(bitPattern: Int16(weight)))
      if index % 2 == 0 { lower = bits } else { weights.append(lower | bits << 16) }
    }
  }
}

/// Lanczos values at equal distances.
private struct Lanczos {
  private(set) var values: [Double]
  /// One step as an angle; the third lobe ends at π.
  private let turn: Double
  private let sine: Double
  private let cosine: Double

  init(step: Double, count: Int) {
    values = Array(repeating: 0, count: count)
    turn = step * .pi / 3
    (sine, cosine) = (sin(turn), cos(turn))
  }

  /// Computes each angle from the one before, in a fifth of the time of calling `sin`.
  mutating func fill(from start: Double, count: Int) {
    var angle = start * .pi / 3
    var (s, c) = (sin(angle), cos(angle))
    for index in values.indices {
      let isInside = index < count && abs(angle) < .pi
      // sinc(3a) · sinc(a), with sin(3a) = sin(a) · (3 − 4 sin²(a)).
      values[index] =
        !isInside ? 0 : abs(angle) < 1e-6 ? 1 : s * s * (3 - 4 * s * s) / (3 * angle * angle)
      (s, c) = (s * cosine + c * sine, c * cosine - s * sine)
      angle += turn
    }
  }
}
