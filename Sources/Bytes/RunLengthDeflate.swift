/// Compresses to a zlib stream, using only runs of the previous byte like zlib's `Z_RLE`.
///
/// Filtered photo rows have few other matches, and searching for them is slow
/// (decision 18).
package struct RunLengthDeflate {
  /// Input bytes per block, each with its own Huffman code; the last one may be a quarter longer.
  private static let blockSize = 32_768
  /// Shorter runs take more bits than their bytes, which are frequent and have short codes.
  private static let leastRun = 8
  /// The number of tokens: bytes, and runs as 256 plus their length.
  private static let tallySize = 256 + RunLength.longest + 1

  private let input: [UInt8]
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
    // The header for a 32 KB window and the fastest level.
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

  /// Finds runs; returns the number of tokens and the frequency of each.
  private static func tokenize(
    _ bytes: [UInt8], _ range: Range<Int>, into tokens: inout [UInt16]
  ) -> (count: Int, tally: [UInt32]) {
    // Alternates between two histograms, which lets the CPU overlap equal increments.
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
      // Any bit pattern is valid, and the offset is bounds-checked.
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
    // The flag of the last block, and the type of a block with dynamic Huffman codes.
    output.put(isLast ? 0b101 : 0b100, width: 3)
    output.put(code)
    // Lengths below the shortest run are unused.
    let unused = [BitStream.Word](repeating: BitStream.Word(0, width: 0), count: RunLength.shortest)
    var words = (0..<256).map { code.word($0) } + unused
    words += runs.map { length in
      let run = RunLength(length)
      return code.word(run.symbol).followed(by: run.rest, width: run.restWidth)
        // The only distance has the one-bit code 0.
        .followed(by: 0, width: 1)
    }
    output.put(tokens[..<count], as: words, tally)
    output.put(code.word(256))
  }
}

private struct RunLength {
  static let shortest = 3
  static let longest = 258

  let symbol: Int
  let rest: UInt32
  let restWidth: Int

  init(_ length: Int) {
    let over = length - Self.shortest
    // From length 11, four symbols share each number of extra bits; 258 has its own symbol.
    let isWhole = length == Self.longest
    restWidth = over < 8 || isWhole ? 0 : over.bitWidth - over.leadingZeroBitCount - 3
    rest = isWhole ? 0 : UInt32(over & (1 << restWidth - 1))
    symbol = isWhole ? 285 : 257 + 4 * restWidth + over >> restWidth
  }
}

/// A canonical Huffman code for DEFLATE.
struct HuffmanCode {
  /// In bits, by symbol; 0 for unused symbols.
  private(set) var lengths: [UInt8]
  /// By symbol, with the first bit as the lowest.
  private let codes: [UInt32]

  func word(_ symbol: Int) -> BitStream.Word {
    BitStream.Word(codes[symbol], width: Int(lengths[symbol]))
  }

  /// Builds a code of at most `limit` bits per symbol; flattens the counts until it fits.
  init(counts: [UInt32], limit: Int) {
    var counts = counts
    lengths = Self.lengths(of: counts)
    while lengths.contains(where: { Int($0) > limit }) {
      for symbol in counts.indices where counts[symbol] > 0 {
        counts[symbol] = (counts[symbol] + 1) / 2
      }
      lengths = Self.lengths(of: counts)
    }
    codes = Self.codes(of: lengths)
  }

  /// Returns Huffman code lengths, by merging the two rarest nodes until one is left.
  ///
  /// Sorted leaves and merged nodes form two queues, both with ascending counts.
  private static func lengths(of counts: [UInt32]) -> [UInt8] {
    var lengths = [UInt8](repeating: 0, count: counts.count)
    let leaves = counts.indices.filter { counts[$0] > 0 }
      .map { Int(counts[$0]) << 16 | $0 }.sorted()
    guard leaves.count > 1 else {
      if let only = leaves.first { lengths[only & 0xFFFF] = 1 }
      return lengths
    }
    var weights = leaves.map { $0 >> 16 }
    weights.reserveCapacity(leaves.count * 2)
    var parents = [Int](repeating: 0, count: leaves.count * 2 - 1)
    var leaf = 0
    var node = leaves.count
    while weights.count < parents.count {
      var weight = 0
      for _ in 0..<2 {
        let isLeaf =
          leaf < leaves.count && (node == weights.count || weights[leaf] <= weights[node])
        let rarest = isLeaf ? leaf : node
        if isLeaf { leaf += 1 } else { node += 1 }
        weight += weights[rarest]
        parents[rarest] = weights.count
      }
      weights.append(weight)
    }
    var depths = parents
    depths[depths.count - 1] = 0
    for index in depths.indices.dropLast().reversed() {
      depths[index] = depths[parents[index]] + 1
      if index < leaves.count { lengths[leaves[index] & 0xFFFF] = UInt8(depths[index]) }
    }
    return lengths
  }

  /// Assigns canonical codes: codes of equal length are consecutive, in symbol order.
  private static func codes(of lengths: [UInt8]) -> [UInt32] {
    var next = [UInt32](repeating: 0, count: 17)
    for length in lengths where length > 0 { next[Int(length) + 1] += 1 }
    for length in 1..<17 { next[length] = (next[length] + next[length - 1]) << 1 }
    return lengths.map { length in
      guard length > 0 else { return 0 }
      defer { next[Int(length)] += 1 }
      return next[Int(length)].bitReversed >> (32 - UInt32(length))
    }
  }
}

extension UInt32 {
  fileprivate var bitReversed: UInt32 {
    var bits = byteSwapped
    bits = (bits & 0x0F0F_0F0F) << 4 | bits >> 4 & 0x0F0F_0F0F
    bits = (bits & 0x3333_3333) << 2 | bits >> 2 & 0x3333_3333
    return (bits & 0x5555_5555) << 1 | bits >> 1 & 0x5555_5555
  }
}

/// A bit stream as in DEFLATE, which fills bytes from the lowest bit.
struct BitStream {
  /// A value and its width, packed into one number for lookup tables.
  struct Word {
    let packed: UInt32

    /// Takes at most 27 bits.
    init(_ value: UInt32, width: Int) {
      packed = value << 5 | UInt32(width)
    }

    var value: UInt32 { packed &>> 5 }
    var width: Int { Int(packed & 31) }

    func followed(by next: UInt32, width nextWidth: Int) -> Word {
      Word(value | next << UInt32(width), width: width + nextWidth)
    }
  }

  private(set) var bytes: [UInt8] = []
  private var rest: UInt64 = 0
  private var restWidth = 0

  mutating func put(_ value: UInt32, width: Int) {
    rest |= UInt64(value) << UInt64(restWidth)
    restWidth += width
    while restWidth >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
      restWidth -= 8
    }
  }

  mutating func put(_ word: Word) { put(word.value, width: word.width) }

  mutating func align() {
    if restWidth > 0 { put(0, width: 8 - restWidth) }
  }

  /// Writes each token's word; `tally` has the tokens' frequencies.
  mutating func put(_ tokens: ArraySlice<UInt16>, as words: [Word], _ tally: [UInt32]) {
    let width = zip(words, tally).reduce(restWidth) { $0 + $1.0.width * Int($1.1) }
    var at = bytes.count
    let end = at + width / 8
    // Stores write eight bytes at a time.
    bytes += repeatElement(0, count: width / 8 + 8)
    var bits = rest
    var count = restWidth
    var index = 0
    let tokens = tokens.span
    let words = words.span
    var span = bytes.mutableSpan
    // Any bit pattern is valid, and offsets are bounds-checked.
    var target = unsafe span.mutableBytes
    while index < tokens.count {
      // Two words of 21 bits and a partial byte fit.
      let word = words[Int(tokens[index])]
      bits |= UInt64(word.value) &<< UInt64(count)
      count &+= word.width
      index &+= 1
      if index < tokens.count {
        let word = words[Int(tokens[index])]
        bits |= UInt64(word.value) &<< UInt64(count)
        count &+= word.width
        index &+= 1
      }
      target.storeBytes(of: bits.littleEndian, toByteOffset: at, as: UInt64.self)
      at &+= count &>> 3
      bits &>>= UInt64(count & ~7)
      count &= 7
    }
    rest = bits
    restWidth = count
    bytes.removeLast(bytes.count - end)
  }
}

extension BitStream {
  /// The order of code length codes in a block header (RFC 1951, 3.2.7).
  private static let order = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  /// Writes the block's code lengths, and the length of the only distance code.
  mutating func put(_ code: HuffmanCode) {
    let used = code.lengths.lastIndex { $0 > 0 } ?? 0
    let lengths = code.lengths[...used] + [1]
    var counts = [UInt32](repeating: 0, count: 19)
    let steps = Self.steps(of: lengths)
    for step in steps { counts[step.symbol] += 1 }
    let inner = HuffmanCode(counts: counts, limit: 7)
    let named = max(4, 1 + (Self.order.lastIndex { counts[$0] > 0 } ?? 0))
    put(UInt32(used + 1 - 257), width: 5)
    put(0, width: 5)
    put(UInt32(named - 4), width: 4)
    for symbol in Self.order.prefix(named) { put(UInt32(inner.lengths[symbol]), width: 3) }
    for step in steps { put(inner.word(step.symbol).followed(by: step.rest, width: step.width)) }
  }

  private struct Step {
    var symbol: Int
    var rest: UInt32 = 0
    var width = 0
  }

  private static func steps(of lengths: ArraySlice<UInt8>) -> [Step] {
    var steps: [Step] = []
    var at = 0
    while at < lengths.count {
      let length = lengths[at]
      var count = lengths[at...].prefix { $0 == length }.count
      at += count
      if length > 0 {
        steps.append(Step(symbol: Int(length)))
        count -= 1
      }
      while count >= 3 {
        let part = min(count, length > 0 ? 6 : 138)
        steps.append(
          length > 0
            ? Step(symbol: 16, rest: UInt32(part - 3), width: 2)
            : part < 11
              ? Step(symbol: 17, rest: UInt32(part - 3), width: 3)
              : Step(symbol: 18, rest: UInt32(part - 11), width: 7))
        count -= part
      }
      steps += repeatElement(Step(symbol: Int(length)), count: count)
    }
    return steps
  }
}
