import Diagnostics
import Foundation
import Workers

/// The main job, as a sentence: read the manifest, gather the sources, plan the jobs, render the
/// images, assemble the pages, publish the folder.
package struct Build: Sendable {
  private let options: BuildOptions
  private let cancellation: Cancellation
  private let progress: @Sendable (ProgressEvent) -> Void
  /// Nil for a build that is the only one.
  private let resident: Resident?

  package init(
    _ options: BuildOptions, cancellation: Cancellation = Cancellation(),
    progress: @escaping @Sendable (ProgressEvent) -> Void = { _ in }
  ) {
    self.init(options, cancellation: cancellation, resident: nil, progress: progress)
  }

  init(
    _ options: BuildOptions, cancellation: Cancellation, resident: Resident?,
    progress: @escaping @Sendable (ProgressEvent) -> Void
  ) {
    self.options = options
    self.cancellation = cancellation
    self.progress = progress
    self.resident = resident
  }

  package func run() throws(BuildFailure) -> BuildResult {
    do {
      return try build()
    } catch {
      throw BuildFailure(error, cancellation)
    }
  }

  private func build() throws -> BuildResult {
    let trace = options.reportPage ? Trace() : nil
    var clock = StageClock(progress, trace)
    let reporter = try trace.map { try Reporter($0, options) }
    // Where nothing stands yet, nothing is made for a manifest that is no good.
    var early: Brief?
    if Workplace.isNew(options) {
      clock.start("read the manifest")
      early = try Brief(options) { resident?.note(read: $0) }
    }
    let place = try Workplace(
      options, cancellation: cancellation, trace: trace, pool: resident?.pool,
      network: resident?.network, progress: progress)
    defer { place.close() }
    defer { resident?.leave(place) }
    try resident?.enter(place)

    clock.start("look at the last build")
    let memory = BuildMemory(place, reporter)
    if resident?.knowsContent != false, let result = try memory.standingResult(clock) {
      try resident?.finishUnchanged(place)
      return result
    }

    clock.start("read the manifest")
    let brief = try early ?? resident?.brief() ?? Brief(options) { resident?.note(read: $0) }
    var inputs = brief.inputs
    let provisions = try Provisions(brief.manifest, place, inputs: &inputs)
    place.pool.supply(provisions.supplies)
    resident?.note(read: inputs)
    let fingerprint = try Fingerprint(place, inputs: &inputs)
    try resident?.begin(
      Resident.Bench(
        place: place, brief: brief, provisions: provisions, fingerprint: fingerprint,
        inputs: inputs))

    clock.start("gather, plan and render")
    var studio = try Studio(
      place, manifest: brief.manifest, provisions: provisions, fingerprint: fingerprint)
    try studio.settleEveryone()
    try studio.makePieces()
    let diagnostics = studio.diagnostics(after: brief.diagnostics)
    if options.strict && diagnostics.hasFlaws {
      let result = studio.result(diagnostics, clock)
      throw BuildFailure.strict(
        options.dryRun ? result : try memory.tell(unpublished: result, studio))
    }
    if options.dryRun { return studio.result(diagnostics, clock) }

    clock.start("assemble and publish")
    let published = try studio.publish(standing: memory.standing) { content in
      try Site(content, templates: brief.templates)
    }

    resident?.finish(studio.content, published)

    let result = studio.result(diagnostics, clock)
    return try memory.remember(result, studio: studio, published: published, inputs: inputs)
  }
}
