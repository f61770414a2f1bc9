/// Bits as DEFLATE packs them: each byte is filled from its lowest bit.
struct BitStream {
  /// A value, and how many bits of it are written: both in one number, for tables.
  struct Word {
    let packed: UInt32

    /// Of at most 27 bits.
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
  /// What does not fill a byte yet.
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

  /// Fills the last byte with zeros.
  mutating func align() {
    if restWidth > 0 { put(0, width: 8 - restWidth) }
  }

  /// Writes the word of each token; `tally` says how often each occurs.
  mutating func put(_ tokens: ArraySlice<UInt16>, as words: [Word], _ tally: [UInt32]) {
    let width = zip(words, tally).reduce(restWidth) { $0 + $1.0.width * Int($1.1) }
    var at = bytes.count
    let end = at + width / 8
    // Eight bytes are stored at once.
    bytes += repeatElement(0, count: width / 8 + 8)
    var bits = rest
    var count = restWidth
    var index = 0
    let tokens = tokens.span
    let words = words.span
    var span = bytes.mutableSpan
    // Bytes have any values, and each place is checked.
    var target = unsafe span.mutableBytes
    while index < tokens.count {
      // Two words of 21 bits and the rest of a byte fit.
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
  /// The order in which a block names the lengths of the code for lengths.
  private static let order = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  /// Writes the lengths of a block's code, and those of one distance.
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

  /// One length, or several equal ones.
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
