import Bytes
import Diagnostics
import Files
import Foundation
import Manifest
package import Plan
import Recipes
import Store
import Workers

extension Job {
  /// The same for workers: one for each decode scale, or more if one would have too many pixels.
  ///
  /// Of equal keys the first counts.
  package var parts: [Job] {
    var parts: [Job] = []
    var planned: Set<Digest> = []
    /// By reduction: the part that is being filled, and the pixels that it still takes.
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

  /// The same with those of its images alone that are missing.
  func part(_ missing: Set<Digest>) -> Job {
    var job = self
    let indices = keys.indices.filter { missing.contains(keys[$0]) }
    job.recipes = indices.map { recipes[$0] }
    job.keys = indices.map { keys[$0] }
    return job
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

  /// Makes the images of a job, in their order.
  ///
  /// `whole` also has the images that are known: the name in the shared store must not depend on what
  /// this machine has already.
  ///
  /// - Throws: `CancellationError`, or whatever prevents all rendering.
  func run(_ job: Job, of whole: Job) throws -> [Result<Asset, Rejection>] {
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

  /// The bytes of a source as they were gathered; nil if they are gone.
  ///
  /// - Throws: `LostImages` with all that the store does not have.
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

  private func render(
    _ request: RenderRequest, of job: Job
  ) throws -> [Result<Asset, Rejection>] {
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
    // Rejections are found again by each machine.
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

  /// Puts an image into the cache; that of a shard is only in the shared store.
  func keep(_ image: RenderedImage, _ recipe: Recipe) throws -> Asset {
    Asset(
      digest: keepsImages ? try store.put(image.bytes) : Digest(of: image.bytes),
      format: recipe.encoding.format, width: Int32(image.size.width),
      height: Int32(image.size.height),
      bytes: Int64(image.bytes.count), metadata: image.metadata)
  }
}

extension Rejection {
  /// Whether the machine decided this, not the bytes: it is not remembered, and the next build tries again.
  var isOfMachine: Bool { [.crashed, .hung, .outOfMemory, .changed].contains(reason) }

  /// It is remembered, and counts as long as the limit is the same: what always takes too long is not
  /// tried again every night.
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
