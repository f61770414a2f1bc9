/// A prefix code as DEFLATE has it: short for what is frequent.
struct HuffmanCode {
  /// In bits, by symbol; 0 for those that do not occur.
  private(set) var lengths: [UInt8]
  /// By symbol, with the first bit of the code as the lowest.
  private let codes: [UInt32]

  func word(_ symbol: Int) -> BitStream.Word {
    BitStream.Word(codes[symbol], width: Int(lengths[symbol]))
  }

  /// Makes the best code of at most `limit` bits a symbol, or one close to it.
  ///
  /// A code that gets too long is made again of counts that differ less.
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

  /// A tree's depths, by Huffman's method: the two rarest nodes become one until one is left.
  ///
  /// Sorted leaves and the nodes that were made of them are two queues, each from rare to frequent.
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

  /// Codes of one length follow each other in the order of their symbols.
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
