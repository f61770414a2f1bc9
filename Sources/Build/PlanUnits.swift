package import Bytes
package import Diagnostics
import Files
import Foundation
import Manifest
import Plan
import Recipes
package import Store
import Workers

/// `sitegen plan`: gathers everything, and puts into a store what other machines render.
///
/// The plan has the jobs of all users as if no source failed and nothing were made: equal sites have
/// equal plans. What is in the store stays, so a plan of a site that has hardly changed is cheap.
package struct PlanUnits: Sendable {
  package struct Outcome: Sendable {
    package var plan: Digest
    package var shards: Int
    package var units = 0
    package var images = 0
    /// Units whose pictures were there already.
    package var finished = 0
    package var diagnostics = Diagnostics()
  }

  private let options: BuildOptions
  private let location: SharedStore.Location
  private let shards: Int
  /// Sources lie in a folder that all machines see, and stay there.
  private let sharesSources: Bool
  /// A plan whose machine has fetched what this one may not get any more.
  private let base: Digest?
  private let cancellation: Cancellation

  package init(
    _ options: BuildOptions, store location: SharedStore.Location, shards: Int,
    sharesSources: Bool = false, base: Digest? = nil, cancellation: Cancellation = Cancellation()
  ) {
    self.options = options
    self.location = location
    self.shards = shards
    self.sharesSources = sharesSources
    self.base = base
    self.cancellation = cancellation
  }

  package func run() throws(BuildFailure) -> Outcome {
    do {
      return try made()
    } catch {
      throw BuildFailure(error, cancellation)
    }
  }

  private func made() throws -> Outcome {
    let store = try location.open(isCancelled: { [cancellation] in cancellation.isCancelled })
    let base = try base.map { (digest: $0, plan: try JobPlan($0, in: store)) }
    var context = try BuildContext(options, cancellation: cancellation) { _ in }
    defer { context.close() }
    if let base {
      try FetchedForPlan.take(for: base.digest, from: store, context)
      context.takeOriginal = SourcesOfPlan(base.plan, in: store, context).take
    }
    let moment = context.now
    let input = try BuildInput(options, context)
    var inputs = input.inputs
    let resources = try BuildResources(input.manifest, context, inputs: &inputs)
    context.pool.supply(resources.supplies, draws: resources.draws)
    let fingerprint = try Fingerprint(context, inputs: &inputs)
    var stages = try BuildStages(
      context, manifest: input.manifest, resources: resources, fingerprint: fingerprint)

    var plan = JobPlan(
      renderer: fingerprint.text, shards: shards, resources: resources.supplies.keys.sorted(),
      draws: resources.draws)
    for (name, bytes) in resources.supplies {
      // Also where they are: they may be damaged there, and are few.
      if let digest = Digest(hex: name) { try store.put(bytes, as: .bytes(digest)) }
    }
    let packer = UnitPacker(
      runner: JobRunner(
        context: context,
        files: FileSource(
          folder: context.manifestFolder, allowOutside: input.manifest.allowOutside)),
      store: store, renderer: fingerprint.text, sharesSources: sharesSources)
    // Requests wait for the store and not for a processor.
    let queue = try WorkQueue(waiting: "store", width: 16, cancellation: cancellation)
    var finished = 0
    var lost: Set<Digest> = []
    var waiting: [[RenderJob]] = []
    func pack() throws {
      try queue.map(waiting) {
        try packer.put($0)
      } receive: { _, result in
        let unit = try result.get()
        plan.units.append(unit.digest.hex)
        plan.images += unit.images
        finished += unit.isFinished ? 1 : 0
        lost.formUnion(unit.lost)
      }
      waiting = []
    }
    repeat {
      stages.lookAgain(at: lost)
      (plan.units, plan.images, finished, lost) = ([], 0, 0, [])
      var cutter = UnitCutter(pixels: 0, shards: shards)
      try stages.planEveryone {
        cutter = UnitCutter(pixels: $0, shards: shards)
      } _: { jobs in
        guard let unit = cutter.take(jobs) else { return }
        waiting.append(unit)
        if waiting.count == 64 { try pack() }
      }
      if let unit = cutter.finish() { waiting.append(unit) }
      try pack()
    } while !lost.isEmpty

    let digest = try plan.put(in: store)
    try FetchedForPlan.put(
      input.lists.keys + stages.addressKeys, lists: input.lists.parts, since: moment, for: digest,
      in: store, context)
    return Outcome(
      plan: digest, shards: shards, units: plan.units.count, images: plan.images,
      finished: finished, diagnostics: stages.diagnostics(after: input.diagnostics))
  }
}

/// Puts units and their sources into a store.
private struct UnitPacker: Sendable {
  let runner: JobRunner
  let store: any ObjectStore
  let renderer: String
  let sharesSources: Bool

  struct Outcome: Sendable {
    var digest: Digest
    var images: Int
    var isFinished: Bool
    /// Sources whose bytes are not what they were when they were gathered, or nowhere any more: the unit
    /// cannot be put.
    var lost: [Digest] = []
  }

  private struct LostSource: Error {}

  /// The sources go only where somebody still has to render them.
  func put(_ jobs: [RenderJob]) throws -> Outcome {
    var unit = JobUnit(renderer: renderer)
    var images = 0
    var sources: [Digest: Source] = [:]
    for job in jobs {
      // What only this machine has is rendered by who assembles.
      guard let source = runner.travelling(job) else { continue }
      var file: String?
      if sharesSources, case .file(let path) = job.source.origin { file = path.text }
      unit.add(job.recipes, of: source, job.source.digest, file: file)
      sources[job.source.digest] = job.source
      images += job.recipes.count
    }
    func read(_ digest: Digest) throws -> Data? { try sources[digest].flatMap(runner.bytes) }
    let bytes = try unit.encoded()
    let digest = Digest(of: bytes)
    let isFinished = try Pack.isWhole(JobUnit.resultKey(of: digest), in: store)
    var outcome = Outcome(digest: digest, images: images, isFinished: isFinished)
    let packed = unit.packed
    if try !isFinished && !packed.isEmpty && !Pack.isWhole(unit.sourcesKey, in: store) {
      do {
        try Pack.put(count: packed.count, as: unit.sourcesKey, in: store) { number in
          guard let bytes = try read(packed[number]) else { throw LostSource() }
          return bytes
        }
      } catch is LostSource {
        outcome.lost = try packed.filter { try read($0) == nil }
        return outcome
      }
    }
    // Last: where the unit is, its sources are. One that nobody could render may be damaged.
    if try !isFinished || !store.has(.bytes(digest)) { try store.put(bytes, as: .bytes(digest)) }
    return outcome
  }
}
