import Bytes
import Diagnostics
import Files
import Foundation
import Manifest
package import Plan
import Recipes
import Store
import Workers

/// The stage that renders all required images that are not in the store.
///
/// Results that depend only on the bytes, including rejections, are cached by render key. The next
/// build retries other failures, such as crashes and lack of memory.
struct Renderer {
  let context: BuildContext
  let files: FileSource
  let fingerprint: String

  struct Outcome {
    var distinct = 0
    var missing = 0
    /// Sources that changed after they were read; their images are not rendered.
    var changed: Set<Digest> = []
    var hasTransientFailures = false
  }

  /// Renders missing images, and adds images and rejections to `content`.
  ///
  /// `lost` contains indexed images that are missing from the store. A dry run only looks up
  /// images. If an error occurs, images that were finished before it are still recorded.
  func render(
    _ jobs: [Job], into content: inout SiteContent, lost: Set<Digest>,
    progress: (ProgressEvent) -> Void = { _ in }
  ) throws -> Outcome {
    var outcome = Outcome()
    var memory = Memory(index: context.index)
    let recipeKeys = try RecipeKeys(content.variants, fingerprint: fingerprint)
    let total = jobs.count
    var done = 0
    var lostParts: Set<Digest> = []
    var failure: (any Error)?
    // Cancelled by the first error that affects more than one job, so that waiting jobs do not
    // start.
    let halt = Cancellation()

    for chunk in jobs.chunks(of: 2048) {
      let unknown = chunk.map { job in
        var job = job
        job.variants.removeAll { content[SlotID(source: job.number, variant: $0)] != nil }
        job.siteImages.removeAll { content[$0] != nil }
        return job
      }
      let (jobs, known) = try lookUp(unknown, content.variants, recipeKeys, lost)
      var results = known
      var missing = jobs.map { job in Set(job.keys.filter { results[$0] == nil }) }
      outcome.distinct += results.count + missing.reduce(0) { $0 + $1.count }

      func finish(_ job: Job) {
        done += 1
        progress(.rendering(done: done, total: total))
        let failures = job.keys.compactMap { results[$0]?.rejection }.filter(\.isOfMachine)
        let failure = failures.first
        if failures.contains(where: { $0.reason == .changed }) {
          outcome.changed.insert(job.source.digest)
          return
        }
        // If one image failed because of the machine, fail all variants of the source.
        if let failure, job.siteImages.isEmpty {
          for key in job.keys { results[key] = .failure(failure) }
        }
        content.add(job, results)
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
          return try run(part.job, of: part.whole)
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
            // Collect all missing images, so that they are rendered again together.
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
        // Ignore an index error here, because it would hide the first error.
        try? memory.flush()
        throw failure
      }
    }
    try memory.flush()
    if !lostParts.isEmpty { throw LostImages(digests: lostParts) }
    return outcome
  }

  private func lookUp(
    _ jobs: [Job], _ variants: StyleVariants, _ recipeKeys: RecipeKeys, _ lost: Set<Digest>
  ) throws -> (jobs: [Job], known: [Digest: Result<Asset, Rejection>]) {
    let ignoresIndex = context.options.fetching.ignoringCache && lost.isEmpty
    var found: [Job] = []
    var known: [Digest: Result<Asset, Rejection>] = [:]
    try context.queue.map(jobs.chunks(of: 256)) { chunk in
      var known: [(Digest, Result<Asset, Rejection>)] = []
      var formats: [Digest: OutputFormat] = [:]
      let jobs = try chunk.map { job in
        var job = job
        for variant in job.variants {
          job.recipes += variants.images(of: variant, for: job.source).map(\.recipe)
          job.keys += recipeKeys.keys(of: variant, for: job.source)
        }
        for recipe in job.siteImages.map(\.recipe) {
          job.recipes.append(recipe)
          job.keys.append(try recipe.key(of: job.source.digest, by: fingerprint))
        }
        // Look up images that cannot be rendered again, even if the index is otherwise ignored.
        if ignoresIndex, job.source.place != .gone { return job }
        if job.source.place == .gone { try keepUnderNewKeys(job) }
        for (key, recipe) in zip(job.keys, job.recipes) { formats[key] = recipe.encoding.format }
        return job
      }
      let records = try context.index.get(.renders, Array(formats.keys))
      for ((key, format), bytes) in zip(formats, records) {
        switch bytes.flatMap({ RenderRecord.render(of: $0, as: format) }) {
        case nil: continue
        case .success(let asset) where lost.contains(asset.digest) || !context.keepsImages: continue
        case .failure(let old) where old.reason == .timedOut && old != .tookTooLong: continue
        case let result?: known.append((key, result))
        }
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

  /// Copies records to the current renderer's keys, for images that cannot be rendered again.
  private func keepUnderNewKeys(_ job: Job) throws {
    guard let last = try context.index.get(.meta, Fingerprint.lastKey) else { return }
    for (key, recipe) in zip(job.keys, job.recipes)
    where try context.index.get(.renders, key) == nil {
      let old = try recipe.key(of: job.source.digest, by: String(decoding: last, as: UTF8.self))
      if let record = try context.index.get(.renders, old) {
        try context.index.put(.renders, key, record)
      }
    }
  }

  /// A batch of records; random keys make small transactions write a database page per record.
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

extension Job {
  /// The job's parts for workers: one or more per decode scale, each within a pixel limit.
  package var parts: [Job] {
    var parts: [Job] = []
    var planned: Set<Digest> = []
    /// For each decode scale, the current part and how many more pixels it may contain.
    var open: [Int: (part: Int, room: Double)] = [:]
    for (recipe, key) in zip(recipes, keys) where planned.insert(key).inserted {
      let reduction = source.inspection?.reduction(for: recipe.frame) ?? 1
      let pixels = Double(recipe.size.width) * Double(recipe.size.height)
      var (part, room) = open[reduction] ?? (parts.count, -1)
      if pixels > room {
        (part, room) = (parts.count, ManifestLimits.pixelsOfOneUser)
        parts.append(Job(source.reduced(by: reduction)))
      }
      parts[part].recipes.append(recipe)
      parts[part].keys.append(key)
      open[reduction] = (part, room - pixels)
    }
    return parts
  }

  func part(_ missing: Set<Digest>) -> Job {
    var job = self
    let indices = keys.indices.filter { missing.contains(keys[$0]) }
    job.recipes = indices.map { recipes[$0] }
    job.keys = indices.map { keys[$0] }
    return job
  }
}

/// Images that are missing or damaged in the store and must be rendered again.
struct LostImages: Error {
  var digests: Set<Digest>
}

extension Renderer {
  /// Renders a job's images in order.
  ///
  /// `whole` includes cached images too, because the name in the shared store depends on all keys.
  fileprivate func run(_ job: Job, of whole: Job) throws -> [Result<Asset, Rejection>] {
    try context.cancellation.check()
    if !context.options.fetching.ignoringCache,
      let images = context.shared?.images(of: job, whole)
    {
      context.tally.count(\.storeHits, images.count)
      return try zip(images, job.recipes).map { .success(try context.keep($0, $1)) }
    }
    guard let bytes = try bytes(of: job.source) else {
      return job.keys.map { _ in .failure(Rejection(.changed, "its file has changed")) }
    }
    if job.source.inspection != nil { context.tally.count(\.decodes) }
    return try render(
      RenderRequest(source: job.source.picture, payload: bytes, recipes: job.recipes), of: job)
  }

  /// Returns the source's bytes; nil if they have changed or are missing.
  private func bytes(of source: Source) throws -> Data? {
    switch source.place {
    case .none: return Data()
    case .gone: return nil
    case .file(let path):
      guard let file = try? files.read(path.text) else { return nil }
      context.tally.count(\.sourcesRead)
      return file.digest == source.digest ? file.bytes : nil
    case .fetched:
      guard let bytes = try context.original(source.digest) else { return nil }
      context.tally.count(\.sourcesRead)
      return bytes
    case .inline(let picture): return picture.bytes
    case .images(let digests):
      var bytes = Data()
      var lost: Set<Digest> = []
      for digest in digests {
        if let image = try context.store.get(digest) { bytes += image } else { lost.insert(digest) }
      }
      guard lost.isEmpty else { throw LostImages(digests: lost) }
      return bytes
    }
  }

  private func render(_ request: RenderRequest, of job: Job) throws -> [Result<Asset, Rejection>] {
    let outcomes: [Result<RenderedImage, Rejection>]
    do throws(WorkerFailure) {
      outcomes = try context.pool.render(request) { context.cancellation.isCancelled }
    } catch {
      guard let rejection = Self.rejection(of: error) else {
        throw BuildFailure(error).map { $0 as any Error } ?? CancellationError()
      }
      return job.keys.map { _ in .failure(rejection) }
    }
    let images = outcomes.compactMap { try? $0.get() }
    context.tally.count(\.renders, images.count)
    // Rejections are not shared; each machine determines them itself.
    if images.count == outcomes.count, context.shared?.put(images, of: job) == true {
      context.tally.count(\.storeWrites)
    }
    return try zip(outcomes, job.recipes).map { outcome, recipe in
      switch outcome {
      case .success(let image): .success(try context.keep(image, recipe))
      case .failure(let rejection): .failure(rejection)
      }
    }
  }

  /// Converts a worker's failure to a rejection, or returns nil if the build must stop.
  private static func rejection(of failure: WorkerFailure) -> Rejection? {
    let reason: Reason
    switch failure {
    case .cancelled, .cannotStart, .refused, .notSandboxed: return nil
    case .timedOut: return .tookTooLong
    case .crashed, .exited, .garbled: reason = .crashed
    case .hung: reason = .hung
    case .tooLarge, .outOfMemory: reason = .outOfMemory
    }
    return Rejection(reason, "the decoder \(failure.ending)")
  }
}

extension BuildContext {
  var keepsImages: Bool { options.shard == nil }

  /// Stores an image in the cache; a shard keeps images only in the shared store.
  func keep(_ image: RenderedImage, _ recipe: Recipe) throws -> Asset {
    Asset(
      digest: keepsImages ? try store.put(image.bytes) : Digest(of: image.bytes),
      format: recipe.encoding.format, width: Int32(recipe.size.width),
      height: Int32(recipe.size.height),
      bytes: Int64(image.bytes.count), metadata: image.metadata)
  }
}

extension Rejection {
  /// Whether the machine rather than the bytes caused the failure, so that the next build retries.
  var isOfMachine: Bool { [.crashed, .hung, .outOfMemory, .changed].contains(reason) }

  /// This rejection is kept until the limit changes, so that builds do not retry slow pictures.
  static let tookTooLong = Rejection(
    .timedOut,
    "decoding took more than \(WorkerLimits.standard.processorSeconds) seconds of CPU time, twice"
  )
}

extension BuildFailure {
  /// Creates the failure that stops a build, or nil if the worker's failure affects only one image.
  init?(_ failure: WorkerFailure) {
    switch failure {
    case .cannotStart(let why):
      self = .machine(
        .workerCannotStart, "cannot start a worker process",
        note: why, help: "`sitegen doctor` shows what this machine lacks")
    case .refused(let why):
      self = .machine(
        .imagemagickNotTrusted, "ImageMagick does not follow sitegen's policy", note: why,
        help: "`sitegen doctor` shows the details")
    case .notSandboxed(let sandbox):
      self = .notSandboxed("workers", "they lack \(sandbox.missing)")
    default:
      return nil
    }
  }
}
