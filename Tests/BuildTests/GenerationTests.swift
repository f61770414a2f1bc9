import Build
import Dispatch
import Testing

struct GenerationTests {
  /// C5: 8 threads increase the generation 10,000 times each, to 80,000.
  ///
  /// If the counter is at its maximum, the next increase still makes earlier work outdated.
  @Test func `every increase in the counter is detected, even if it wraps around`() {
    let generation = Generation()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<10_000 { generation.increase() }
    }
    #expect(generation.current == 80_000)

    let last = Generation(startingAt: .max)
    let captured = last.current
    #expect(last.isCurrent(captured))
    #expect(last.increase() == .min)
    #expect(!last.isCurrent(captured))
  }

  @Test func `increasing the counter supersedes only work that started earlier`() {
    let generation = Generation()
    let whole = Cancellation()
    let old = Cancellation(of: generation, within: whole)
    #expect(!old.isCancelled)
    generation.increase()
    let new = Cancellation(of: generation, within: whole)
    #expect(old.isCancelled && old.isSuperseded && old.signalNumber == 0)
    #expect(!new.isCancelled)
    whole.cancel(signal: 2)
    #expect(new.isCancelled && !new.isSuperseded && new.signalNumber == 2)
  }

  @Test func `the signal number is 0 if work is cancelled after a failure`() {
    let halt = Cancellation()
    halt.cancel()
    #expect(halt.isCancelled && !halt.isSuperseded && halt.signalNumber == 0)
    #expect(throws: CancellationError.self) { try halt.check() }
    halt.cancel(signal: 15)
    #expect(halt.signalNumber == 15)
  }

  /// Without a signal, a status of 128 would be meaningless.
  @Test func `a cancelled build exits with the status for the signal`() {
    let generation = Generation()
    let whole = Cancellation()
    let one = Cancellation(of: generation, within: whole)
    func status() -> Int32 { BuildFailure(CancellationError(), one).exitStatus }
    #expect(status() == 3)
    generation.increase()
    guard case .superseded = BuildFailure(CancellationError(), one) else {
      Issue.record("the failure is not .superseded")
      return
    }
    whole.cancel(signal: 2)
    #expect(status() == 130)
  }
}
