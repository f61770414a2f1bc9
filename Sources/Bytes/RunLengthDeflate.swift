/// A zlib stream in which only the byte before is repeated, as zlib's strategy `Z_RLE` does it.
///
/// Filtered rows of a photo have few other repetitions, and the search for them is most of what a
/// compressor does. docs/decisions/0018-png-writer.md has the figures.
package struct RunLengthDeflate {
  /// Bytes of a block, which has its own code; the last one may be a quarter longer.
  private static let blockSize = 32_768
  /// Shorter runs take more bits than their bytes, which then are frequent and have short codes.
  private static let leastRun = 8
  /// Bytes, and runs as 256 plus their length.
  private static let tallySize = 256 + RunLength.longest + 1

  private let input: [UInt8]
  /// Of the current block.
  private var tokens: [UInt16]
  private var output = BitStream()

  package static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var deflate = RunLengthDeflate(bytes)
    return deflate.finished()
  }

  private init(_ bytes: [UInt8]) {
    input = bytes
    tokens = [UInt16](repeating: 0, count: min(bytes.count, Self.blockSize * 5 / 4))
  }

  private mutating func finished() -> [UInt8] {
    // A window of 32 KB, and the fastest of zlib's levels.
    output.put(0x0178, width: 16)
    var start = 0
    repeat {
      var end = start + Self.blockSize
      if end + Self.blockSize / 4 > input.count { end = input.count }
      let (count, tally) = Self.tokenize(input, start..<end, into: &tokens)
      write(tokens: count, tally, isLast: end == input.count)
      start = end
    } while start < input.count
    output.align()
    output.put(Deflate.adler32(of: input.span).byteSwapped, width: 32)
    return output.bytes
  }

  /// Finds the runs; returns how many tokens there are, and how often each occurs.
  private static func tokenize(
    _ bytes: [UInt8], _ range: Range<Int>, into tokens: inout [UInt16]
  ) -> (count: Int, tally: [UInt32]) {
    // Two tallies in turn: a processor waits before it counts the same token again.
    var tally = [UInt32](repeating: 0, count: tallySize * 2)
    var counts = tally.mutableSpan
    var found = tokens.mutableSpan
    let bytes = bytes.span
    let raw = unsafe bytes.bytes
    var last = range.lowerBound > 0 ? Int(bytes[range.lowerBound &- 1]) : -1
    var count = 0
    var turn = 0
    var at = range.lowerBound
    while at < range.upperBound {
      let byte = bytes[at]
      var token = Int(byte)
      // Any eight bytes are a number, and the offset is checked.
      if at &+ leastRun <= range.upperBound,
        unsafe raw.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self)
          == UInt64(byte) &* 0x0101_0101_0101_0101, token == last
      {
        let end = min(at &+ RunLength.longest, range.upperBound)
        let start = at
        at &+= leastRun
        while at < end, bytes[at] == byte { at &+= 1 }
        token = 256 &+ at &- start
      } else {
        at &+= 1
        last = token
      }
      found[count] = UInt16(truncatingIfNeeded: token)
      counts[token &+ turn] &+= 1
      count &+= 1
      turn = tallySize &- turn
    }
    return (count, zip(tally[..<tallySize], tally[tallySize...]).map { $0 + $1 })
  }

  private mutating func write(tokens count: Int, _ tally: [UInt32], isLast: Bool) {
    var counts = Array(tally[..<256]) + [1] + [UInt32](repeating: 0, count: 29)
    let runs = RunLength.shortest...RunLength.longest
    for length in runs { counts[RunLength(length).symbol] += tally[256 + length] }
    let code = HuffmanCode(counts: counts, limit: 15)
    // The last block or not, and that it has its own codes.
    output.put(isLast ? 0b101 : 0b100, width: 3)
    output.put(code)
    // No run is shorter.
    let unused = [BitStream.Word](repeating: BitStream.Word(0, width: 0), count: RunLength.shortest)
    var words = (0..<256).map { code.word($0) } + unused
    words += runs.map { length in
      let run = RunLength(length)
      return code.word(run.symbol).followed(by: run.rest, width: run.restWidth)
        // The only distance has a code of one bit, which is 0.
        .followed(by: 0, width: 1)
    }
    output.put(tokens[..<count], as: words, tally)
    output.put(code.word(256))
  }
}

/// How DEFLATE writes a length: a symbol, and bits behind it.
private struct RunLength {
  static let shortest = 3
  static let longest = 258

  let symbol: Int
  let rest: UInt32
  let restWidth: Int

  init(_ length: Int) {
    let over = length - Self.shortest
    // From 11 on four symbols share each width; 258 has its own symbol.
    let isWhole = length == Self.longest
    restWidth = over < 8 || isWhole ? 0 : over.bitWidth - over.leadingZeroBitCount - 3
    rest = isWhole ? 0 : UInt32(over & (1 << restWidth - 1))
    symbol = isWhole ? 285 : 257 + 4 * restWidth + over >> restWidth
  }
}
