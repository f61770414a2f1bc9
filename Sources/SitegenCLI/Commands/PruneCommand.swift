import Build
import Diagnostics
import Foundation
import Store

extension Option {
  static let maxAge = Option(
    "max-age", .number("DAYS", -1...36_500), absent: "30", in: .own,
    "remove files older than this; 0 removes all unused files, and -1 removes none")
  static let maxSize = Option(
    "max-size", .number("MB", -1...1_000_000_000), absent: "-1",
    in: .own, "remove the oldest files until the cache is smaller than this; -1 means no limit")
  fileprivate static let sharedFolder = Option(
    "store", .text("PATH"), in: .own, "prune this shared store instead of the cache")
  fileprivate static let onlyCount = Option(
    "dry-run", letter: "n", in: .own, "with --store: only print what would be removed")
}

extension Command {
  static let prune: Command = Command(
    "prune", "Remove old files from the cache, except those that the site uses",
    operands: [.site],
    options: [.manifest, .output, .cache, .maxAge, .maxSize, .sharedFolder, .onlyCount, .quiet],
    exits: [3, 75, 128]
  ) { (arguments, session) throws(Diagnostic) in
    let printer = Printer(session.console, isQuiet: arguments.isQuiet)
    if arguments.has(.sharedFolder) { return try pruneStore(arguments, session, printer) }
    if arguments.has(.onlyCount) {
      throw .usage(
        .badValue, "--dry-run needs --store", "prune", help: "specify the store with --store")
    }
    let options = try arguments.buildOptions("prune")
    session.confine(options.writable)
    let limits = Prune.Limits(
      age: Int64(arguments.number(.maxAge) ?? 30) * 86_400,
      bytes: Int64(arguments.number(.maxSize) ?? -1) * 1_000_000)
    do throws(BuildFailure) {
      printer.say(summary(options.cache, try Prune(options, limits).run(), "removed"))
      return .success
    } catch {
      return error.report(to: printer)
    }
  }

  private static func pruneStore(
    _ arguments: RawArguments, _ session: Session, _ printer: Printer
  ) throws(Diagnostic) -> ExitStatus {
    try arguments.refuse(
      .sharedFolder, with: [.manifest, .output, .cache, .maxSize], "prune",
      help: "use --max-age with --store")
    guard let location = try arguments.storeLocation("prune") else { return .usage }
    let isDry = arguments.has(.onlyCount)
    session.confine(isDry ? [] : location.writable)
    let days = arguments.number(.maxAge) ?? 30
    return try Interruption.watched(session.console) { cancellation in
      do {
        let moment =
          days < 0 ? Int64.min : Int64(Date().timeIntervalSince1970) - Int64(days) * 86_400
        let pruned = try SharedStore.prune(
          location.path, unusedSince: moment, dryRun: isDry, check: cancellation.check)
        printer.say(summary(location.path, pruned, isDry ? "would be removed" : "removed"))
        return .success
      } catch {
        return BuildFailure(error, cancellation).report(to: printer)
      }
    }
  }

  private static func summary(
    _ folder: String, _ pruned: SharedStore.Pruned, _ verb: String
  ) -> String {
    func megabytes(_ bytes: Int64) -> String { String(format: "%.1f MB", Double(bytes) / 1e6) }
    return "\(folder): \(BuildSummary.count(pruned.removed, "file")) \(verb), "
      + "\(megabytes(pruned.removedBytes)); \(pruned.kept) kept, \(megabytes(pruned.keptBytes))"
  }
}
