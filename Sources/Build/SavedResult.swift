import Bytes
import Diagnostics
import Files
import Foundation
import Manifest
import Plan

/// What one build leaves in the cache for the next: the report, and the list of stamps that proves
/// that nothing is to do.
struct SavedResult {
  let upToDateCheck: UpToDateCheck?
  private let context: BuildContext
  private let identity: Digest

  static let reportName = "report.json"

  init(_ context: BuildContext) {
    self.context = context
    identity = Self.identity(of: context.options)
    let fetching = context.options.fetching
    let believes =
      !context.options.force && !fetching.refresh && !fetching.afresh && !fetching.retriesFailed
    upToDateCheck = !believes ? nil : UpToDateCheck(in: context.cache, identity: identity)
  }

  /// The last result once more, if every file is as it was.
  func resultIfUpToDate(_ clock: StageClock) throws -> BuildResult? {
    guard let upToDateCheck, !context.options.dryRun,
      upToDateCheck.isFresh(at: context.now, offline: context.options.fetching.offline),
      let root = try? Folder(opening: "/"),
      upToDateCheck.holds(
        manifestFolder: context.manifestFolder, output: context.output, root: root,
        queue: context.queue),
      var result = try? JSONDecoder().decode(BuildResult.self, from: Data(upToDateCheck.result))
    else { return nil }
    result.report.standing = true
    result.report.seconds = clock.seconds
    result.report.network = Report.Network()
    for index in result.report.stale.indices {
      result.report.stale[index].age += max(context.now - upToDateCheck.madeAt, 0)
    }
    result.report.counters = Counters()
    result.report.counters.unchanged = upToDateCheck.outputs.files.count
    result.report.counters.skipped = result.report.users.skipped
    result.report.counters.failed = result.report.users.failed
    return try writeReport(result)
  }

  /// Writes the list of stamps, when it would be right, and the report.
  ///
  /// - Returns: The result, with a warning if the report could not be written where it was wanted.
  func write(
    _ result: BuildResult, stages: BuildStages, published: Publisher.Result, inputs: Inputs,
    freshUntil: Int64
  ) throws -> BuildResult {
    let sources = sources(of: stages)
    let isComplete =
      !stages.hasTransientFailures && inputs.areTrustworthy && sources != nil
      && published.stamps.areComplete
    try UpToDateCheck(
      identity: identity, isComplete: isComplete, inputs: inputs.stamped,
      sources: sources ?? StampedPaths(), outputs: published.stamps, madeAt: context.now,
      freshUntil: min(freshUntil, stages.content.sources.freshUntil),
      keptUntil: published.keptUntil, result: Array(JSONEncoder().encode(result))
    ).write(in: context.cache)
    return try writeReport(result)
  }

  /// Writes the report alone: the list of stamps is that of the published site.
  func writeReport(_ result: BuildResult) throws -> BuildResult {
    var result = result
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let bytes = [UInt8](try encoder.encode(result.report)) + [UInt8(ascii: "\n")]
    try context.cache.write(bytes, to: Self.reportName)
    // The site is published by now, so a report that cannot be written is only a warning.
    if let path = context.options.report {
      do throws(FileError) {
        let (folder, name) = try BuildContext.split(path)
        try folder.write(bytes, to: name)
      } catch {
        result.diagnostics.add(
          Diagnostic(
            .warning, .reportUnwritable, "cannot write the report \(path)",
            note: error.explanation))
      }
    }
    return result
  }

  private func sources(of stages: BuildStages) -> StampedPaths? {
    guard stages.content.sources.stampsAreTrustworthy else { return nil }
    var stamped = StampedPaths()
    let stamps = stages.content.sources.stamps
    let sorted = stamps.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
    for (path, stamp) in sorted { stamped.append(path.text, stamp) }
    return stamped
  }

  /// The digest of all options that decide the outcome; files are known by their stamps.
  private static func identity(of options: BuildOptions) -> Digest {
    var words = ["sitegen", Inputs.fromRoot(options.manifest), Inputs.fromRoot(options.output)]
    words.append(Inputs.fromRoot(options.templates.path) + (options.templates.isNamed ? "" : "?"))
    words.append(options.manifestText ?? "")
    words += [
      "\(options.strict)", "\(options.allowEmpty)", "\(options.fetching.offline)",
      Inputs.fromRoot(options.programs.worker),
    ]
    words += [options.fontsFolder, options.faceDetector].map(Inputs.fromRoot)
    return Digest(of: Array(words.joined(separator: "\0").utf8))
  }
}
