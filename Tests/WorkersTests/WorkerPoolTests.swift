import Glibc
import Recipes
import Synchronization
import TestSupport
import Workers

struct WorkerPoolTests {
  let bench: Bench

  init() { bench = Bench() }

  @Test func `workers are not started before the first job`() {
    let pool = bench.pool(width: 2)
    #expect(pool.workersStarted == 0)
    #expect(pool.processIDs.isEmpty)
  }

  @Test func `results are in the same order as the recipes`() throws {
    let pool = bench.pool()
    let request = Samples.raster(recipes: Samples.recipes())
    let outcomes = try pool.render(request) { false }
    let sizes = try outcomes.map { try Inspection(inspecting: try $0.get().bytes).size }
    #expect(sizes == request.recipes.map(\.frame.box))
  }

  /// Noise cannot be compressed, so these are the largest possible responses.
  @Test func `an image of noise stays within the response limit in every format`() throws {
    let side = 1_500
    var random = SeededRandom(seed: 17)
    var pixels = Data(capacity: side * side * 4)
    for _ in 0..<side * side / 2 {
      let number = random.next()
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        pixels.append(UInt8(truncatingIfNeeded: number >> shift) | (shift % 32 == 24 ? 255 : 0))
      }
    }
    let recipes = OutputFormat.allCases.map { format in
      var recipe = Samples.recipe(side: side, format)
      recipe.outline = .square
      if format.defaultQuality != nil { recipe.encoding.quality = 100 }
      return recipe
    }
    let size = PixelSize(width: side, height: side)
    let outcomes = try bench.pool().render(
      RenderRequest(source: .raster(size), payload: pixels, recipes: recipes)
    ) { false }
    for (recipe, outcome) in zip(recipes, outcomes) {
      guard case .success(let image) = outcome else {
        Issue.record("\(recipe.encoding): \(outcome)")
        continue
      }
      #expect(try Inspection(inspecting: image.bytes).size == size)
    }
  }

  @Test func `a worker is reused for several jobs`() throws {
    let pool = bench.pool()
    for seed in 1...5 { _ = try pool.render(Samples.raster(seed: seed)) { false } }
    #expect(pool.workersStarted == 1)
  }

  @Test func `different workers produce the same bytes for the same request`() throws {
    let request = Samples.raster(recipes: Samples.recipes())
    let first = try bench.pool().render(request) { false }
    let second = try bench.pool().render(request) { false }
    #expect(first == second)
  }

  @Test func `the pool width limits the number of workers`() throws {
    let pool = bench.pool(gate: "before-decode", width: 2)
    let jobs = (1...4).map { seed in
      Background { pool.result(of: Samples.raster(seed: seed)) }
    }
    let first = try bench.processAtGate("before-decode")
    let second = try bench.processAtGate("before-decode", after: [first])
    #expect(pool.processIDs == [first, second])
    try bench.openGate()
    for job in jobs { _ = try job.value().get() }
    #expect(pool.workersStarted == 2)
  }

  @Test func `a worker is replaced when it reaches its job limit`() throws {
    let pool = bench.pool(limits: Bench.limits { $0.jobs = 2 })
    for seed in 1...5 { _ = try pool.render(Samples.raster(seed: seed)) { false } }
    #expect(pool.workersStarted == 3)
  }

  @Test func `a worker is replaced if it uses too much memory`() throws {
    let pool = bench.pool(limits: Bench.limits { $0.residentBytes = 1 })
    for seed in 1...2 { _ = try pool.render(Samples.raster(seed: seed)) { false } }
    #expect(pool.workersStarted == 2)
  }

  @Test func `stopping a pool ends all its workers`() throws {
    let pool = bench.pool()
    _ = try pool.render(Samples.raster()) { false }
    let processes = pool.processIDs
    #expect(processes.count == 1)
    pool.stop()
    #expect(processes.allSatisfy { !exists($0) })
    #expect(pool.processIDs.isEmpty)
    #expect(throws: WorkerFailure.cancelled) { try pool.render(Samples.raster()) { false } }
  }

  @Test func `releasing a pool ends its workers`() throws {
    var pool: WorkerPool? = bench.pool()
    _ = try pool?.render(Samples.raster()) { false }
    let processes = try #require(pool?.processIDs)
    pool = nil
    #expect(processes.count == 1)
    #expect(processes.allSatisfy { !exists($0) })
  }

  @Test func `a source over the request limit is rejected without being sent`() throws {
    let pool = bench.pool(limits: Bench.limits { $0.requestBytes = 4_096 })
    let outcomes = try pool.render(Samples.raster()) { false }
    guard case .failure(let rejection)? = outcomes.first else {
      Issue.record("the request was rendered")
      return
    }
    #expect(rejection.reason == .tooManyBytes)
  }

  @Test func `images over the response limit are rejected individually`() throws {
    let pool = bench.pool(limits: Bench.limits { $0.answerBytes = 32_768 })
    let recipes = [Samples.recipe(side: 16, .png), Samples.recipe(side: 1_000, .png)]
    let outcomes = try pool.render(Samples.raster(recipes: recipes)) { false }
    guard outcomes.count == 2, case .success = outcomes[0], case .failure = outcomes[1] else {
      Issue.record("\(outcomes)")
      return
    }
  }

  @Test func `the fingerprint names the program and its loaded libraries`() throws {
    let pool = bench.pool()
    let fingerprint = try pool.fingerprint()
    let program = URL(fileURLWithPath: BuiltProduct.worker).resolvingSymlinksInPath().path
    #expect(fingerprint.files.contains(program))
    #expect(fingerprint.files.contains { $0.contains("/libc.so") })
    #expect(fingerprint.files == fingerprint.files.sorted())
    #expect(!fingerprint.text.isEmpty)
    #expect(try pool.fingerprint() == fingerprint)
    #expect(pool.workersStarted == 1)
  }

  /// F39: a replaced program or library is treated as a different renderer.
  @Test func `a worker with an unexpected fingerprint does not render`() throws {
    let pool = bench.pool()
    pool.expect("another renderer")
    guard case .failure(.cannotStart(let reason)) = pool.result(of: Samples.raster()) else {
      Issue.record("expected the worker not to start")
      return
    }
    #expect(reason.contains("the renderer has changed"))
    #expect(pool.processIDs.isEmpty)
  }

  @Test func `the expected fingerprint is checked even if a worker is already running`() throws {
    let pool = bench.pool(width: 2)
    pool.expect(try pool.fingerprint().text)
    _ = try pool.render(Samples.raster()) { false }
    #expect(pool.workersStarted == 1)
    let other = bench.pool()
    _ = try other.fingerprint()
    other.expect("another renderer")
    guard case .failure(.cannotStart) = other.result(of: Samples.raster()) else {
      Issue.record("expected the worker not to start")
      return
    }
    #expect(other.processIDs.isEmpty)
  }

  @Test func `a fingerprint request can be cancelled while a worker hangs`()
    throws
  {
    let program = try bench.write("#!/bin/sh\nexec sleep 600\n", to: "hang", executable: true)
    let pool = WorkerPool(program: program, width: 1)
    let flag = Flag()
    let asked = Background {
      Result { () throws(WorkerFailure) in try pool.fingerprint { flag.isSet } }
    }
    #expect(eventually { pool.workersStarted == 1 }, "a start")
    flag.set()
    #expect(try asked.value() == .failure(.cancelled))
  }

  @Test func `a worker that exits leaves no child processes behind`() throws {
    let program = try bench.write(
      "#!/bin/sh\nsleep 600 >/dev/null 2>&1 </dev/null &\necho $! >> '\(bench.folder)/child'\n",
      to: "parent", executable: true)
    let pool = WorkerPool(program: program, width: 1)
    #expect(throws: WorkerFailure.self) { try pool.render(Samples.raster()) { false } }
    let children = try String(contentsOfFile: "\(bench.folder)/child", encoding: .utf8)
      .split(separator: "\n").compactMap { pid_t($0) }
    #expect(children.count == 2)
    for child in children {
      // The process that adopts the child may reap it late.
      #expect(eventually { !isAlive(child) })
    }
  }

  @Test func `a worker's endless error output is truncated`() throws {
    let program = try bench.write("#!/bin/sh\nexec yes >&2\n", to: "yes", executable: true)
    let pool = WorkerPool(program: program, width: 1, limits: Bench.limits { $0.startSeconds = 1 })
    guard case .failure(.cannotStart) = pool.result(of: Samples.raster()) else {
      Issue.record("expected the program not to start as a worker")
      return
    }
  }

  /// F7: 8 threads share 3 workers: each one serves one job at a time and returns to the pool.
  @Test func `eight threads can share three workers`() throws {
    // Disables replacement after the job limit.
    let pool = bench.pool(width: 3, limits: Bench.limits { $0.jobs = 10_000 })
    func request(_ thread: Int) -> RenderRequest {
      RenderRequest(
        source: .color(Color(red: UInt8(thread * 30), green: 90, blue: 40)),
        recipes: [Samples.recipe(side: 8 + thread, .png)])
    }
    let expected = try (0..<8).map { try bench.pool().render(request($0)) { false } }
    let threads = (0..<8).map { thread in
      let request = request(thread)
      let expected = expected[thread]
      return Background {
        // A worker shared by two threads would mix up their pictures.
        (0..<150).count { _ in pool.result(of: request) != .success(expected) }
      }
    }
    for thread in threads { #expect(try thread.value() == 0) }
    #expect(pool.workersStarted <= 3)
    #expect(pool.processIDs.count == pool.workersStarted)

    let cancelled = (0..<8).map { thread in
      let request = request(thread)
      return Background {
        (0..<20).count { round in
          let asked = Atomic(0)
          return pool.result(of: request) {
            asked.wrappingAdd(1, ordering: .relaxed).oldValue >= round % 4
          } == .failure(.cancelled)
        }
      }
    }
    for thread in cancelled { #expect(try thread.value() > 0) }
    #expect(pool.processIDs.count <= 3)
    for thread in 0..<8 {
      #expect(try pool.render(request(thread)) { false } == expected[thread])
    }
    pool.stop()
    #expect(pool.processIDs.isEmpty)
  }

  @Test(arguments: ["/nonexistent/sitegen", "/etc/hostname"])
  func `a program that cannot run is reported`(program: String) {
    let pool = WorkerPool(program: program, width: 1)
    guard case .failure(.cannotStart(let text)) = pool.result(of: Samples.raster()) else {
      Issue.record("expected the program not to start")
      return
    }
    #expect(text.contains(program))
  }

  @Test(arguments: ["/bin/true", "/bin/cat", "/usr/bin/yes", "/bin/false"])
  func `a program that is not a worker is reported`(program: String) throws {
    let pool = WorkerPool(program: program, width: 1)
    guard case .failure(.cannotStart) = pool.result(of: Samples.raster()) else {
      Issue.record("expected the program not to start as a worker")
      return
    }
    #expect(pool.workersStarted == 2)
    #expect(pool.processIDs.isEmpty)
  }
}
