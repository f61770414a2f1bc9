import Diagnostics
import Foundation
import Plan
import Store
import Workers

/// The main job, as a sentence: read the manifest, gather the sources, plan the jobs, render the
/// images, assemble the pages, publish the folder.
package struct Build: Sendable {
  private let options: BuildOptions
  private let cancellation: Cancellation
  private let progress: @Sendable (ProgressEvent) -> Void
  /// Nil for a single build.
  private let buildCache: BuildCache?

  package init(
    _ options: BuildOptions, cancellation: Cancellation = Cancellation(),
    progress: @escaping @Sendable (ProgressEvent) -> Void = { _ in }
  ) {
    self.init(options, cancellation: cancellation, buildCache: nil, progress: progress)
  }

  init(
    _ options: BuildOptions, cancellation: Cancellation, buildCache: BuildCache?,
    progress: @escaping @Sendable (ProgressEvent) -> Void
  ) {
    self.options = options
    self.cancellation = cancellation
    self.progress = progress
    self.buildCache = buildCache
  }

  /// Who has written no manifest is told what was taken for what; who watches, not each time.
  private var explains: Bool { options.manifestText != nil && buildCache == nil }

  package func run() throws(BuildFailure) -> BuildResult {
    do {
      return try build()
    } catch {
      throw BuildFailure(error, cancellation)
    }
  }

  private func build() throws -> BuildResult {
    let trace = options.reportPage == nil ? nil : Trace()
    var clock = StageClock(progress, trace)
    let reportPage = try options.reportPage?.prepare(options.templates)
    // A bad manifest makes no folder: where one is missing, the manifest is read first.
    var early: BuildInput?
    if BuildContext.isNew(options) {
      clock.start("read the manifest")
      do {
        early = try BuildInput(options, nil, explains: explains) { buildCache?.note(read: $0) }
      } catch is RemoteLists.NeedsCache {
        // It is read when there is one.
      }
    }
    let context = try BuildContext(
      options, cancellation: cancellation, trace: trace, pool: buildCache?.pool,
      network: buildCache?.network, progress: progress)
    defer { context.close() }
    defer { buildCache?.leave(context) }
    do {
      return try build(in: context, early, reportPage, &clock)
    } catch {
      if BuildFailure(error, cancellation).exitStatus == 3 { context.leaveTemporaries() }
      // Whatever it was, it may be that somebody has removed the folder.
      if !(error is CancellationError) { try context.checkLocks() }
      throw error
    }
  }

  private func build(
    in context: BuildContext, _ early: BuildInput?, _ reportPage: ReportPageMaker.Prepared?,
    _ clock: inout StageClock
  ) throws -> BuildResult {
    try buildCache?.enter(context)
    clock.start("look at the last build")
    var context = context
    let plan = try options.plan.map { location in
      let (plan, store) = try location.open(cancellation)
      context.takeOriginal = SourcesOfPlan(plan, in: store, context).take
      // What the machine that planned has fetched is what the site shows.
      context.plannedAt = try FetchedForPlan.take(for: location.digest, from: store, context)
      return (plan, store)
    }
    let saved = SavedResult(context, reportPage)
    // What was fetched for a plan may be newer than what is fresh here.
    if context.plannedAt == nil, buildCache?.knowsContent != false,
      let result = try saved.resultIfUpToDate(clock)
    {
      try buildCache?.finishUnchanged(context)
      return result
    }

    clock.start("read the manifest")
    let input =
      try early ?? buildCache?.input(context)
      ?? BuildInput(options, context, explains: explains) { buildCache?.note(read: $0) }
    var inputs = input.inputs
    let resources = try BuildResources(input.manifest, context, inputs: &inputs)
    context.pool.supply(resources.supplies, draws: resources.draws)
    buildCache?.note(read: inputs)
    let fingerprint = try Fingerprint(context, inputs: &inputs)
    if let (plan, store) = plan {
      clock.start("take what was rendered")
      try takeRendered(plan, store, fingerprint, context)
    }
    try buildCache?.begin(
      BuildCache.RenderContext(
        context: context, input: input, resources: resources, fingerprint: fingerprint,
        inputs: inputs))

    clock.start("gather, plan and render")
    var stages = try BuildStages(
      context, manifest: input.manifest, resources: resources, fingerprint: fingerprint)
    try stages.settleEveryone()
    try stages.makeSiteImages()
    try stages.provePictures()
    var diagnostics = stages.diagnostics(after: input.diagnostics)
    if options.strict && diagnostics.hasFlaws {
      let result = stages.result(diagnostics, clock)
      throw BuildFailure.strict(
        options.dryRun ? result : try saved.write(unpublished: result, stages))
    }
    if options.dryRun { return stages.result(diagnostics, clock) }

    clock.start("assemble and publish")
    let published = try stages.publish(
      upToDateCheck: saved.upToDateCheck, lists: input.lists.parts, assemble: input.pages.assemble)
    if buildCache?.knowsContent != true { try context.forgetUnusedRecords() }
    buildCache?.finish(stages.content, published)
    if stages.hasLostEarlierPictures {
      diagnostics = stages.diagnostics(after: input.diagnostics)
    }

    let result = stages.result(diagnostics, clock)
    return try saved.write(
      result, stages: stages, published: published, inputs: inputs,
      freshUntil: input.lists.freshUntil)
  }

  /// Takes all that a plan names from its store.
  private func takeRendered(
    _ plan: JobPlan, _ store: any ObjectStore, _ fingerprint: Fingerprint, _ context: BuildContext
  ) throws {
    guard plan.renderer == fingerprint.text else {
      throw BuildFailure.otherRenderer(plan.renderer, fingerprint.text)
    }
    let status = try PlanStatus(plan, store, cancellation)
    if let first = status.missing.first {
      throw BuildFailure.incomplete(units: status.missing.count, of: status.units, such: first)
    }
    try UnitImport(plan: plan, store: store, context: context).run()
  }
}
