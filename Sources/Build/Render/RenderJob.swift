package import Bytes
import Diagnostics
import Files
import Foundation
import Manifest
package import Plan
package import Recipes
import Store
import Workers

/// One source at one decode scale, and images to make of it.
///
/// A job holds a snapshot: nothing that it needs changes while it waits.
package struct RenderJob: Sendable {
  /// The index of its source among those that are rendered together.
  package var item: Int
  package var source: Source
  package var reduction: Int
  package var recipes: [Recipe] = []
  /// The render keys, in the order of the recipes.
  package var keys: [Digest] = []
  /// The keys of all images of the source at that decode scale, those that are known included: the
  /// name in the shared store must not depend on what this machine has already.
  package var allKeys: [Digest] = []

  /// Divides a source's recipes into jobs; of equal keys the first counts.
  ///
  /// There is one job for each decode scale, or more where one would have too many pixels.
  package static func jobs(
    _ recipes: some Sequence<(recipe: Recipe, key: Digest)>, of source: Source, item: Int
  ) -> [RenderJob] {
    var jobs: [RenderJob] = []
    var planned: Set<Digest> = []
    /// By reduction: the job that is being filled, and the pixels that it still takes.
    var open: [Int: (job: Int, room: Double)] = [:]
    for (recipe, key) in recipes where planned.insert(key).inserted {
      let reduction = source.inspection?.reduction(for: recipe.frame) ?? 1
      let pixels = Double(recipe.size.width) * Double(recipe.size.height)
      var (job, room) = open[reduction] ?? (jobs.count, -1)
      if pixels > room {
        (job, room) = (jobs.count, ManifestLimits.pixelsOfOneUser)
        jobs.append(RenderJob(item: item, source: source, reduction: reduction))
      }
      jobs[job].recipes.append(recipe)
      jobs[job].keys.append(key)
      jobs[job].allKeys.append(key)
      open[reduction] = (job, room - pixels)
    }
    return jobs
  }

  /// A job of those images whose keys are missing; nil if none is.
  func part(missing: Set<Digest>) -> RenderJob? {
    let indices = keys.indices.filter { missing.contains(keys[$0]) }
    if indices.isEmpty { return nil }
    guard indices.count < keys.count else { return self }
    var part = self
    part.recipes = indices.map { recipes[$0] }
    part.keys = indices.map { keys[$0] }
    return part
  }
}

/// Images that are missing or damaged in the store, and must be rendered again.
struct LostImages: Error {
  var digests: Set<Digest>
}

/// Runs jobs: reads, checks, renders in a worker, keeps the bytes.
struct JobRunner: Sendable {
  let context: BuildContext
  let files: FileSource

  /// - Throws: `CancellationError`, or whatever prevents all rendering.
  func run(_ job: RenderJob) throws -> JobResult {
    try context.cancellation.check()
    if !context.options.fetching.afresh, let outcomes = context.shared?.images(of: job) {
      context.tally.count(\.storeHits, outcomes.count)
      return .finished(try context.keep(outcomes))
    }
    var source: RenderSource?
    var payload = Data()
    switch job.source.origin {
    case .color(let color): source = .color(color)
    case .generated(let generated): source = .generated(generated)
    case .sheet(let sheet): (source, payload) = try read(sheet)
    case .collage(let collage): (source, payload) = try read(collage)
    case .file, .fetched, .inline, .earlier:
      guard let bytes = try bytes(of: job.source) else { return .changed }
      payload = bytes
    }
    guard let source = source ?? encoded(job) else { return .changed }
    return try render(
      RenderRequest(source: source, payload: payload, recipes: job.recipes), of: job)
  }

  /// The bytes of a source as they were gathered; nil if they are gone.
  func bytes(of source: Source) throws -> Data? {
    switch source.origin {
    case .file(let path):
      guard let file = try? files.read(path.text) else { return nil }
      context.tally.count(\.sourcesRead)
      return file.digest == source.digest ? file.bytes : nil
    case .fetched:
      guard let bytes = try context.original(source.digest) else { return nil }
      context.tally.count(\.sourcesRead)
      return bytes
    case .inline(let picture): return picture.bytes
    case .color, .generated, .sheet, .collage, .earlier: return nil
    }
  }

  /// Nil for bytes that were not inspected.
  private func encoded(_ job: RenderJob) -> RenderSource? {
    guard let inspection = job.source.inspection else { return nil }
    context.tally.count(\.decodes)
    return .encoded(inspection, reduction: job.reduction)
  }

  private func read(_ sheet: Source.Sheet) throws -> (RenderSource, Data) {
    let (files, counts) = try files(sheet.cells.lazy.map(\.digest))
    let cells = zip(sheet.cells, counts).map { cell, count in
      SpriteSheet.Cell(x: Int(cell.x), y: Int(cell.y), bytes: count)
    }
    return (
      .sheet(SpriteSheet(size: sheet.size, cellSize: sheet.cellSize, cells: cells)), files
    )
  }

  private func read(_ collage: Source.Collage) throws -> (RenderSource, Data) {
    let (files, counts) = try files(collage.cells.lazy.map(\.digest))
    let cells = zip(collage.cells, counts).map { Collage.Cell(frame: $0.frame, bytes: $1) }
    let (size, ground, words) = (collage.size, collage.ground, collage.words)
    return (.collage(Collage(size: size, ground: ground, cells: cells, words: words)), files)
  }

  /// Reads the pictures of a sheet: all files one after the other, and how long each is.
  ///
  /// - Throws: `LostImages` with all that the store does not have.
  private func files(_ digests: some Sequence<Digest>) throws -> (bytes: Data, counts: [Int]) {
    var files = Data()
    var counts: [Int] = []
    var lost: Set<Digest> = []
    for digest in digests {
      guard let file = try context.store.get(digest) else {
        lost.insert(digest)
        continue
      }
      files += file
      counts.append(file.count)
    }
    guard lost.isEmpty else { throw LostImages(digests: lost) }
    return (files, counts)
  }

  private func render(_ request: RenderRequest, of job: RenderJob) throws -> JobResult {
    let outcomes: [RenderOutcome]
    do throws(WorkerFailure) {
      outcomes = try context.pool.render(request) { context.cancellation.isCancelled }
    } catch {
      guard let rejection = Self.rejection(of: error) else {
        throw BuildFailure(error).map { $0 as any Error } ?? CancellationError()
      }
      // What always takes too long is not tried again every night.
      if error == .timedOut { return .finished(request.recipes.map { _ in .failure(rejection) }) }
      return .failed(rejection)
    }
    let results = try context.keep(outcomes)
    context.tally.count(\.renders, results.count { if case .success = $0 { true } else { false } })
    if context.shared?.put(outcomes, of: job) == true { context.tally.count(\.storeWrites) }
    return .finished(results)
  }

  /// A worker that died costs its item; nil for what ends the build.
  static func rejection(of failure: WorkerFailure) -> Rejection? {
    switch failure {
    case .cancelled, .cannotStart, .refused, .unjailed:
      return nil
    case .crashed(let signal):
      return Rejection(.crashed, "the decoder died of signal \(signal)")
    case .exited(let code, let message):
      let words = message.isEmpty ? "" : ": \(message)"
      return Rejection(.crashed, "the decoder ended with status \(code)\(words)")
    case .timedOut:
      return .tookTooLong
    case .hung:
      return Rejection(.hung, "the decoder did not answer")
    case .tooLarge(let bytes, let all):
      return Rejection(
        .outOfMemory,
        "decoding may take \(bytes >> 20) MB, more than the \(all >> 20) MB of all workers")
    case .outOfMemory:
      return Rejection(.outOfMemory, "decoding took more memory than a picture may take")
    case .garbled:
      return Rejection(.crashed, "the decoder's answer made no sense")
    }
  }
}

extension BuildContext {
  var keepsImages: Bool { options.shard == nil }

  /// Puts images into the cache; those of a shard are only in the shared store.
  func keep(_ outcomes: [RenderOutcome]) throws -> [Result<Render, Rejection>] {
    try outcomes.map { outcome in
      switch outcome {
      case .rejected(let rejection):
        return .failure(rejection)
      case .image(let image):
        let asset = Asset(
          digest: keepsImages ? try store.put(image.bytes) : Digest(of: image.bytes),
          width: Int32(image.size.width),
          height: Int32(image.size.height), bytes: Int64(image.bytes.count))
        return .success(Render(asset, metadata: image.metadata))
      }
    }
  }
}

extension Rejection {
  /// It is remembered, and counts as long as the limit is the same.
  static let tookTooLong = Rejection(
    .timedOut,
    "decoding took more than \(WorkerLimits.standard.processorSeconds) seconds of a processor, twice"
  )
}

extension BuildFailure {
  /// A renderer that cannot work at all ends the build; nil for what costs only an item.
  init?(_ failure: WorkerFailure) {
    switch failure {
    case .cannotStart(let why):
      self = .machine(
        Diagnostic(
          .error, .workerCannotStart, "cannot start a worker process",
          note: why, help: "`sitegen doctor` says what this machine lacks"))
    case .refused(let why):
      self = .machine(
        Diagnostic(
          .error, .imageMagickNotTrusted,
          "ImageMagick does not keep to our policy", note: why,
          help: "`sitegen doctor` says what was tried"))
    case .unjailed(let jail):
      self = .unjailed("workers", jail.sentence)
    default:
      return nil
    }
  }
}
