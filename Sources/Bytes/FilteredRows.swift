import CVectors

/// PNG rows, each filtered in the way that is likely to compress best.
///
/// A filter subtracts a prediction from each byte. The best filter has the smallest sum of absolute
/// differences, each capped at 16, because larger differences do not cost more bits.
package struct FilteredRows {
  package enum Channels: UInt8, Sendable {
    /// Uses the red channel; the other colour channels must be identical.
    case gray = 0
    case rgb = 2
    case grayAlpha = 4
    case rgba = 6

    fileprivate var count: Int {
      switch self {
      case .gray: 1
      case .grayAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    }
  }

  private typealias Block = SIMD16<UInt8>

  /// The number of blocks that can be summed in bytes without overflow.
  private static let blocksPerSum = 15
  /// The number of zeros before a row; they represent the missing pixel to the left of the first.
  private static let margin = 4

  private let channels: Channels
  private let blockCount: Int
  /// The current row and the row above it, with zeros on both sides.
  private var row: [UInt8]
  private var above: [UInt8]
  /// The outputs of all filters for the current row, one after another.
  private var residues: [Block]
  package private(set) var bytes: [UInt8]

  package init(rgba pixels: [UInt8], width: Int, keeping channels: Channels) {
    let height = pixels.count / 4 / width
    self.channels = channels
    let rowBytes = width * channels.count
    blockCount = (rowBytes + 15) / 16
    let blank = [UInt8](repeating: 0, count: Self.margin * 2 + blockCount * 16)
    (row, above) = (blank, blank)
    residues = [Block](repeating: .zero, count: blockCount * 5)
    // A row's last block may extend into the next row, which later overwrites those bytes.
    bytes = [UInt8](repeating: 0, count: (rowBytes + 1) * height + 15)
    for y in 0..<height {
      swap(&row, &above)
      fill(from: pixels.span.extracting(y * width * 4..<(y + 1) * width * 4))
      write(at: y * (rowBytes + 1), rowBytes: rowBytes)
    }
    bytes.removeLast(15)
  }

  private mutating func fill(from pixels: borrowing Span<UInt8>) {
    switch channels {
    case .gray: Self.fill(&row, from: pixels, step: 1) { UInt8(truncatingIfNeeded: $0) }
    case .grayAlpha:
      Self.fill(&row, from: pixels, step: 2) { UInt16(truncatingIfNeeded: $0 &>> 16) }
    case .rgb: Self.fill(&row, from: pixels, step: 3) { $0 & 0xFF_FFFF }
    case .rgba: Self.fill(&row, from: pixels, step: 4) { $0 }
    }
  }

  @inline(__always)
  private static func fill<Value: FixedWidthInteger & BitwiseCopyable>(
    _ row: inout [UInt8], from pixels: borrowing Span<UInt8>, step: Int,
    _ value: (UInt32) -> Value
  ) {
    var span = row.mutableSpan
    var target = unsafe span.mutableBytes
    let source = unsafe pixels.bytes
    var to = margin
    for at in stride(from: 0, to: source.byteCount, by: 4) {
      let pixel = unsafe source.unsafeLoadUnaligned(fromByteOffset: at, as: UInt32.self)
      // A three-byte pixel is stored as four bytes; the next pixel overwrites the fourth.
      target.storeBytes(
        of: value(UInt32(littleEndian: pixel)).littleEndian, toByteOffset: to, as: Value.self)
      to &+= step
    }
  }

  private mutating func write(at start: Int, rowBytes: Int) {
    var tail = Block(repeating: 255)
    for lane in 0..<blockCount * 16 - rowBytes { tail[15 - lane] = 0 }
    let sums = Self.filter(row, above: above, step: channels.count, tail: tail, into: &residues)
    var best = 0
    for filter in 1..<5 where sums[filter] < sums[best] { best = filter }
    bytes[start] = UInt8(best)
    let first = best * blockCount
    Self.store(residues, first..<first + blockCount, in: &bytes, at: start + 1)
  }

  private static func store(
    _ blocks: [Block], _ range: Range<Int>, in bytes: inout [UInt8], at start: Int
  ) {
    let blocks = blocks.span.extracting(range)
    var span = bytes.mutableSpan
    var target = unsafe span.mutableBytes
    for index in 0..<blocks.count {
      target.storeBytes(of: blocks[index], toByteOffset: start &+ index &* 16, as: Block.self)
    }
  }

  /// Applies all filters to a row and returns their costs; `tail` masks the last block of the row.
  private static func filter(
    _ row: [UInt8], above: [UInt8], step: Int, tail: Block, into residues: inout [Block]
  ) -> InlineArray<5, Int> {
    var sums = InlineArray<5, Int>(repeating: 0)
    let count = residues.count / 5
    let (row, above) = unsafe (row.span.bytes, above.span.bytes)
    var residues = residues.mutableSpan
    var start = 0
    while start < count {
      let end = min(start &+ blocksPerSum, count)
      var (none, sub, up) = (Block.zero, Block.zero, Block.zero)
      var (average, paeth) = (Block.zero, Block.zero)
      for index in start..<end {
        let at = margin &+ index &* 16
        let x = unsafe row.unsafeLoadUnaligned(fromByteOffset: at, as: Block.self)
        var a = unsafe row.unsafeLoadUnaligned(fromByteOffset: at &- step, as: Block.self)
        let b = unsafe above.unsafeLoadUnaligned(fromByteOffset: at, as: Block.self)
        var c = unsafe above.unsafeLoadUnaligned(fromByteOffset: at &- step, as: Block.self)
        if index &+ 1 == count {
          a &= tail
          c &= tail
        }
        none &+= vectors_cost(x)
        residues[index] = x
        let bySub = x &- a
        sub &+= vectors_cost(bySub)
        residues[index &+ count] = bySub
        let byUp = x &- b
        up &+= vectors_cost(byUp)
        residues[index &+ 2 &* count] = byUp
        let byAverage = x &- vectors_mean(a, b)
        average &+= vectors_cost(byAverage)
        residues[index &+ 3 &* count] = byAverage
        let byPaeth = x &- vectors_paeth(a, b, c)
        paeth &+= vectors_cost(byPaeth)
        residues[index &+ 4 &* count] = byPaeth
      }
      sums[0] += none.sum
      sums[1] += sub.sum
      sums[2] += up.sum
      sums[3] += average.sum
      sums[4] += paeth.sum
      start = end
    }
    return sums
  }
}

extension SIMD16<UInt8> {
  fileprivate var sum: Int { Int(SIMD16<UInt16>(truncatingIfNeeded: self).wrappedSum()) }
}
