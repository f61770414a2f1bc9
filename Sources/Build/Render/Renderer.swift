import Bytes
import Files
import Foundation
import Plan
import Recipes
import Store

/// Makes every image that is wanted and that the store does not have yet.
///
/// 1. An image is looked up by its render key; the key is the truth.
/// 2. What is missing is grouped into jobs: one source at one decode scale.
/// 3. What the bytes decided, a rejection too, is remembered under the key; what the machine
///    decided (a crash, a lack of memory) is tried again by the next build.
struct Renderer {
  let runner: JobRunner
  let context: BuildContext
  let fingerprint: String

  /// One source, and the groups of images that are wanted of it.
  struct Wanted {
    var source: Source
    var groups: [RenderedSet.Group]
  }

  /// How it went, beside the images.
  struct Outcome {
    /// Different images among those that were wanted.
    var distinct = 0
    /// Images that a dry run has left to be made.
    var missing = 0
    /// Sources whose file changed after it was gathered; their groups have no result.
    var changed: Set<Digest> = []
    /// Whether something failed that may work next time.
    var hasTransientFailures = false
  }

  /// Makes what `rendered` does not have yet, and adds images and rejections to it.
  ///
  /// Each source is wanted once. `lost` are images that the index knows and the store has lost. A
  /// dry run only looks up.
  ///
  /// - Throws: `CancellationError`, whatever prevents all rendering, or `LostImages` for parts of an
  ///   image; images that were finished by then are remembered.
  func render(
    _ wanted: some RandomAccessCollection<Wanted>, variants: StyleVariants,
    into rendered: inout RenderedSet, lost: Set<Digest>,
    progress: (ProgressEvent) -> Void = { _ in }
  ) throws -> Outcome {
    var outcome = Outcome()
    var memory = Memory(index: context.index)
    var recipeKeys = RecipeKeys(variants, fingerprint: fingerprint)
    var done = 0
    var lostParts: Set<Digest> = []
    var failure: (any Error)?
    // Set by the first error that concerns more than one item: jobs that wait do not begin.
    let halt = Cancellation()

    func finish(_ item: Item) {
      done += 1
      progress(.rendering(done: done, total: wanted.count))
      if item.hasChanged {
        outcome.changed.insert(item.source.digest)
      } else {
        for (group, keys) in zip(item.groups, item.keys) {
          rendered.add(item.result(of: group, keys), for: group)
        }
      }
    }

    for chunk in Chunks(of: wanted, size: 2048) {
      let unknown = chunk.map { wanted in
        Wanted(source: wanted.source, groups: wanted.groups.filter { !rendered.knows($0) })
      }
      for wanted in unknown {
        for case .slot(let slot) in wanted.groups {
          try recipeKeys.add(slot.variant, for: wanted.source)
        }
      }
      var items = try lookUp(unknown, recipeKeys, lost)
      for item in items {
        outcome.distinct += item.results.count + item.missing.count
        if item.missing.isEmpty { finish(item) }
      }
      if context.options.dryRun {
        outcome.missing += items.reduce(0) { $0 + $1.missing.count }
        continue
      }
      let jobs = items.indices.flatMap { items[$0].jobs(variants, number: $0) }
      context.queue.map(
        jobs,
        work: { job in
          try halt.check()
          return try runner.run(job)
        },
        receive: { job, result in
          do {
            let result = try result.get()
            if case .finished(let results) = result {
              for (key, result) in zip(job.keys, results)
              where context.keepsImages || !result.isImage {
                try memory.remember(key, result)
              }
            }
            if case .failed = result { outcome.hasTransientFailures = true }
            items[job.item].receive(result, of: job)
            if items[job.item].missing.isEmpty { finish(items[job.item]) }
          } catch let lost as LostImages {
            // Collected, so that all are rendered again in one go.
            lostParts.formUnion(lost.digests)
          } catch {
            let isCancelled = error is CancellationError
            if isCancelled {
              context.tally.count(context.cancellation.isSuperseded ? \.superseded : \.cancelled)
            } else {
              halt.cancel()
            }
            if failure == nil || failure is CancellationError { failure = error }
          }
        })
      if let failure {
        // A second failure, of the index, would hide the first.
        try? memory.flush()
        throw failure
      }
    }
    try memory.flush()
    if !lostParts.isEmpty { throw LostImages(digests: lostParts) }
    return outcome
  }

  /// Looks up all keys in the index.
  private func lookUp(
    _ wanted: [Wanted], _ recipeKeys: RecipeKeys, _ lost: Set<Digest>
  ) throws -> [Item] {
    let ignoresIndex = context.options.fetching.afresh && lost.isEmpty
    var found: [Item] = []
    try context.queue.map(Chunks(of: wanted, size: 256)) { chunk in
      try chunk.map { wanted in
        var item = Item(
          source: wanted.source, groups: wanted.groups,
          keys: try wanted.groups.map { try keys(of: $0, wanted.source, recipeKeys) })
        let distinct = Array(item.missing)
        // What cannot be made again is used as it is.
        let isLost = ignoresIndex && wanted.source.origin != .earlier
        let records = isLost ? [] : try context.index.get(.renders, distinct)
        for (key, bytes) in zip(distinct, records) {
          guard let render = bytes.flatMap(RenderRecord.render) else { continue }
          switch render {
          case .success(let render) where lost.contains(render.asset.digest): continue
          case .success where !context.keepsImages: continue
          case .failure(let old) where old.reason == .timedOut && old != .tookTooLong: continue
          default: break
          }
          item.add(render, for: key)
        }
        context.tally.count(\.cacheHits, item.results.count)
        return item
      }
    } receive: { _, result in
      found += try result.get()
    }
    return found
  }

  private func keys(
    of group: RenderedSet.Group, _ source: Source, _ recipeKeys: RecipeKeys
  ) throws -> [Digest] {
    switch group {
    case .slot(let slot):
      recipeKeys.keys(of: slot.variant, for: source)
    case .siteImage(let siteImage):
      [try RenderKey(recipe: siteImage.recipe, fingerprint: fingerprint).key(of: source.digest)]
    }
  }

  /// One source on its way from keys to images.
  private struct Item {
    let source: Source
    let groups: [RenderedSet.Group]
    /// For each group, the key of each of its images.
    let keys: [[Digest]]
    private(set) var results: [Digest: Result<Render, Rejection>] = [:]
    private(set) var missing: Set<Digest>
    private(set) var hasChanged = false
    /// The machine failed one job: then no variant of this source counts as finished.
    private var failure: Rejection?

    init(source: Source, groups: [RenderedSet.Group], keys: [[Digest]]) {
      self.source = source
      self.groups = groups
      self.keys = keys
      missing = Set(keys.joined())
    }

    mutating func add(_ result: Result<Render, Rejection>, for key: Digest) {
      results[key] = result
      missing.remove(key)
    }

    mutating func receive(_ result: JobResult, of job: RenderJob) {
      switch result {
      case .finished(let results):
        for (key, result) in zip(job.keys, results) { add(result, for: key) }
      case .failed(let rejection):
        failure = failure ?? rejection
        for key in job.keys { add(.failure(rejection), for: key) }
      case .changed:
        hasChanged = true
        missing.subtract(job.keys)
      }
    }

    /// The jobs for all missing images.
    func jobs(_ variants: StyleVariants, number: Int) -> [RenderJob] {
      guard !missing.isEmpty else { return [] }
      let recipes = zip(groups, keys).lazy.flatMap { group, keys in
        switch group {
        case .slot(let slot):
          zip(variants.images(of: slot.variant, for: source).map(\.recipe), keys)
        case .siteImage(let siteImage):
          zip([siteImage.recipe], keys)
        }
      }
      return RenderJob.jobs(recipes.map { (recipe: $0, key: $1) }, of: source, item: number)
        .compactMap { $0.part(missing: missing) }
    }

    func result(
      of group: RenderedSet.Group, _ keys: [Digest]
    ) -> Result<[Render], Rejection> {
      if case .slot = group, let failure { return .failure(failure) }
      return Result { () throws(Rejection) in
        var renders: [Render] = []
        for case let result? in keys.map({ results[$0] }) { renders.append(try result.get()) }
        return renders
      }
    }
  }

  /// Writes records in batches, since keys have no order: each record of a transaction costs a page.
  ///
  /// A build that is killed renders again what it has made in the last second, or 512 images.
  private struct Memory {
    let index: Index
    var records: [(key: Digest, value: [UInt8])] = []
    var flushed = SuspendingClock.now

    mutating func remember(_ key: Digest, _ result: Result<Render, Rejection>) throws {
      records.append((key, RenderRecord.bytes(of: result)))
      let isLong = records.count.isMultiple(of: 512) && flushed.duration(to: .now) > .seconds(1)
      if isLong || records.count >= 16384 { try flush() }
    }

    mutating func flush() throws {
      if !records.isEmpty { try index.put(.renders, records) }
      records.removeAll(keepingCapacity: true)
      flushed = .now
    }
  }
}

extension Renderer {
  /// Makes users' images.
  func render(
    _ plan: Plan, variants: StyleVariants, sources: SourceSet, into rendered: inout RenderedSet,
    lost: Set<Digest> = []
  ) throws -> Outcome {
    let wanted = plan.items.lazy.map { item in
      Wanted(
        source: sources.sources[item.source],
        groups: item.slots.map { .slot($0) })
    }
    return try render(
      wanted, variants: variants, into: &rendered, lost: lost, progress: context.progress)
  }

  /// Makes images of the site; equal ones are made once.
  func render(
    _ siteImages: [SiteImage], variants: StyleVariants, into rendered: inout RenderedSet,
    lost: Set<Digest>
  ) throws -> Outcome {
    var numbers: [Digest: Int] = [:]
    var wanted: [Wanted] = []
    for siteImage in siteImages {
      let number = numbers[siteImage.source.digest] ?? wanted.count
      if number == wanted.count {
        numbers[siteImage.source.digest] = number
        wanted.append(Wanted(source: siteImage.source, groups: []))
      }
      wanted[number].groups.append(.siteImage(siteImage))
    }
    return try render(wanted, variants: variants, into: &rendered, lost: lost)
  }
}

extension Result where Success == Render, Failure == Rejection {
  fileprivate var isImage: Bool { if case .success = self { true } else { false } }
}
