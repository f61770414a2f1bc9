/// A stream of numbers that is the same on every machine and in every process.
///
/// xoshiro256** by Blackman and Vigna, seeded through SplitMix64; `Hasher` and the system's
/// generators differ from run to run.
package struct RandomStream: Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  /// Streams of one seed with different numbers have nothing in common.
  package init(seed: UInt64, stream: UInt64 = 0) {
    var word = Self.scrambled(seed) &+ stream &* 0xd1b5_4a32_d192_ed03
    func next() -> UInt64 {
      word &+= 0x9e37_79b9_7f4a_7c15
      return Self.scrambled(word)
    }
    state = (next(), next(), next(), next())
  }

  private static func scrambled(_ word: UInt64) -> UInt64 {
    var mixed = word
    mixed = (mixed ^ (mixed &>> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed &>> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed &>> 31)
  }

  package mutating func next() -> UInt64 {
    let product = state.1 &* 5
    let result = ((product &<< 7) | (product &>> 57)) &* 9
    let shifted = state.1 &<< 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = (state.3 &<< 45) | (state.3 &>> 19)
    return result
  }

  /// From 0 up to, but not reaching, 1.
  package mutating func fraction() -> Double { Double(next() &>> 11) * 0x1p-53 }

  package mutating func number(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + fraction() * (range.upperBound - range.lowerBound)
  }

  /// From 0 up to, but not reaching, `count`.
  package mutating func index(below count: Int) -> Int {
    precondition(count > 0, "nothing to choose from")
    return Int(next().multipliedFullWidth(by: UInt64(count)).high)
  }

  package mutating func element<Element>(of elements: [Element]) -> Element {
    elements[index(below: elements.count)]
  }

  package mutating func chance(_ probability: Double) -> Bool { fraction() < probability }
}
