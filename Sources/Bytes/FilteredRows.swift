/// Filters PNG rows, choosing the best filter for each row.
///
/// A filter subtracts a prediction based on the bytes to the left and above. The best one has the
/// smallest sum of absolute differences. They are capped at 16: larger ones cost no more bits.
package struct FilteredRows {
  /// The channels to keep; raw values are PNG colour types.
  package enum Channels: UInt8, Sendable {
    /// Uses the red channel; the others must be equal.
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

  /// The number of blocks whose sums fit into a byte.
  private static let blocksPerSum = 15

  private let channels: Channels
  private let blockCount: Int
  /// The row, the row shifted by a pixel, and the same for the row above; zero-padded.
  private var row: [Block]
  private var left: [Block]
  private var above: [Block]
  private var corner: [Block]
  /// The row's output of each filter, one after the other.
  private var residues: [Block]
  package private(set) var bytes: [UInt8]

  package init(rgba pixels: [UInt8], width: Int, keeping channels: Channels) {
    let height = pixels.count / 4 / width
    self.channels = channels
    let rowBytes = width * channels.count
    blockCount = (rowBytes + 15) / 16
    // Room for an additional pixel of four bytes.
    let blank = [Block](repeating: .zero, count: (rowBytes + 7) / 16 + 1)
    (row, left, above, corner) = (blank, blank, blank, blank)
    residues = [Block](repeating: .zero, count: blockCount * 5)
    // A row's last block may overlap the next row, which is written later.
    bytes = [UInt8](repeating: 0, count: (rowBytes + 1) * height + 15)
    for y in 0..<height {
      swap(&row, &above)
      swap(&left, &corner)
      fill(from: pixels.span.extracting(y * width * 4..<(y + 1) * width * 4))
      write(at: y * (rowBytes + 1))
    }
    bytes.removeLast(15)
  }

  private mutating func fill(from pixels: borrowing Span<UInt8>) {
    switch channels {
    case .gray: Self.fill(&row, &left, from: pixels, step: 1) { UInt8(truncatingIfNeeded: $0) }
    case .grayAlpha:
      Self.fill(&row, &left, from: pixels, step: 2) { UInt16(truncatingIfNeeded: $0 &>> 16) }
    case .rgb: Self.fill(&row, &left, from: pixels, step: 3) { $0 & 0xFF_FFFF }
    case .rgba: Self.fill(&row, &left, from: pixels, step: 4) { $0 }
    }
  }

  @inline(__always)
  private static func fill<Value: FixedWidthInteger & BitwiseCopyable>(
    _ row: inout [Block], _ left: inout [Block], from pixels: borrowing Span<UInt8>, step: Int,
    _ value: (UInt32) -> Value
  ) {
    var rowSpan = row.mutableSpan
    // Any bit pattern is valid, and offsets are bounds-checked.
    var rowBytes = unsafe rowSpan.mutableBytes
    var leftSpan = left.mutableSpan
    var leftBytes = unsafe leftSpan.mutableBytes
    var to = 0
    for at in stride(from: 0, to: pixels.count, by: 4) {
      let value = value(
        UInt32(pixels[at]) | UInt32(pixels[at &+ 1]) &<< 8 | UInt32(pixels[at &+ 2]) &<< 16
          | UInt32(pixels[at &+ 3]) &<< 24
      ).littleEndian
      // Three-byte pixels are stored as four bytes; the next pixel overwrites the fourth.
      rowBytes.storeBytes(of: value, toByteOffset: to, as: Value.self)
      to &+= step
      leftBytes.storeBytes(of: value, toByteOffset: to, as: Value.self)
    }
    leftBytes.storeBytes(of: 0, toByteOffset: to, as: Value.self)
  }

  private mutating func write(at start: Int) {
    let sums = Self.filter(row, left: left, above: above, corner: corner, into: &residues)
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

  private static func filter(
    _ row: [Block], left: [Block], above: [Block], corner: [Block], into residues: inout [Block]
  ) -> [Int] {
    var sums = [Int](repeating: 0, count: 5)
    let count = residues.count / 5
    let (row, left, above, corner) = (row.span, left.span, above.span, corner.span)
    var residues = residues.mutableSpan
    var start = 0
    while start < count {
      let end = min(start &+ blocksPerSum, count)
      var (none, sub, up) = (Block.zero, Block.zero, Block.zero)
      var (average, paeth) = (Block.zero, Block.zero)
      for index in start..<end {
        let (x, a, b) = (row[index], left[index], above[index])
        none &+= x.cost()
        residues[index] = x
        let bySub = x &- a
        sub &+= bySub.cost()
        residues[index &+ count] = bySub
        let byUp = x &- b
        up &+= byUp.cost()
        residues[index &+ 2 &* count] = byUp
        let byAverage = x &- a.mean(b)
        average &+= byAverage.cost()
        residues[index &+ 3 &* count] = byAverage
        let byPaeth = x &- a.paeth(b, corner[index])
        paeth &+= byPaeth.cost()
        residues[index &+ 4 &* count] = byPaeth
      }
      for (filter, sum) in [none, sub, up, average, paeth].enumerated() { sums[filter] += sum.sum }
      start = end
    }
    return sums
  }
}

extension SIMD16<UInt8> {
  @inline(__always)
  fileprivate func lesser(_ other: Self) -> Self {
    replacing(with: other, where: other .< self)
  }

  @inline(__always)
  fileprivate func cost() -> Self { lesser(0 &- self).lesser(Self(repeating: 16)) }

  @inline(__always)
  fileprivate func distance(to other: Self) -> Self {
    (self &- other).replacing(with: other &- self, where: self .< other)
  }

  @inline(__always)
  fileprivate func mean(_ other: Self) -> Self {
    (self & other) &+ ((self ^ other) &>> Self(repeating: 1))
  }

  /// Returns which of left (self), above and corner is nearest to left + above - corner.
  @inline(__always)
  fileprivate func paeth(_ above: Self, _ corner: Self) -> Self {
    let toLeft = above.distance(to: corner)
    let toAbove = distance(to: corner)
    // The corner is only the nearest if it is between the others.
    let isBetween = (self .< corner) .^ (above .< corner)
    let toCorner = Self(repeating: 255)
      .replacing(with: toLeft.distance(to: toAbove), where: isBetween)
    let second = corner.replacing(with: above, where: toAbove .<= toCorner)
    return second.replacing(with: self, where: (toLeft .<= toAbove) .& (toLeft .<= toCorner))
  }

  fileprivate var sum: Int { Int(SIMD16<UInt16>(truncatingIfNeeded: self).wrappedSum()) }
}
