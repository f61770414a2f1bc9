import Synchronization
import TestSupport

/// Pseudorandom offsets with a fixed seed, spread over a file.
struct Places: Sequence, IteratorProtocol {
  private var state: UInt64 = 0x9e37_79b9_7f4a_7c15
  private var left: Int
  private let size: Int

  init(_ count: Int, in size: Int) {
    left = count
    self.size = size
  }

  mutating func next() -> Int? {
    if left == 0 || size == 0 { return nil }
    left -= 1
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(size))
  }
}

extension TemporaryFolder {
  func flip(_ name: String, at place: Int) throws {
    var bytes = try read(name)
    bytes[place] ^= UInt8(truncatingIfNeeded: place &* 31) | 1
    try write(bytes, to: name)
  }
}

final class Counter: Sendable {
  private let value = Atomic<Int>(0)

  var count: Int { value.load(ordering: .relaxed) }

  func add() { value.wrappingAdd(1, ordering: .relaxed) }
}
