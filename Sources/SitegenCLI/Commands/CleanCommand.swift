import Build
import Diagnostics
import Foundation
import Store

extension Command {
  static let clean: Command = Command(
    "clean", "Empty the store, and remove from the output what sitegen wrote",
    operands: [.site], options: [.directory, .manifest, .output, .cache, .quiet],
    notes: ["Files that sitegen did not write stay, and so does their folder."]
  ) { (arguments, session) throws(Diagnostic) in
    let printer = Printer(session.console, volume: arguments.volume)
    let options = try arguments.buildOptions("clean")
    session.engine.confine(options.writable)
    do throws(BuildFailure) {
      try session.engine.clean(options)
      printer.say("removed what sitegen wrote to \(options.output), and emptied \(options.cache)")
      return .success
    } catch {
      return error.report(to: printer)
    }
  }
}

extension Option {
  static let maxAge = Option(
    "max-age", .number("DAYS", -1...36_500), absent: "30",
    "remove what is older; 0 is all that the site does not show, -1 no limit")
  static let maxSize = Option(
    "max-size", .number("MB", -1...1_000_000_000), absent: "-1",
    "remove the oldest until the cache has no more megabytes; -1 is no limit")
  static let now = Option(
    "now", .flag, "as --max-age 0, and remove from the output what keepOld keeps there")
  fileprivate static let sharedFolder = Option(
    "store", .text("PATH"), "prune a store that several machines use, and not the cache")
  fileprivate static let onlyCount = Option(
    flag: "dry-run", letter: "n", "with --store: print what would be removed, and remove nothing")
}

extension Command {
  static let prune: Command = Command(
    "prune", "Remove from the cache what the site does not show",
    operands: [.site],
    options: [
      .directory, .manifest, .output, .cache, .maxAge, .maxSize, .now,
      .sharedFolder, .onlyCount, .quiet,
    ],
    notes: [
      "What the output shows is never removed, nor the pictures of its people as they came. What "
        + "is removed is rendered or fetched again if it is wanted again.",
      "A file of a store is as old as its last use by a build with --store-mode readwrite.",
    ]
  ) { (arguments, session) throws(Diagnostic) in
    let printer = Printer(session.console, volume: arguments.volume)
    if arguments.has(.sharedFolder) { return try pruneStore(arguments, session, printer) }
    if arguments.has(.onlyCount) {
      throw .usage(
        .badValue, "--dry-run needs --store", "prune", help: "name the store with --store")
    }
    let options = try arguments.buildOptions("prune")
    session.engine.confine(options.writable)
    let isNow = arguments.has(.now)
    let limits = Prune.Limits(
      age: isNow ? 0 : Int64(arguments.number(.maxAge) ?? 30) * 86_400,
      bytes: Int64(arguments.number(.maxSize) ?? -1) * 1_000_000, takesOld: isNow)
    do throws(BuildFailure) {
      let pruned = try session.engine.prune(options, limits)
      if isNow {
        printer.say("\(options.output): \(BuildSummary.count(pruned.old, "old picture")) removed")
      }
      printer.say(
        "\(options.cache): \(BuildSummary.count(pruned.removed, "file")) removed, "
          + "\(megabytes(pruned.removedBytes)); \(pruned.kept) kept, \(megabytes(pruned.keptBytes))"
      )
      return .success
    } catch {
      return error.report(to: printer)
    }
  }

  private static func pruneStore(
    _ arguments: RawArguments, _ session: Session, _ printer: Printer
  ) throws(Diagnostic) -> ExitStatus {
    for option in [Option.manifest, .output, .cache, .maxSize, .now] where arguments.has(option) {
      throw .usage(
        .badValue, "--\(option.name) and --store cannot be used together", "prune",
        help: "--max-age says what is removed from a store")
    }
    guard let location = try arguments.storeLocation("prune") else { return .usage }
    let isDry = arguments.has(.onlyCount)
    session.engine.confine(isDry ? [] : location.writable)
    let days = arguments.number(.maxAge) ?? 30
    return try Interruption.watched(session.console) { cancellation in
      do {
        let moment =
          days < 0 ? Int64.min : Int64(Date().timeIntervalSince1970) - Int64(days) * 86_400
        let pruned = try SharedStore.prune(
          location.path, unusedSince: moment, dryRun: isDry, check: cancellation.check)
        printer.say(
          "\(location.path): \(BuildSummary.count(pruned.removed, "file")) "
            + (isDry ? "would be removed" : "removed")
            + ", \(megabytes(pruned.removedBytes)); \(pruned.kept) kept, "
            + megabytes(pruned.keptBytes))
        return .success
      } catch {
        return BuildFailure(error, cancellation).report(to: printer)
      }
    }
  }

  private static func megabytes(_ bytes: Int64) -> String {
    let tenths = (bytes + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10) MB"
  }
}
