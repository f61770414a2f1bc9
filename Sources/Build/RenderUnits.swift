import Bytes
import Diagnostics
import Files
import Foundation
import Recipes
import Store
import Workers

/// `sitegen render`: renders the units of a plan that nobody has rendered yet, and puts their pictures
/// into the store.
///
/// It needs no manifest and no cache. Any number may run at once, also of the same shard: equal units
/// have equal results, and the last writer counts.
package struct RenderUnits: Sendable {
  package struct Options: Sendable {
    package var plan: PlanLocation
    package var shard = 0
    /// Nil for as many as the plan says.
    package var shards: Int?
    package var jobs: Int
    package var memory = WorkerLimits.memory()
    package var requiresJail = false
    /// When its own units are done, those of others.
    package var steals = false
    /// Where sources lie that are not in the store.
    package var sources: String?
    package var worker: String

    package init(_ plan: PlanLocation, jobs: Int, worker: String) {
      (self.plan, self.jobs, self.worker) = (plan, jobs, worker)
    }
  }

  /// What one process did; `--json` prints it.
  package struct Outcome: Sendable, Encodable {
    package var shard = 0
    package var shards = 0
    /// Units that were there already.
    package var found = 0
    package var rendered = 0
    /// Of other shards, among those.
    package var stolen = 0
    package var images = 0
    /// Pictures that cannot be made; they are in the store as such.
    package var failed = 0
    package var seconds = 0.0
  }

  private let options: Options
  private let cancellation: Cancellation

  package init(_ options: Options, cancellation: Cancellation = Cancellation()) {
    self.options = options
    self.cancellation = cancellation
  }

  package func run() throws(BuildFailure) -> Outcome {
    do {
      return try rendered()
    } catch {
      throw BuildFailure(error, cancellation)
    }
  }

  private func rendered() throws -> Outcome {
    let start = SuspendingClock.now
    let (plan, store) = try options.plan.open(cancellation)
    var outcome = Outcome(shard: options.shard, shards: options.shards ?? plan.shards)
    guard outcome.shard < outcome.shards else {
      throw BuildFailure.usage(
        Diagnostic(
          .error, .badValue, "there is no shard \(outcome.shard) among \(outcome.shards)",
          help: "they are counted from 0"))
    }
    let pool = WorkerPool(
      program: options.worker, width: options.jobs, memory: options.memory,
      requiresJail: options.requiresJail)
    defer { pool.stop() }
    let renderer = UnitRenderer(
      store: store, pool: pool, plan: plan, jobs: options.jobs,
      sources: try options.sources.map { try Folder(opening: $0) }, cancellation: cancellation)

    let own = plan.units(of: outcome.shard, among: outcome.shards)
    var missing = try renderer.missing(own)
    outcome.found = own.count - missing.count
    // Who has nothing to do starts no worker.
    if !missing.isEmpty { try prepare(pool, plan, store) }
    try renderer.render(missing, &outcome)
    if options.steals {
      let all = Set(plan.units.compactMap { Digest(hex: $0) })
      let before = (outcome.found, outcome.rendered)
      let isFresh = missing.isEmpty
      missing = try renderer.missing(Array(all.subtracting(own)))
      if isFresh && !missing.isEmpty { try prepare(pool, plan, store) }
      try renderer.render(missing.shuffled(), &outcome)
      (outcome.stolen, outcome.found) = (outcome.rendered - before.1, before.0)
    }
    outcome.seconds = (SuspendingClock.now - start) / .seconds(1)
    return outcome
  }

  /// Gives workers what the plan wants them to have.
  private func prepare(_ pool: WorkerPool, _ plan: JobPlan, _ store: any ObjectStore) throws {
    var supplies: [String: Data] = [:]
    for name in plan.resources {
      guard let digest = Digest(hex: name), let bytes = try store.get(.bytes(digest)),
        Digest(of: bytes) == digest
      else { throw BuildFailure.lacking("fonts or badges of the plan", in: store) }
      supplies[name] = bytes
    }
    pool.supply(supplies, draws: plan.draws)
    let own: WorkerFingerprint
    do throws(WorkerFailure) {
      own = try pool.fingerprint { cancellation.isCancelled }
    } catch {
      throw BuildFailure(error).map { $0 as any Error } ?? CancellationError()
    }
    guard own.agrees(with: plan.renderer) else {
      throw BuildFailure.otherRenderer(plan.renderer, own.text)
    }
    pool.expect(plan.renderer)
  }
}

extension BuildFailure {
  static func lacking(_ what: String, in store: any ObjectStore) -> BuildFailure {
    .machine(
      Diagnostic(
        .error, .storeAway, "\(store.address) lacks \(what)",
        help: "plan again: that puts there what is missing"))
  }
}

/// Renders units one after the other; while one is rendered, the next one is read.
private struct UnitRenderer: Sendable {
  let store: any ObjectStore
  let pool: WorkerPool
  let plan: JobPlan
  let jobs: Int
  let sources: Folder?
  let cancellation: Cancellation

  private struct Done: Sendable {
    var images = 0
    var failed = 0
  }

  /// Those that nobody has rendered.
  func missing(_ units: [Digest]) throws -> [Digest] {
    let queue = try WorkQueue(waiting: "store", width: 16, cancellation: cancellation)
    var missing: [Digest] = []
    try queue.map(units) { unit in
      try Pack.isWhole(JobUnit.resultKey(of: unit), in: store)
    } receive: { unit, result in
      if try !result.get() { missing.append(unit) }
    }
    return missing
  }

  func render(_ units: [Digest], _ outcome: inout RenderUnits.Outcome) throws {
    let queue = try WorkQueue(waiting: "units", width: 2, cancellation: cancellation)
    try queue.map(units) {
      try render($0)
    } receive: { _, result in
      guard let done = try result.get() else {
        outcome.found += 1
        return
      }
      outcome.rendered += 1
      outcome.images += done.images
      outcome.failed += done.failed
    }
  }

  /// Nil if somebody has rendered it.
  private func render(_ digest: Digest) throws -> Done? {
    let key = JobUnit.resultKey(of: digest)
    if try Pack.isWhole(key, in: store) { return nil }
    guard let bytes = try store.get(.bytes(digest)), Digest(of: bytes) == digest else {
      throw BuildFailure.lacking("a unit of the plan", in: store)
    }
    let unit = try JobUnit(bytes)
    guard unit.renderer == plan.renderer else {
      throw BuildFailure.otherRenderer(unit.renderer, plan.renderer)
    }
    let payloads = try payloads(of: unit)
    try checkFolder(of: unit)
    var done = Done()
    var pieces: [Data] = []
    let queue = WorkQueue(name: "jobs", width: jobs, cancellation: cancellation)
    try queue.map(unit.jobs) { job in
      try result(of: job, recipes: unit.recipes(of: job), payloads)
    } receive: { _, result in
      let (result, failed) = try result.get()
      pieces.append(result.piece)
      done.failed += failed
    }
    done.images = unit.jobs.reduce(0) { $0 + $1.recipes.count } - done.failed
    try Pack.put(pieces, as: key, in: store)
    return done
  }

  private func payloads(of unit: JobUnit) throws -> [Digest: Data] {
    let packed = unit.packed
    guard !packed.isEmpty else { return [:] }
    guard let pieces = try Pack.get(unit.sourcesKey, count: packed.count, in: store),
      zip(pieces, packed).allSatisfy({ Digest(of: $0) == $1 })
    else {
      Pack.renounce(unit.sourcesKey, in: store)
      throw BuildFailure.lacking("sources of the plan", in: store)
    }
    return Dictionary(uniqueKeysWithValues: zip(packed, pieces))
  }

  /// Whether the folder of sources is there: where it is not, nothing would seem to be renderable.
  private func checkFolder(of unit: JobUnit) throws {
    let files = unit.jobs.compactMap(\.file)
    guard !files.isEmpty else { return }
    guard let sources else {
      throw BuildFailure.usage(
        Diagnostic(
          .error, .badValue, "the pictures of the plan lie in a folder that is not named",
          help: "name the manifest's folder with --sources"))
    }
    let source = FileSource(folder: sources, allowOutside: false)
    guard files.contains(where: { (try? source.stamp(of: $0)) ?? nil != nil }) else {
      throw BuildFailure.machine(
        Diagnostic(
          .error, .machineFailed, "no picture of the plan is in the folder that --sources names",
          help: "is its disk mounted?"))
    }
  }

  private func result(
    of job: JobUnit.Job, recipes: [Recipe], _ payloads: [Digest: Data]
  ) throws -> (UnitResult, failed: Int) {
    var payload = payloads[job.digest] ?? Data()
    if let path = job.file {
      // A folder that all see may be newer than the plan: then who assembles renders it.
      let file = try? sources.map { try FileSource(folder: $0, allowOutside: false).read(path) }
      guard let file, file.digest == job.digest else {
        return (.failed(Rejection(.changed, "it is not the file that was planned")), recipes.count)
      }
      payload = file.bytes
    }
    // What a unit says of a file decides how much memory it gets.
    if case .encoded(let inspection, _) = job.source,
      (try? Inspection(inspecting: payload)) != inspection
    {
      return (.failed(Rejection(.corrupt, "it is not what the plan says")), recipes.count)
    }
    let request = RenderRequest(source: job.source, payload: payload, recipes: recipes)
    do throws(WorkerFailure) {
      let outcomes = try pool.render(request) { cancellation.isCancelled }
      let answer = AnswerMessage(outcomes, limit: .max).bytes
      guard answer.count < Pack.pieceLimit else {
        return (.failed(Rejection(.renderFailed, "the pictures are too large")), recipes.count)
      }
      let failed = outcomes.count { if case .rejected = $0 { true } else { false } }
      return (.answer(answer), failed)
    } catch {
      guard let rejection = JobRunner.rejection(of: error) else {
        throw BuildFailure(error).map { $0 as any Error } ?? CancellationError()
      }
      return (.failed(rejection), recipes.count)
    }
  }
}
