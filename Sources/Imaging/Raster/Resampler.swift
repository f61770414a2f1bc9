import CVectors
import Foundation
import Recipes

/// A resampler that scales a window of a picture, band by band.
///
/// Rows are scaled horizontally as they arrive, so that a large source is never in memory twice.
/// Colours are premultiplied, so that invisible colours do not bleed. As in comparable tools,
/// values are sRGB rather than linear light. Sums are integers, which are identical on every
/// processor and twice as fast as floating point.
struct Resampler {
  /// The number of rows per call to `add`, chosen so that the rows fit in the CPU cache.
  static let band = 32
  /// The number of fraction bits in a scaled row; one bit is left for the sign.
  private static let downscaledFraction = 6

  private let columns: FilterWeights
  private let rows: FilterWeights
  private let target: PixelSize
  /// The horizontally scaled rows, premultiplied and interleaved in pairs.
  private var downscaled: [PixelPair]
  private var added = 0
  /// The source range to copy; nil if the window must be scaled.
  private let same: (columns: Range<Int>, rows: Range<Int>)?
  private var copied: [UInt8] = []

  /// Creates a resampler that scales `window`, in source pixels, to the size `target`.
  init(window: Window, of source: PixelSize, to target: PixelSize) {
    same = window.wholePixels(of: source, to: target)
    let (wide, high) = same == nil ? (target.width, target.height) : (0, 0)
    columns = FilterWeights.of(
      FilterWeights.Side(start: window.x, length: window.width, limit: source.width, target: wide))
    rows = FilterWeights.of(
      FilterWeights.Side(
        start: window.y, length: window.height, limit: source.height, target: high))
    self.target = target
    downscaled = Array(repeating: .zero, count: (rows.range.count + 1) / 2 * target.width)
  }

  var columnRange: Range<Int> { same?.columns ?? columns.range }
  /// The source rows to pass to `add` in order, each limited to `columnRange`.
  var rowRange: Range<Int> { same?.rows ?? rows.range }

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
    let half = SIMD4<Int32>(repeating: 1 &<< (drop &- 1))
    let blank = [PixelPair](repeating: .zero, count: (columns.range.count + 1) / 2)
    // An even row and the odd row below it; if another call adds one of them, it is blank here.
    var (even, odd) = (blank, blank)
    let (done, end) = (added, added + pixels.count / rowBytes)
    added = end
    var row = done / 2 * 2
    var start = 0
    var downscaled = downscaled.mutableSpan
    while row < end {
      if row >= done {
        even.fill(from: pixels.extracting(start..<start + rowBytes))
        start += rowBytes
      }
      if row + 1 < end {
        odd.fill(from: pixels.extracting(start..<start + rowBytes))
        start += rowBytes
      } else {
        odd = blank
      }
      let (even, odd) = (even.span, odd.span)
      let first = row / 2 * starts.count
      for column in starts.indices {
        var from = starts[column] &- offset
        var (upper, lower) = (half, half)
        for tap in column &* columns.count..<(column &+ 1) &* columns.count {
          let weight = weights[tap]
          upper &+= even[from].weighed(by: weight)
          lower &+= odd[from].weighed(by: weight)
          from &+= 1
        }
        let low = PixelPair(truncatingIfNeeded: upper &>> drop) & PixelPair(repeating: 0xFFFF)
        let high = PixelPair(truncatingIfNeeded: lower &>> drop) &<< 16
        downscaled[first &+ column] |= low | high
      }
      row += 2
    }
  }

  consuming func finish() -> Raster {
    if same != nil {
      var raster = Raster(size: target, bytes: copied)
      raster.forgetInvisibleColors()
      return raster
    }
    precondition(added == rows.range.count, "all rows must have been added")
    let width = target.width
    let source = downscaled.span
    let weights = rows.weights.span
    let fraction = Int32(Self.downscaledFraction + FilterWeights.fraction)
    let half = SIMD4<Int32>(repeating: 1 &<< (fraction &- 1))
    let opaque = SIMD4<Int32>(0, 0, 0, 255)
    func pixel(_ sum: SIMD4<Int32>) -> SIMD4<UInt8> {
      let rounded = sum &>> fraction
      return rounded.w == 255
        ? vectors_pixels(rounded, rounded, rounded, rounded).lowHalf.lowHalf
        : (SIMD4<Float>(sum &- half) / Float(1 &<< fraction)).straightPixel
    }
    var bytes = [UInt8](repeating: 0, count: width * target.height * 4)
    var span = bytes.mutableSpan
    // Safe: every byte value is valid, and each index is bounds-checked.
    var output = unsafe span.mutableBytes
    var at = 0
    for row in 0..<target.height {
      let start = (rows.starts[row] &- rows.range.lowerBound / 2) &* width
      let taps = row &* rows.count..<(row &+ 1) &* rows.count
      var column = 0
      while column &+ 4 <= width {
        var (a, b, c, d) = (half, half, half, half)
        var from = start &+ column
        for tap in taps {
          let weight = weights[tap]
          a &+= source[from].weighed(by: weight)
          b &+= source[from &+ 1].weighed(by: weight)
          c &+= source[from &+ 2].weighed(by: weight)
          d &+= source[from &+ 3].weighed(by: weight)
          from &+= width
        }
        let (e, f, g, h) = (a &>> fraction, b &>> fraction, c &>> fraction, d &>> fraction)
        if ((e ^ opaque) | (f ^ opaque) | (g ^ opaque) | (h ^ opaque)).w == 0 {
          output.storeBytes(
            of: vectors_pixels(e, f, g, h), toByteOffset: at, as: SIMD16<UInt8>.self)
        } else {
          for (index, sum) in [a, b, c, d].enumerated() {
            output.storeBytes(of: pixel(sum), toByteOffset: at &+ index &* 4, as: SIMD4<UInt8>.self)
          }
        }
        column &+= 4
        at &+= 16
      }
      while column < width {
        var sum = half
        var from = start &+ column
        for tap in taps {
          sum &+= source[from].weighed(by: weights[tap])
          from &+= width
        }
        output.storeBytes(of: pixel(sum), toByteOffset: at, as: SIMD4<UInt8>.self)
        column &+= 1
        at &+= 4
      }
    }
    return Raster(size: target, bytes: bytes)
  }
}

extension Window {
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

/// The Lanczos weights (three lobes) of the source pixels for each target pixel along one side.
///
/// A window may begin inside a pixel. Rounding its position would shift a centred crop by up to
/// half a pixel.
struct FilterWeights {
  static let fraction = 14

  /// The index of the first source pair for each target pixel.
  private(set) var starts: [Int] = []
  /// Pairs of weights, `count` per target pixel; the lower half of a pair is for the even pixel.
  private(set) var weights: [UInt32] = []
  let count: Int
  private let limit: Int

  /// A window of `length` pixels from `start`; filters may read outside it, but within `limit`.
  struct Side: Hashable {
    var start: Double
    var length: Double
    var limit: Int
    var target: Int
  }

  /// A cache guarded by `lock`, because ThreadSanitizer does not support `Mutex`.
  nonisolated(unsafe) private static var known = BoundedCache<Side, FilterWeights>(limit: 1 << 20)
  private static let lock = NSLock()

  /// Returns cached weights, because many pictures have the same size and most are square.
  static func of(_ side: Side) -> FilterWeights {
    lock.withLock {
      if let weights = unsafe known[side] { return weights }
      let weights = FilterWeights(side)
      let cost = (weights.weights.count + weights.starts.count) * 8
      unsafe known.keep(weights, for: side, cost: cost)
      return weights
    }
  }

  private init(_ side: Side) {
    let (start, length, target) = (side.start, side.length, side.target)
    limit = side.limit
    guard target > 0 else {
      count = 0
      return
    }
    let step = length / Double(target)
    // Downscaling widens the filter, so that every source pixel is used.
    let stretch = max(step, 1)
    let reach = 3 * stretch
    // A filter that starts at an odd pixel needs an additional pair.
    count = min(Int((2 * reach).rounded(.up)) + 3, limit + 1) / 2
    starts.reserveCapacity(target)
    weights.reserveCapacity(target * count)
    var lanczos = Lanczos(step: 1 / stretch, count: count * 2)
    for index in 0..<target {
      // Clamp the centre to the picture: outside it, the remaining weights could add up to zero.
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
    // Carry the rounding error over to the next weight.
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

private struct Lanczos {
  private(set) var values: [Double]
  /// The angle of one step; the third lobe ends at π.
  private let turn: Double
  private let sine: Double
  private let cosine: Double

  init(step: Double, count: Int) {
    values = Array(repeating: 0, count: count)
    turn = step * .pi / 3
    (sine, cosine) = (sin(turn), cos(turn))
  }

  /// Derives each sine from the previous one, in a fifth of the time that calling `sin` takes.
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
