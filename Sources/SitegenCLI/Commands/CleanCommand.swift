import Build
import Bytes
import Diagnostics
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
    "store", .text("dir:PATH"),
    "in place of the cache, a folder that machines share: says what it would remove")
  fileprivate static let keep = Option(
    "keep", .text("PLANS"), "of a shared folder, what these plans need stays")
  fileprivate static let delete = Option(flag: "delete", "remove it from the shared folder")
}

extension Command {
  static let prune: Command = Command(
    "prune", "Remove from the cache what the site does not show",
    operands: [.site],
    options: [
      .directory, .manifest, .output, .cache, .maxAge, .maxSize, .now,
      .sharedFolder, .keep, .delete, .quiet,
    ],
    notes: [
      "What the output shows is never removed, nor the pictures of its people as they came. What "
        + "is removed is rendered or fetched again if it is wanted again.",
      "A file of a shared folder is as old as its last use.",
    ]
  ) { (arguments, session) throws(Diagnostic) in
    let printer = Printer(session.console, volume: arguments.volume)
    if arguments.has(.sharedFolder) { return try pruneStore(arguments, session, printer) }
    for option in [Option.keep, .delete] where arguments.has(option) {
      throw .usage(
        .badValue, "--\(option.name) without --store makes no sense", "prune",
        help: "name the shared folder with --store")
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
        .badValue, "--\(option.name) and --store together make no sense", "prune",
        help: "--max-age and --keep say what is removed from a shared folder")
    }
    guard let location = try arguments.storeLocation("prune") else {
      throw .lacking("store", "prune")
    }
    var plans: [Digest] = []
    for word in (arguments.text(.keep) ?? "").split(whereSeparator: { ", \n".contains($0) }) {
      guard let digest = Digest(hex: String(word)) else { throw .noPlan(String(word), "prune") }
      plans.append(digest)
    }
    // Such as those of a file that is missing.
    if arguments.has(.keep), plans.isEmpty {
      throw .usage(
        .badValue, "--keep names no plan", "prune",
        help: "leave it out if no plan is to be kept")
    }
    let isReal = arguments.has(.delete)
    session.engine.confine(isReal ? location.writable : [])
    return try Interruption.watched(session.console) { cancellation in
      do throws(BuildFailure) {
        let outcome = try PruneStore(
          location, keeping: plans, age: Int64(arguments.number(.maxAge) ?? 30) * 86_400,
          deletes: isReal, cancellation: cancellation
        ).run()
        printer.say(
          "\(location.address): \(BuildSummary.count(outcome.removed, "file")) "
            + (isReal ? "removed" : "would be removed with --delete")
            + ", \(megabytes(outcome.removedBytes)); \(outcome.kept) kept, "
            + megabytes(outcome.keptBytes))
        return .success
      } catch {
        return error.report(to: printer)
      }
    }
  }

  private static func megabytes(_ bytes: Int64) -> String {
    let tenths = (bytes + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10) MB"
  }
}
