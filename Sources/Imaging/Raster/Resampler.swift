import Recipes

/// Scales a window of a picture to a size, band by band.
///
/// Rows are scaled horizontally as they come in, so a large source is never held twice; then the
/// columns. Colours are weighed by their alpha, so invisible ones do not bleed into others. Values
/// stay as they are stored (sRGB), as in all peers.
///
/// The sums are of whole numbers: equal on every processor, and twice as fast as fractions.
struct Resampler {
  /// Bits behind the point of a downscaled row; the filter overshoots, and a sign is needed.
  private static let downscaledFraction = 6

  private let columns: FilterWeights
  private let rows: FilterWeights
  private let target: PixelSize
  /// Downscaled rows from `rows.range` on, premultiplied, each beside the next one.
  private var downscaled: [PixelPair]
  private var added = 0
  /// What is wanted where nothing has to be scaled.
  private let same: (columns: Range<Int>, rows: Range<Int>)?
  private var copied: [UInt8] = []

  /// Scales `window`, in source pixels, to the whole target.
  init(window: Window, of source: PixelSize, to target: PixelSize) {
    same = window.wholePixels(of: source, to: target)
    columns = FilterWeights(
      start: window.x, length: window.width, limit: source.width,
      target: same == nil ? target.width : 0)
    rows = FilterWeights(
      start: window.y, length: window.height, limit: source.height,
      target: same == nil ? target.height : 0)
    self.target = target
    downscaled = Array(repeating: .zero, count: (rows.range.count + 1) / 2 * target.width)
  }

  /// The columns of the source that `add` wants.
  var columnRange: Range<Int> { same?.columns ?? columns.range }
  /// The rows of the source that `add` wants, in order.
  var rowRange: Range<Int> { same?.rows ?? rows.range }

  /// Takes in the next rows: RGBA, each `columnRange` wide.
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
    // Bytes have any values, and each place is checked.
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
  /// Its columns and rows, if they are those of the target as they are.
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
