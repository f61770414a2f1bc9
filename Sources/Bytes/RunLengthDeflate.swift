/// A zlib compressor that matches only runs of the previous byte, like zlib's `Z_RLE`.
///
/// Filtered photo rows contain few other matches, and those take long to find (decision 18).
package struct RunLengthDeflate {
  /// The number of input bytes per block; the last block may be a quarter longer.
  private static let blockSize = 32_768
  /// The minimum length of an encoded run; shorter runs need fewer bits as single bytes.
  private static let leastRun = 8

  package static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var output = BitStream()
    // The header for a 32 KB window and the fastest compression level.
    output.put(0x0178, width: 16)
    var start = 0
    repeat {
      var end = start + blockSize
      if end + blockSize / 4 > bytes.count { end = bytes.count }
      write(unsafe bytes.span.bytes, start..<end, isLast: end == bytes.count, to: &output)
      start = end
    } while start < bytes.count
    output.align()
    output.put(Deflate.adler32(of: bytes.span).byteSwapped, width: 32)
    return output.bytes
  }

  private static func write(
    _ bytes: RawSpan, _ block: Range<Int>, isLast: Bool, to output: inout BitStream
  ) {
    let runs = runs(of: bytes, in: block)
    let counts = counts(of: bytes, in: block, runs)
    let code = HuffmanCode(counts: counts, limit: BitStream.codeLimit)
    // Write the flag for the last block, and the block type for dynamic Huffman codes.
    output.put(isLast ? 0b101 : 0b100, width: 3)
    output.put(code)
    // A length has up to five extra bits, and a distance code has one bit.
    let width = zip(code.lengths, counts).reduce(runs.count * 6) { $0 + Int($1.0) * Int($1.1) }
    output.put(bytes, block, runs, as: code, width: width)
    output.put(code.word(256))
  }

  private static func runs(of bytes: RawSpan, in block: Range<Int>) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    let start = max(block.lowerBound, 1)
    var at = start
    // Every run contains four aligned bytes, each equal to the byte before it.
    while at &+ 4 <= block.upperBound {
      let four = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: at, as: UInt32.self)
      guard unsafe four == bytes.unsafeLoadUnaligned(fromByteOffset: at &- 1, as: UInt32.self)
      else {
        at &+= 4
        continue
      }
      func isSame(_ index: Int) -> Bool {
        unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
          == UInt8(truncatingIfNeeded: four)
      }
      var first = at
      while first > start, isSame(first &- 2) { first &-= 1 }
      at &+= 4
      while at < block.upperBound, isSame(at) { at &+= 1 }
      while at &- first >= leastRun {
        let end = min(at, first &+ RunLength.longest)
        runs.append(first..<end)
        first = end
      }
    }
    return runs
  }

  private static func counts(
    of bytes: RawSpan, in block: Range<Int>, _ runs: [Range<Int>]
  ) -> [UInt32] {
    // Four histograms let the CPU overlap increments of the same value.
    var tally = InlineArray<1024, UInt32>(repeating: 0)
    var lengths = [UInt32](repeating: 0, count: 29)
    var at = block.lowerBound
    for run in runs + [block.upperBound..<block.upperBound] {
      while at &+ 4 <= run.lowerBound {
        let four = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: at, as: UInt32.self)
        tally[Int(four & 255)] &+= 1
        tally[256 &+ Int(four &>> 8 & 255)] &+= 1
        tally[512 &+ Int(four &>> 16 & 255)] &+= 1
        tally[768 &+ Int(four &>> 24)] &+= 1
        at &+= 4
      }
      while at < run.lowerBound {
        tally[Int(unsafe bytes.unsafeLoad(fromByteOffset: at, as: UInt8.self))] &+= 1
        at &+= 1
      }
      if !run.isEmpty { lengths[RunLength(run.count).symbol - 257] += 1 }
      at = run.upperBound
    }
    let literals = (0..<256).map { byte in
      tally[byte] + tally[byte + 256] + tally[byte + 512] + tally[byte + 768]
    }
    // `[1]` is the count of the end-of-block symbol.
    return literals + [1] + lengths
  }
}

private struct RunLength {
  private static let shortest = 3
  static let longest = 258

  let symbol: Int
  let rest: UInt32
  let restWidth: Int

  init(_ length: Int) {
    let over = length - Self.shortest
    // From length 11 on, four symbols share each number of extra bits; 258 has its own symbol.
    let isWhole = length == Self.longest
    restWidth = over < 8 || isWhole ? 0 : over.bitWidth - over.leadingZeroBitCount - 3
    rest = isWhole ? 0 : UInt32(over & (1 << restWidth - 1))
    symbol = isWhole ? 285 : 257 + 4 * restWidth + over >> restWidth
  }
}

/// A canonical Huffman code for DEFLATE.
struct HuffmanCode {
  private(set) var lengths: [UInt8]
  /// Each symbol's code, with the first bit in the lowest position.
  private let codes: [UInt32]

  func word(_ symbol: Int) -> (code: UInt32, width: Int) { (codes[symbol], Int(lengths[symbol])) }

  /// Creates a code with up to `limit` bits per symbol, halving the counts until the code fits.
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

/// A DEFLATE bit stream, which fills each byte from the lowest bit.
struct BitStream {
  /// The maximum length of a code, so that four codes and a partial byte fit in 64 bits.
  static let codeLimit = 14

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

  mutating func put(_ word: (code: UInt32, width: Int)) { put(word.code, width: word.width) }

  mutating func align() {
    if restWidth > 0 { put(0, width: 8 - restWidth) }
  }

  mutating func put(
    _ input: RawSpan, _ block: Range<Int>, _ runs: [Range<Int>], as code: HuffmanCode, width: Int
  ) {
    var words = InlineArray<256, UInt32>(repeating: 0)
    for byte in 0..<256 {
      let word = code.word(byte)
      words[byte] = word.code << 5 | UInt32(word.width)
    }
    var at = bytes.count
    // Leave space, because each store writes eight bytes.
    bytes += repeatElement(0, count: width / 8 + 16)
    var bits = rest
    var count = restWidth
    var span = bytes.mutableSpan
    var target = unsafe span.mutableBytes
    var index = block.lowerBound
    var rest = runs[...]
    while index < block.upperBound {
      let end = rest.first?.lowerBound ?? block.upperBound
      if index == end, let run = rest.popFirst() {
        let length = RunLength(run.count)
        let word = code.word(length.symbol)
        bits |= (UInt64(word.code) | UInt64(length.rest) << UInt64(word.width)) << UInt64(count)
        // The distance code is a single 0 bit.
        count &+= word.width &+ length.restWidth &+ 1
        index = run.upperBound
      } else if index &+ 4 <= end {
        let four = UInt32(
          littleEndian: unsafe input.unsafeLoadUnaligned(fromByteOffset: index, as: UInt32.self))
        let (first, second) = (words[Int(four & 255)], words[Int(four &>> 8 & 255)])
        let (third, fourth) = (words[Int(four &>> 16 & 255)], words[Int(four &>> 24)])
        let head = UInt64(first &>> 5) | UInt64(second &>> 5) &<< UInt64(first & 31)
        let tail = UInt64(third &>> 5) | UInt64(fourth &>> 5) &<< UInt64(third & 31)
        let middle = Int(first & 31) &+ Int(second & 31)
        bits |= (head | tail &<< UInt64(middle)) &<< UInt64(count)
        count &+= middle &+ Int(third & 31) &+ Int(fourth & 31)
        index &+= 4
      } else {
        let word = words[Int(unsafe input.unsafeLoad(fromByteOffset: index, as: UInt8.self))]
        bits |= UInt64(word &>> 5) &<< UInt64(count)
        count &+= Int(word & 31)
        index &+= 1
      }
      target.storeBytes(of: bits.littleEndian, toByteOffset: at, as: UInt64.self)
      at &+= count &>> 3
      bits &>>= UInt64(count & ~7)
      count &= 7
    }
    self.rest = bits
    restWidth = count
    bytes.removeLast(bytes.count - at)
  }
}

extension BitStream {
  /// The order of code length codes in a block header (RFC 1951, 3.2.7).
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

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
    for step in steps {
      put(inner.word(step.symbol))
      put(step.rest, width: step.width)
    }
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
