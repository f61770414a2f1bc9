import Foundation
import Glibc
import Synchronization
import Testing
import Workers

struct CancellationTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// I19: a cancelled job gives nothing, not even of what it had finished, and its worker is gone.
  @Test(arguments: ["before-decode", "after-decode", "after-encode"])
  func `a cancelled job gives nothing`(gate: String) async throws {
    let pool = bench.pool(gate: gate)
    let flag = Flag()
    async let result = inBackground {
      pool.result(of: Samples.raster(recipes: Samples.recipes())) { flag.isSet }
    }
    let process = bench.processAtGate(gate)
    flag.set()
    #expect(await result == .failure(.cancelled))
    #expect(!exists(process))
    try bench.openGate()
    _ = try pool.result(of: Samples.raster()).get()
    #expect(pool.workersStarted == 2)
  }

  @Test func `a job that is cancelled before it begins starts nothing`() {
    let pool = bench.pool()
    #expect(pool.result(of: Samples.raster()) { true } == .failure(.cancelled))
    #expect(pool.workersStarted == 0)
  }

  @Test func `a job that waits for a worker can be cancelled`() async throws {
    let pool = bench.pool(gate: "before-decode")
    async let busy = inBackground { pool.result(of: Samples.raster(seed: 1)) }
    _ = bench.processAtGate("before-decode")
    let flag = Flag()
    async let waiting = inBackground { pool.result(of: Samples.raster(seed: 2)) { flag.isSet } }
    flag.set()
    #expect(await waiting == .failure(.cancelled))
    try bench.openGate()
    _ = try await busy.get()
    #expect(pool.workersStarted == 1)
  }

  @Test func `stopping cancels the job that runs and the one that waits`() async throws {
    let pool = bench.pool(gate: "after-decode")
    async let first = inBackground { pool.result(of: Samples.raster(seed: 1)) }
    async let second = inBackground { pool.result(of: Samples.raster(seed: 2)) }
    let process = bench.processAtGate("after-decode")
    pool.stop()
    #expect(await first == .failure(.cancelled))
    #expect(await second == .failure(.cancelled))
    #expect(!exists(process))
  }
}

/// What a test says from another thread.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

  func set() { value.store(true, ordering: .sequentiallyConsistent) }
}
