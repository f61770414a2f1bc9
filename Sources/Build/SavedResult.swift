import Bytes
import Diagnostics
import Files
import Foundation
import Manifest
import Plan

/// The report and stamps that a build saves for the next one.
struct SavedResult {
  let upToDateCheck: UpToDateCheck?
  private let context: BuildContext
  private let identity: Digest

  static let reportName = "report.json"

  init(_ context: BuildContext) {
    self.context = context
    identity = Self.identity(of: context.options)
    let fetching = context.options.fetching
    upToDateCheck =
      fetching.refresh || fetching.ignoringCache
      ? nil : .last(in: context.cache, identity: identity)
  }

  func resultIfUpToDate(_ clock: StageClock) throws -> BuildResult? {
    guard let check = upToDateCheck, !context.options.dryRun,
      check.isFresh(at: context.now, offline: context.options.fetching.offline),
      check.holds(
        manifestFolder: context.manifestFolder, output: context.output, queue: context.queue),
      var result = try? JSONDecoder().decode(BuildResult.self, from: Data(check.result))
    else { return nil }
    result.report.upToDate = true
    result.report.seconds = clock.seconds
    result.report.network = Report.Network()
    for index in result.report.stale.indices {
      result.report.stale[index].age? += max(context.now - check.madeAt, 0)
    }
    result.report.counters = Counters()
    // Do not count the ledger, which is not part of the site.
    result.report.counters.unchanged = check.outputs.stamps.count - 1
    result.report.counters.skipped = result.report.users.skipped
    result.report.counters.failed = result.report.users.failed
    return try writeReport(result)
  }

  func write(
    _ result: BuildResult, stages: BuildStages, published: Publisher.Result, inputs: Inputs,
    freshUntil: Int64
  ) throws -> BuildResult {
    let sources = stages.content.sources
    var stamped = StampedPaths()
    for (path, stamp) in sources.stamps { stamped.append(path.text, stamp) }
    let isComplete =
      !stages.hasTransientFailures && inputs.areTrustworthy && sources.stampsAreTrustworthy
      && published.areStampsComplete
    try UpToDateCheck(
      identity: identity, isComplete: isComplete, inputs: inputs.stamped,
      sources: stamped, outputs: published.stamps, madeAt: context.now,
      freshUntil: min(freshUntil, sources.freshUntil),
      keptUntil: published.keptUntil, result: Array(JSONEncoder().encode(result))
    ).write(in: context.cache)
    return try writeReport(result)
  }

  /// Writes the report but not the stamps; a build that does not publish keeps the old stamps.
  func writeReport(_ result: BuildResult) throws -> BuildResult {
    var result = result
    result.report.people = context.options.people
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let bytes = [UInt8](try encoder.encode(result.report)) + [UInt8(ascii: "\n")]
    try context.cache.write(bytes, to: Self.reportName)
    return result
  }

  /// Returns the digest of all options that affect the result; stamps detect changes to files.
  private static func identity(of options: BuildOptions) -> Digest {
    let parts = [
      "sitegen", Inputs.fromRoot(options.manifest), Inputs.fromRoot(options.output),
      Inputs.fromRoot(options.templates.path) + (options.templates.isNamed ? "" : "?"),
      options.manifestText ?? "", "\(options.strict)", "\(options.allowEmpty)",
      "\(options.isPreview)",
      "\(options.fetching.offline)", Inputs.fromRoot(options.programs.worker),
      Inputs.fromRoot(options.fontsFolder), Inputs.fromRoot(options.faceDetector),
    ]
    return Digest(of: Array(parts.joined(separator: "\0").utf8))
  }
}
