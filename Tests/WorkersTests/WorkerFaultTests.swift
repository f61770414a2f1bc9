import Foundation
import Glibc
import Recipes
import Testing
import Workers

/// Each fault fails one item, and the next valid image is rendered as usual.
struct WorkerFaultTests {
  let bench: Bench

  init() { bench = Bench() }

  private func expectGoodImage(from pool: WorkerPool) throws {
    let request = Samples.raster(seed: 9)
    let expected = try bench.pool().render(request) { false }
    #expect(try pool.render(request) { false } == expected)
  }

  /// I18: if a decoder crashes, the job is retried once, then rejected with the signal.
  @Test func `an item fails if its worker crashes twice`() throws {
    let pool = try bench.pool(fault: "segv", times: 2)
    #expect(pool.result(of: Samples.raster()) == .failure(.crashed(signal: SIGSEGV)))
    #expect(pool.workersStarted == 2)
    try expectGoodImage(from: pool)
  }

  /// I18: a worker that fails during a job is replaced, and the job is retried.
  @Test(arguments: ["segv", "exit", "garbage", "short"])
  func `an item succeeds if its worker fails only once`(fault: String) throws {
    let pool = try bench.pool(fault: fault, times: 1)
    try expectGoodImage(from: pool)
    #expect(pool.workersStarted == 2)
  }

  /// I18: an exit during a job is reported with its status and last output.
  @Test func `an item fails if its worker exits twice`() throws {
    let pool = try bench.pool(fault: "exit", times: 2)
    #expect(
      pool.result(of: Samples.raster())
        == .failure(.exited(code: 7, message: "a fault for tests")))
    try expectGoodImage(from: pool)
  }

  /// I18: garbage and a partial frame on the pipe are rejected and do not crash the build.
  @Test(arguments: ["garbage", "short"])
  func `an item fails if its worker sends garbage twice`(fault: String) throws {
    let pool = try bench.pool(fault: fault, times: 2)
    #expect(pool.result(of: Samples.raster()) == .failure(.garbled))
    try expectGoodImage(from: pool)
  }

  /// I18: a hang ends at the wall limit without a retry, and the pool continues.
  @Test func `an item fails without a retry if its worker hangs`() throws {
    let pool = try bench.pool(fault: "hang", times: 1, limits: Bench.limits { $0.wallSeconds = 2 })
    #expect(pool.result(of: Samples.raster()) == .failure(.hung))
    #expect(pool.workersStarted == 1)
    try expectGoodImage(from: pool)
  }

  /// I18: a job whose worker is killed for lack of memory is retried once, alone.
  ///
  /// F27: the build continues without the picture.
  @Test func `an item is reported as out of memory if its worker is killed twice`() throws {
    let pool = bench.pool(gate: "before-decode")
    let result = Background { pool.result(of: Samples.raster()) }
    let first = try bench.processAtGate("before-decode")
    kill(first, SIGKILL)
    let second = try bench.processAtGate("before-decode", after: [first])
    kill(second, SIGKILL)
    #expect(try result.value() == .failure(.outOfMemory))
    #expect(!exists(first) && !exists(second))
    try bench.openGate()
    try expectGoodImage(from: pool)
  }

  /// I18: if a worker is killed during a job, the job is retried and nothing is lost.
  @Test(arguments: ["before-decode", "after-decode", "after-encode"])
  func `an item succeeds if its worker is killed only once`(gate: String) throws {
    let request = Samples.raster(recipes: Samples.recipes())
    let expected = try bench.pool().result(of: request).get()
    let pool = bench.pool(gate: gate)
    let result = Background { pool.result(of: request) }
    let process = try bench.processAtGate(gate)
    kill(process, SIGKILL)
    // Opens the gate after the kill, because otherwise the job could finish first.
    try bench.openGate()
    #expect(try result.value().get() == expected)
    #expect(pool.workersStarted == 2)
  }

  /// I2: a busy machine causes no failures: the wall limit only detects hangs.
  @Test func `a job that uses the CPU may exceed the wall-clock limit`() throws {
    let side = 5_600
    let inspection = Inspection(format: .jpeg, size: PixelSize(width: side, height: side))
    let request = RenderRequest(
      source: .encoded(inspection, reduction: 8), payload: Samples.scanBomb(side: side),
      recipes: [Samples.recipe(side: 64, .png)])
    let pool = bench.pool(
      limits: Bench.limits {
        $0.processorSeconds = 30
        $0.wallSeconds = 0.3
      })
    var began = SuspendingClock.now
    var result = pool.result(of: request)
    // On a very busy machine, the worker may get too little CPU time, and then seems to hang.
    for _ in 0..<9 where result == .failure(.hung) {
      began = .now
      result = pool.result(of: request)
    }
    _ = try result.get()
    #expect(SuspendingClock.now - began > .seconds(0.3))
  }

  /// I2: a worker that exceeds the CPU limit is stopped.
  @Test func `a worker that exceeds the CPU limit is stopped`() throws {
    let side = 7_000
    // Only the CPU limit can be reached.
    let pool = bench.pool(
      limits: Bench.limits {
        $0.processorSeconds = 1
        $0.wallSeconds = 600
      })
    let request = Samples.png(
      Samples.blankPNG(side: side), side: side, recipes: [Samples.recipe(side: 6_900, .webp)])
    #expect(pool.result(of: request) == .failure(.timedOut))
    try expectGoodImage(from: pool)
  }

  /// I2: memory is estimated from the header, and a picture above the budget is not attempted.
  @Test func `a picture over the memory budget does not start a worker`() throws {
    let pool = bench.pool(memory: 512 << 20)
    let large = Samples.png(Samples.blankPNG(side: 7_000), side: 7_000)
    guard case .failure(.tooLarge(let bytes, 536_870_912)) = pool.result(of: large) else {
      Issue.record("expected the picture to be too large")
      return
    }
    #expect(bytes > 7_000 * 7_000 * 8)
    #expect(pool.workersStarted == 0)
    try expectGoodImage(from: pool)
  }

  /// I22: an SVG's memory estimate is unreliable, so the SVG is drawn with the whole budget.
  @Test(arguments: [128, 256])
  func `an SVG is drawn even if its memory estimate exceeds the budget`(megabytes: Int) throws {
    let circle = "<circle cx='5' cy='5' r='4'/>"
    let file = Data(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>\(circle)</svg>".utf8)
    let inspection = try Inspection(inspecting: file)
    // The recipe has a size of 256 at scale 3.
    let recipe = Samples.recipe(side: 768, .png)
    let request = RenderRequest(
      source: .encoded(inspection, reduction: inspection.reduction(for: recipe.frame)),
      payload: file, recipes: [recipe])
    let outcomes = try bench.pool(memory: megabytes << 20).render(request) { false }
    guard case .success? = outcomes.first else {
      Issue.record("\(outcomes)")
      return
    }
  }

  /// I2: heavy pictures are decoded one at a time, with light ones in parallel.
  @Test func `large pictures are decoded one at a time`() throws {
    let side = 4_000
    let heavy = Samples.png(Samples.blankPNG(side: side), side: side)
    // The budget is enough for one and a half of the heavy pictures.
    let pool = bench.pool(gate: "after-decode", width: 3, memory: 640 << 20)
    let results = (0..<2).map { _ in Background { pool.result(of: heavy) } }
    let first = try bench.processAtGate("after-decode")
    let light = Background { pool.result(of: Samples.raster()) }
    // The second heavy job is next in the queue and has no worker yet.
    usleep(300_000)
    #expect(pool.processIDs == [first])
    try bench.openGate()
    for result in results { _ = try result.value().get() }
    _ = try light.value().get()
  }

  /// I2: a picture that exceeds its worker's memory limit is rejected with that reason.
  @Test func `a picture that exceeds the worker's memory limit is rejected`() throws {
    let side = 7_000
    let pool = bench.pool(limits: Bench.limits { $0.addressSpace = 350 << 20 })
    let request = Samples.png(Samples.blankPNG(side: side), side: side)
    #expect(pool.result(of: request) == .failure(.outOfMemory))
    try expectGoodImage(from: pool)
  }

  /// The first limit is too small for 64 MB of pixels, and the second one for a copy of them.
  @Test(arguments: [200, 240])
  func `a request that does not fit in memory is rejected`(megabytes: Int) throws {
    let side = 4_000
    let pool = bench.pool(limits: Bench.limits { $0.addressSpace = megabytes << 20 })
    let size = PixelSize(width: side, height: side)
    let pixels = Data(count: side * side * 4)
    let request = RenderRequest(
      source: .raster(size), payload: pixels, recipes: [Samples.recipe(side: 64, .png)])
    #expect(pool.result(of: request) == .failure(.outOfMemory))
    #expect(pool.workersStarted == 1)
    try expectGoodImage(from: pool)
  }

  /// libaom reports running out of memory only as a general error.
  @Test(arguments: [250, 350])
  func `an encoder that runs out of memory is reported`(megabytes: Int) throws {
    let pool = bench.pool(limits: Bench.limits { $0.addressSpace = megabytes << 20 })
    let request = Samples.raster(recipes: [Samples.recipe(side: 2_048, .avif)])
    #expect(pool.result(of: request) == .failure(.outOfMemory))
    try expectGoodImage(from: pool)
  }

  /// The size is close to the largest allowed source.
  @Test func `a 49-megapixel picture is rendered`() throws {
    let side = 7_000
    let request = Samples.png(Samples.blankPNG(side: side), side: side)
    let outcomes = try bench.pool().render(request) { false }
    guard case .success? = outcomes.first else {
      Issue.record("\(outcomes)")
      return
    }
  }
}
