import Build
import Diagnostics

extension Command {
  static let clean: Command = Command(
    "clean", "Empty the store, and remove from the output what sitegen wrote",
    operands: [.site], options: [.directory, .manifest, .output, .cache, .quiet],
    notes: ["Files that sitegen did not write stay, and so does their folder."]
  ) { (arguments, session) throws(Diagnostic) in
    let printer = Printer(session.console, volume: arguments.volume)
    let options = try arguments.buildOptions("clean")
    session.engine.confine(options)
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
}

extension Command {
  static let prune: Command = Command(
    "prune", "Remove from the cache what the site does not show",
    operands: [.site],
    options: [.directory, .manifest, .output, .cache, .maxAge, .maxSize, .now, .quiet],
    notes: [
      "What the output shows is never removed, nor the pictures of its people as they came. What "
        + "is removed is rendered or fetched again if it is wanted again."
    ]
  ) { (arguments, session) throws(Diagnostic) in
    let printer = Printer(session.console, volume: arguments.volume)
    let options = try arguments.buildOptions("prune")
    session.engine.confine(options)
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

  private static func megabytes(_ bytes: Int64) -> String {
    let tenths = (bytes + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10) MB"
  }
}
