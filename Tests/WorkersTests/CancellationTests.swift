import Glibc
import Synchronization
import TestSupport
import Workers

struct CancellationTests {
  let bench: Bench

  init() { bench = Bench() }

  /// I19: a cancelled job returns no finished images, and its worker is stopped.
  @Test(arguments: ["before-decode", "after-decode", "after-encode"])
  func `a cancelled job returns no images`(gate: String) throws {
    let pool = bench.pool(gate: gate)
    let flag = Flag()
    let result = Background {
      pool.result(of: Samples.raster(recipes: Samples.recipes())) { flag.isSet }
    }
    let process = try bench.processAtGate(gate)
    flag.set()
    #expect(try result.value() == .failure(.cancelled))
    #expect(!exists(process))
    try bench.openGate()
    _ = try pool.result(of: Samples.raster()).get()
    #expect(pool.workersStarted == 2)
  }

  @Test func `a job cancelled before it starts does not start a worker`() {
    let pool = bench.pool()
    #expect(pool.result(of: Samples.raster()) { true } == .failure(.cancelled))
    #expect(pool.workersStarted == 0)
  }

  @Test func `a job can be cancelled while it waits for a worker`() throws {
    let pool = bench.pool(gate: "before-decode")
    let busy = Background { pool.result(of: Samples.raster(seed: 1)) }
    _ = try bench.processAtGate("before-decode")
    let flag = Flag()
    let waiting = Background { pool.result(of: Samples.raster(seed: 2)) { flag.isSet } }
    flag.set()
    #expect(try waiting.value() == .failure(.cancelled))
    try bench.openGate()
    _ = try busy.value().get()
    #expect(pool.workersStarted == 1)
  }

  @Test func `stopping cancels running and waiting jobs`() throws {
    let pool = bench.pool(gate: "after-decode")
    let first = Background { pool.result(of: Samples.raster(seed: 1)) }
    let second = Background { pool.result(of: Samples.raster(seed: 2)) }
    let process = try bench.processAtGate("after-decode")
    pool.stop()
    #expect(try first.value() == .failure(.cancelled))
    #expect(try second.value() == .failure(.cancelled))
    #expect(!exists(process))
  }

  /// Two threads that stop a pool simultaneously must not deadlock.
  @Test func `several threads can stop a pool simultaneously`() throws {
    let pool = bench.pool(gate: "after-decode", width: 4)
    let jobs = (0..<4).map { seed in
      Background { pool.result(of: Samples.raster(seed: seed)) }
    }
    var processes: Set<pid_t> = []
    for _ in jobs {
      processes.insert(try bench.processAtGate("after-decode", after: processes))
    }
    let ends = (0..<4).map { _ in
      let end = Flag()
      Thread.detachNewThread {
        pool.stop()
        end.set()
      }
      return end
    }
    for job in jobs { #expect(try job.value() == .failure(.cancelled)) }
    #expect(eventually { ends.allSatisfy(\.isSet) }, "the ends of four stops")
    #expect(pool.processIDs.isEmpty && !processes.contains(where: exists))
  }
}

final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

  func set() { value.store(true, ordering: .sequentiallyConsistent) }
}
