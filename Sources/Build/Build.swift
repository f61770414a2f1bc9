import Diagnostics
import Foundation
import Plan
import Store
import Workers

/// A full build, from reading the manifest to publishing the site.
package struct Build: Sendable {
  private let options: BuildOptions
  private let cancellation: Cancellation
  private let progress: @Sendable (ProgressEvent) -> Void
  private let buildCache: BuildCache?

  package init(
    _ options: BuildOptions, cancellation: Cancellation = Cancellation(),
    buildCache: BuildCache? = nil,
    progress: @escaping @Sendable (ProgressEvent) -> Void = { _ in }
  ) {
    (self.options, self.cancellation, self.progress) = (options, cancellation, progress)
    self.buildCache = buildCache
  }

  /// Whether to report how lists were interpreted without a manifest; watch mode would repeat it.
  private var explains: Bool { options.manifestText != nil && buildCache == nil }

  package func run() throws(BuildFailure) -> BuildResult {
    try BuildFailure.mapping(cancellation) { try build() }
  }

  /// Reads the manifest and the headers of all pictures, without rendering or writing.
  package func check() throws(BuildFailure) -> BuildResult {
    try BuildFailure.mapping(cancellation) {
      var options = options
      options.dryRun = true
      var clock = StageClock { _ in }
      clock.start("check")
      let context = try BuildContext(options, cancellation: cancellation, progress: { _ in })
      let input = try BuildInput(options, context, explains: true)
      var inputs = input.inputs
      let resources = try BuildResources(input.manifest, context, inputs: &inputs)
      var stages = try BuildStages(
        context, manifest: input.manifest, resources: resources, fingerprint: .unasked)
      try stages.gatherPeople()
      try stages.gatherIcon()
      return stages.result(stages.diagnostics(after: input.diagnostics), clock)
    }
  }

  private func build() throws -> BuildResult {
    var clock = StageClock(progress)
    // Read the manifest before creating folders, so that an invalid manifest leaves none behind.
    var early: BuildInput?
    if FolderRules.areNew(options) {
      clock.start("read the manifest")
      do {
        early = try BuildInput(options, nil, cancellation, explains: explains) {
          buildCache?.note(read: $0)
        }
      } catch is RemoteLists.NeedsCache {
        // With remote lists, the input can be read only after the cache has been opened.
      }
    }
    let context = try BuildContext(
      options, cancellation: cancellation, pool: buildCache?.pool, network: buildCache?.network,
      progress: progress)
    defer { context.close() }
    defer { buildCache?.leave(context) }
    do {
      return try build(in: context, early, &clock)
    } catch {
      if BuildFailure(error, cancellation).exitStatus == 3 { context.leaveTemporaries() }
      // If another program has removed or replaced a lock, report that instead of `error`.
      if !(error is CancellationError) { try context.checkLocks() }
      throw error
    }
  }

  private func build(
    in context: BuildContext, _ early: BuildInput?, _ clock: inout StageClock
  ) throws -> BuildResult {
    buildCache?.enter(context)
    clock.start("look at the last build")
    let saved = SavedResult(context)
    if options.shard == nil, buildCache?.hasBuilt != false,
      let result = try saved.resultIfUpToDate(clock)
    {
      if let buildCache { buildCache.finishUnchanged(try Ledger(in: context.output)) }
      return result
    }

    clock.start("read the manifest")
    let input =
      try early ?? buildCache?.input(context)
      ?? BuildInput(options, context, explains: explains) { buildCache?.note(read: $0) }
    var inputs = input.inputs
    var earlier = input.diagnostics
    if !options.allowShrink, options.shard == nil,
      var lost = try Diagnostic.lostPeople(input.manifest, in: options.output)
    {
      // In watch mode, only warn: the user is editing the list and sees the result.
      guard buildCache != nil else { throw BuildFailure.machine(lost) }
      lost.severity = .warning
      lost.help = nil
      earlier.add(lost)
    }
    let resources = try BuildResources(input.manifest, context, inputs: &inputs)
    context.pool.supply(resources.supplies, draws: resources.draws)
    buildCache?.note(read: inputs)
    let fingerprint = try Fingerprint(context, inputs: &inputs)
    buildCache?.note(input)

    clock.start("gather, plan and render")
    let manifest = options.shard?.part(of: input.manifest) ?? input.manifest
    var stages = try BuildStages(
      context, manifest: manifest, resources: resources, fingerprint: fingerprint)
    try stages.resolveAll()
    if options.shard == nil { try stages.makeSiteImages() }
    try stages.recordLastGood()
    var diagnostics = stages.diagnostics(after: earlier)
    let isRefused = options.strict && diagnostics.hasFlaws
    if isRefused || options.dryRun || options.shard != nil {
      var result = stages.result(diagnostics, clock)
      if !options.dryRun { result = context.addingProblems(to: try saved.writeReport(result)) }
      if isRefused { throw BuildFailure.strict(result) }
      return result
    }

    clock.start("assemble and publish")
    let published = try stages.publish(
      upToDateCheck: saved.upToDateCheck, lists: input.lists.parts, assemble: input.assemble)
    if buildCache?.hasBuilt != true { try context.forgetUnusedRecords() }
    buildCache?.finish(published)
    if stages.hasRetried {
      try stages.recordLastGood()
      diagnostics = stages.diagnostics(after: earlier)
    }

    let result = stages.result(diagnostics, clock)
    // Do not save the shared store's problems: the next build may not use the store.
    return context.addingProblems(
      to: try saved.write(
        result, stages: stages, published: published, inputs: inputs,
        freshUntil: input.lists.freshUntil))
  }
}
