import Samples
import Testing

struct RandomStreamTests {
  @Test func `numbers never change`() {
    var lots = RandomStream(seed: 42, stream: 7)
    let first = (0..<3).map { _ in lots.next() }
    #expect(
      first == [8_648_341_468_278_854_358, 11_953_947_218_260_288_439, 5_815_881_157_163_534_919])
  }

  @Test func `seeds and streams have nothing in common`() {
    var seen: Set<UInt64> = []
    for seed in 0..<20 as Range<UInt64> {
      for stream in 0..<20 as Range<UInt64> {
        var lots = RandomStream(seed: seed, stream: stream)
        for _ in 0..<5 { seen.insert(lots.next()) }
      }
    }
    #expect(seen.count == 20 * 20 * 5)
  }

  @Test func `every index below the count comes up and none else`() {
    var lots = RandomStream(seed: 1)
    var counts = [Int](repeating: 0, count: 7)
    for _ in 0..<7_000 { counts[lots.index(below: 7)] += 1 }
    #expect(counts.allSatisfy { (800...1200).contains($0) })
  }

  @Test func `fractions stay below one`() {
    var lots = RandomStream(seed: 3)
    for _ in 0..<10_000 {
      let fraction = lots.fraction()
      #expect(fraction >= 0 && fraction < 1)
    }
  }
}
