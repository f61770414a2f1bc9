import Build
import Diagnostics
import Foundation
import Glibc

extension Option {
  fileprivate static let shard = Option(
    "shard", .text("I/N"), absent: "as the scheduler's variable says, else all",
    "which part to render, counted from 0; I alone is one of the plan's shards")
  fileprivate static let steal = Option(
    flag: "steal", "when all of the shard is done, render what other shards lack")
  fileprivate static let sourcesFolder = Option(
    "sources", .text("DIR"), "the manifest's folder, for a plan of `--sources shared`")
}

extension Command {
  static let render: Command = Command(
    "render", "Render a part of a plan",
    options: [
      .plan, .planStore, .shard, .steal, .sourcesFolder, .jobs, .memory, .requireJail, .json,
      .quiet,
    ],
    notes: [
      "Schedulers say which part in "
        + ShardChoice.variables.map(\.name).joined(separator: ", ") + ".",
      "Exit status 0 when all of it is in the store, 1 when some pictures cannot be made, which "
        + "rendering again does not change, 75 after SIGTERM or when the store is away: then run it "
        + "again.",
    ]
  ) { (arguments, session) throws(Diagnostic) in
    let printer = Printer(session.console, volume: arguments.volume)
    let location = try arguments.planLocation("render")
    var options = RenderUnits.Options(
      location, jobs: arguments.jobs, worker: Engine.programs.worker)
    let environment = ProcessInfo.processInfo.environment
    if let text = arguments.text(.shard) {
      guard let choice = ShardChoice(text) else {
        throw .usage(
          .badValue, "\(text.quoted) is no shard", "render",
          help: "write the number of the shard, or I/N such as 3/200, counted from 0")
      }
      (options.shard, options.shards) = (choice.shard, choice.shards)
    } else if let (choice, variable) = ShardChoice.found(in: environment) {
      options.shard = choice.shard
      printer.say("shard \(choice.shard), as \(variable) says")
    } else {
      // Who says nothing gets no part that looks like the whole.
      options.shards = 1
    }
    if let megabytes = arguments.number(.memory) { options.memory = megabytes << 20 }
    options.requiresJail = arguments.has(.requireJail)
    options.steals = arguments.has(.steal)
    options.sources = arguments.text(.sourcesFolder)
    session.engine.confine(location.store.writable)
    return try Interruption.watched(session.console) { cancellation in
      do throws(BuildFailure) {
        let outcome = try RenderUnits(options, cancellation: cancellation).run()
        if arguments.has(.json) {
          session.console.print(json: outcome)
        } else {
          printer.say(
            "shard \(outcome.shard) of \(outcome.shards): "
              + "\(BuildSummary.count(outcome.rendered, "unit")) rendered, "
              + "\(outcome.found) there already; \(outcome.images) pictures, "
              + "\(outcome.failed) failed; \(String(format: "%.1f", outcome.seconds)) s")
        }
        return outcome.failed > 0 ? .someFailed : .success
      } catch {
        // A scheduler that wants the machine back sends it, and starts the shard again elsewhere.
        if case .cancelled(SIGTERM) = error {
          return arguments.report(error, as: .locked, session, printer)
        }
        return arguments.report(error, session, printer)
      }
    }
  }
}
