import Bytes
import Files
import Foundation
import Plan
import Recipes
import Store

/// Makes every image that is wanted and that the store does not have yet.
///
/// 1. An image is looked up by its render key; the key is the truth.
/// 2. What is missing is divided for workers: one source at one decode scale.
/// 3. What the bytes decided, a rejection too, is remembered under the key; what the machine
///    decided (a crash, a lack of memory) is tried again by the next build.
struct Renderer {
  let runner: JobRunner
  let context: BuildContext
  let fingerprint: String

  /// How it went, beside the images.
  struct Outcome {
    /// Different images among those that were wanted.
    var distinct = 0
    /// Images that a dry run has left to be made.
    var missing = 0
    /// Sources whose file changed after it was gathered; their images have no result.
    var changed: Set<Digest> = []
    /// Whether something failed that may work next time.
    var hasTransientFailures = false
  }

  /// Makes what `rendered` does not have yet, and adds images and rejections to it.
  ///
  /// `lost` are images that the index knows and the store has lost. A dry run only looks up.
  ///
  /// - Throws: `CancellationError`, whatever prevents all rendering, or `LostImages` for parts of an
  ///   image; images that were finished by then are remembered.
  func render(
    _ plan: Plan, _ variants: StyleVariants, into rendered: inout RenderedSet,
    lost: Set<Digest>, progress: (ProgressEvent) -> Void = { _ in }
  ) throws -> Outcome {
    var outcome = Outcome()
    var memory = Memory(index: context.index)
    var recipeKeys = RecipeKeys(variants, fingerprint: fingerprint)
    var done = 0
    var lostParts: Set<Digest> = []
    var failure: (any Error)?
    // Set by the first error that concerns more than one job: those that wait do not begin.
    let halt = Cancellation()

    for chunk in Chunks(of: plan.jobs, size: 2048) {
      let unknown = chunk.map { job in
        var job = job
        job.variants.removeAll { rendered[SlotID(source: job.number, variant: $0)] != nil }
        job.siteImages.removeAll { rendered[$0] != nil }
        return job
      }
      for job in unknown {
        for variant in job.variants { try recipeKeys.add(variant, for: job.source) }
      }
      // By render key, in which the source is.
      let (jobs, known) = try lookUp(unknown, variants, recipeKeys, lost)
      var results = known
      var missing = jobs.map { job in Set(job.keys.filter { results[$0] == nil }) }
      outcome.distinct += results.count + missing.reduce(0) { $0 + $1.count }

      func finish(_ job: Job) {
        done += 1
        progress(.rendering(done: done, total: plan.jobs.count))
        let failures = job.keys.compactMap { results[$0]?.rejection }.filter(\.isOfMachine)
        let failure = failures.first
        if failures.contains(where: { $0.reason == .changed }) {
          outcome.changed.insert(job.source.digest)
          return
        }
        // If the machine failed one image, no variant of the source counts as finished.
        if let failure, job.siteImages.isEmpty {
          for key in job.keys { results[key] = .failure(failure) }
        }
        rendered.add(job, results, variants)
      }

      for (job, missing) in zip(jobs, missing) where missing.isEmpty { finish(job) }
      if context.options.dryRun {
        outcome.missing += missing.reduce(0) { $0 + $1.count }
        continue
      }
      var parts: [(number: Int, whole: Job, job: Job)] = []
      for (number, job) in jobs.enumerated() where !missing[number].isEmpty {
        for whole in job.parts {
          let part = whole.part(missing[number])
          if !part.keys.isEmpty { parts.append((number, whole, part)) }
        }
      }
      context.queue.map(
        parts,
        work: { part in
          try halt.check()
          return try runner.run(part.job, of: part.whole)
        },
        receive: { part, result in
          do {
            for (key, result) in zip(part.job.keys, try result.get()) {
              results[key] = result
              if let rejection = result.rejection, rejection.isOfMachine {
                if rejection.reason != .changed { outcome.hasTransientFailures = true }
              } else if context.keepsImages || result.rejection != nil {
                try memory.remember(key, result)
              }
            }
            missing[part.number].subtract(part.job.keys)
            if missing[part.number].isEmpty { finish(jobs[part.number]) }
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

  /// Gives jobs their recipes and keys, and looks all keys up in the index.
  private func lookUp(
    _ jobs: [Job], _ variants: StyleVariants, _ recipeKeys: RecipeKeys, _ lost: Set<Digest>
  ) throws -> (jobs: [Job], known: [Digest: Result<Asset, Rejection>]) {
    let ignoresIndex = context.options.fetching.ignoringCache && lost.isEmpty
    var found: [Job] = []
    var known: [Digest: Result<Asset, Rejection>] = [:]
    try context.queue.map(Chunks(of: jobs, size: 256)) { chunk in
      var known: [(Digest, Result<Asset, Rejection>)] = []
      let jobs = try chunk.map { job in
        var job = job
        for variant in job.variants {
          job.recipes += variants.images(of: variant, for: job.source).map(\.recipe)
          job.keys += recipeKeys.keys(of: variant, for: job.source)
        }
        for recipe in job.siteImages.map(\.recipe) {
          job.recipes.append(recipe)
          job.keys.append(
            try RenderKey(recipe: recipe, fingerprint: fingerprint).key(of: job.source.digest))
        }
        // What cannot be made again is used as it is.
        if ignoresIndex, job.source.place != .gone { return job }
        let formats = Dictionary(zip(job.keys, job.recipes.map(\.encoding.format))) { $1 }
        let records = try context.index.get(.renders, Array(formats.keys))
        for ((key, format), bytes) in zip(formats, records) {
          switch bytes.flatMap({ RenderRecord.render(of: $0, as: format) }) {
          case nil: continue
          case .success(let asset) where lost.contains(asset.digest) || !context.keepsImages:
            continue
          case .failure(let old) where old.reason == .timedOut && old != .tookTooLong: continue
          case let result?: known.append((key, result))
          }
        }
        return job
      }
      context.tally.count(\.cacheHits, known.count)
      return (jobs, known)
    } receive: { _, result in
      let (jobs, images) = try result.get()
      found += jobs
      for (key, image) in images { known[key] = image }
    }
    return (found, known)
  }

  /// Writes records in batches, since keys have no order: each record of a transaction costs a page.
  ///
  /// A build that is killed renders again what it has made in the last second, or 512 images.
  private struct Memory {
    let index: Index
    var records: [(key: Digest, value: [UInt8])] = []
    var flushed = SuspendingClock.now

    mutating func remember(_ key: Digest, _ result: Result<Asset, Rejection>) throws {
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

extension Result where Failure == Rejection {
  fileprivate var rejection: Rejection? {
    if case .failure(let rejection) = self { rejection } else { nil }
  }
}
