import Files
import Foundation
import Plan
import Recipes
import Store
import Workers

/// Makes every planned image that the store does not have yet.
///
/// 1. An image is looked up by its render key; the key is the truth.
/// 2. What is missing is grouped into jobs: one source at one decode scale.
/// 3. What the bytes decided, a rejection too, is remembered under the key; what the machine
///    decided (a crash, a time limit) is tried again by the next build.
struct Renderer {
  let fingerprint: String
  let runner: JobRunner
  let index: Index
  let queue: WorkQueue
  let tally: Tally
  let ignoresIndex: Bool
  let progress: @Sendable (ProgressEvent) -> Void

  /// How the rendering of a plan went, beside the images.
  struct Outcome {
    /// Different images among those that were wanted.
    var distinct = 0
    /// Images that a dry run has left to be made.
    var missing = 0
    /// Sources whose file changed after it was gathered.
    var changed: Set<Int> = []
    /// Something failed that may work next time.
    var hasTransientFailures = false
  }

  /// Makes what `rendered` does not know yet.
  ///
  /// - Parameters:
  ///   - plan: What is wanted.
  ///   - looks: What the plan's looks are numbers of.
  ///   - sources: What the plan's items are numbers of.
  ///   - rendered: Gets the images and the rejections.
  ///   - isDry: Only look up; what is missing is counted.
  ///   - lost: Images that the index knows and the store has lost.
  /// - Throws: `CancellationError`, or what keeps any picture from being rendered; images that
  ///   were finished by then are remembered.
  /// - Returns: How it went.
  func render(
    _ plan: Plan, looks: StyleVariants, sources: SourceSet, into rendered: inout RenderedSet,
    isDry: Bool = false, lost: Set<Digest> = []
  ) throws -> Outcome {
    var outcome = Outcome()
    var meter = Progress(total: plan.items.count, report: progress)
    var memory = Memory(index: index)
    var recipeKeys = RecipeKeys(looks, fingerprint: fingerprint)
    var open: [Int: ItemInProgress] = [:]
    var failure: (any Error)?
    // Set by the first error that is more than one item's: what waits is not begun.
    let halt = Cancellation()

    for chunk in Chunks(of: plan.items.indices, size: 2048) {
      let unknown = chunk.map { number in
        (number: number, item: plan.items[number].without { rendered[$0, $1] != nil })
      }
      for (_, item) in unknown {
        for look in item.looks { try recipeKeys.add(look, for: sources.sources[item.source]) }
      }
      let items = try lookUp(unknown, recipeKeys, sources, lost)
      outcome.distinct += items.reduce(0) { $0 + $1.results.count + $1.missing.count }
      for item in items where item.missing.isEmpty {
        item.finish(into: &rendered)
        meter.advance()
      }
      if isDry {
        outcome.missing += items.reduce(0) { $0 + $1.missing.count }
        continue
      }
      let jobs = items.flatMap { $0.jobs(looks, sources.sources[$0.item.source]) }
      for item in items where !item.missing.isEmpty { open[item.number] = item }
      queue.map(
        jobs, as: .render,
        work: { job in
          try halt.check()
          return try runner.run(job, isAfresh: !lost.isEmpty)
        },
        receive: { job, result in
          do {
            try receive(try result.get(), of: job, &open, &rendered, &outcome, &memory)
            if open[job.item] == nil { meter.advance() }
          } catch {
            let isCancelled = error is CancellationError
            if isCancelled { runner.countEnd() } else { halt.cancel() }
            if failure == nil || failure is CancellationError { failure = error }
          }
        })
      if let failure {
        // The first failure is the one to tell.
        try? memory.flush()
        throw failure
      }
    }
    try memory.flush()
    return outcome
  }

  // MARK: Looking up

  private func lookUp(
    _ items: [(number: Int, item: Plan.Item)], _ recipeKeys: RecipeKeys, _ sources: SourceSet,
    _ lost: Set<Digest>
  ) throws -> [ItemInProgress] {
    var found: [ItemInProgress] = []
    try queue.map(Chunks(of: items, size: 256)) { chunk in
      try chunk.map {
        try lookUp($0.item, number: $0.number, recipeKeys, sources.sources[$0.item.source], lost)
      }
    } receive: { _, result in
      found += try result.get()
    }
    return found
  }

  private func lookUp(
    _ item: Plan.Item, number: Int, _ recipeKeys: RecipeKeys, _ source: Source,
    _ lost: Set<Digest>
  ) throws -> ItemInProgress {
    let wanted = item.looks.map { recipeKeys.keys(of: $0, for: source) }
    var progress = ItemInProgress(number: number, item: item, keys: wanted)
    let distinct = Array(Set(wanted.joined()))
    let records = ignoresIndex && lost.isEmpty ? [] : try index.get(.renders, distinct)
    for (key, bytes) in zip(distinct, records) {
      guard let render = bytes.flatMap(RenderRecord.render) else { continue }
      if case .success(let render) = render, lost.contains(render.asset.digest) { continue }
      progress.results[key] = render
    }
    tally.count(\.cacheHits, progress.results.count)
    progress.missing = Set(distinct.filter { progress.results[$0] == nil })
    return progress
  }

  // MARK: Jobs

  private func receive(
    _ result: JobResult, of job: RenderJob, _ open: inout [Int: ItemInProgress],
    _ rendered: inout RenderedSet, _ outcome: inout Outcome, _ memory: inout Memory
  ) throws {
    if case .finished(let results) = result {
      for (key, result) in zip(job.keys, results) { try memory.remember(key, result) }
    }
    // Nil when another job of the item has ended it already. Taken out, since a copy of an item
    // with many jobs would be made for each of them.
    guard var item = open.removeValue(forKey: job.item) else { return }
    switch result {
    case .changed:
      outcome.changed.insert(item.item.source)
      return
    case .failed(let rejection):
      outcome.hasTransientFailures = true
      for look in item.item.looks { rendered[item.item.source, look] = .failure(rejection) }
      return
    case .finished(let results):
      for (key, result) in zip(job.keys, results) {
        item.results[key] = result
        item.missing.remove(key)
      }
    }
    if item.missing.isEmpty { item.finish(into: &rendered) } else { open[job.item] = item }
  }

  /// One source on its way from keys to images.
  private struct ItemInProgress {
    let number: Int
    let item: Plan.Item
    /// For each look of the item, the key of each variant.
    let keys: [[Digest]]
    var results: [Digest: Result<Render, Rejection>] = [:]
    var missing: Set<Digest> = []

    func jobs(_ looks: StyleVariants, _ source: Source) -> [RenderJob] {
      guard !missing.isEmpty else { return [] }
      let recipes = zip(item.looks, keys).lazy.flatMap { look, keys in
        zip(looks.variants(of: look, for: source), keys).lazy
          .map { (recipe: $0.recipe, key: $1) }.filter { missing.contains($0.key) }
      }
      return RenderJob.jobs(recipes, of: source, item: number)
    }

    func finish(into rendered: inout RenderedSet) {
      for (look, keys) in zip(item.looks, keys) {
        do throws(Rejection) {
          var renders: [Render] = []
          for case let result? in keys.map({ results[$0] }) { renders.append(try result.get()) }
          rendered.add(renders, source: item.source, look: look)
        } catch {
          rendered[item.source, look] = .failure(error)
        }
      }
    }
  }

  /// Writes records in batches: one transaction for many images.
  struct Memory {
    let index: Index
    private var records: [(key: Digest, value: [UInt8])] = []

    init(index: Index) {
      self.index = index
    }

    mutating func remember(_ key: Digest, _ result: Result<Render, Rejection>) throws {
      records.append((key, RenderRecord.bytes(of: result)))
      if records.count >= 512 { try flush() }
    }

    mutating func flush() throws {
      if !records.isEmpty { try index.put(.renders, records) }
      records.removeAll(keepingCapacity: true)
    }
  }

  /// Tells how many sources are done.
  private struct Progress {
    let total: Int
    let report: @Sendable (ProgressEvent) -> Void
    private var done = 0

    init(total: Int, report: @escaping @Sendable (ProgressEvent) -> Void) {
      self.total = total
      self.report = report
    }

    mutating func advance() {
      done += 1
      report(.rendering(done: done, total: total))
    }
  }
}
