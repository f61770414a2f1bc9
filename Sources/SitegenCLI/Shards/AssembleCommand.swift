import Build
import Bytes
import Diagnostics

extension Option {
  fileprivate static let missing = Option(
    flag: "missing", "print the shards that lack something, and nothing else, such as 3,17-19")
}

extension Command {
  static let status: Command = Command(
    "status", "Tell what of a plan is not rendered yet",
    options: [.plan, .planStore, .missing, .json, .quiet],
    notes: ["Exit status 0 when all is rendered, 1 when something is missing."]
  ) { (arguments, session) throws(Diagnostic) in
    let printer = Printer(session.console, volume: arguments.volume)
    let location = try arguments.planLocation("status")
    return try Interruption.watched(session.console) { cancellation in
      do throws(BuildFailure) {
        let status = try PlanStatus(of: location, cancellation: cancellation)
        let isWhole = status.missing.isEmpty
        if arguments.has(.json) {
          session.console.print(
            json: StatusAccount(
              units: status.units, missing: status.missing.map(\.hex), shards: status.shards))
        } else if arguments.has(.missing) {
          if !isWhole { session.console.out(status.list + "\n") }
        } else {
          printer.say(
            "\(status.units - status.missing.count) of \(status.units) units are rendered"
              + (isWhole ? "" : "; shards \(status.list) lack some"))
        }
        return isWhole ? .success : .someFailed
      } catch {
        return arguments.report(error, session, printer)
      }
    }
  }

  static let assemble: Command = Command(
    "assemble", "Publish the site from what other machines have rendered", operands: [.site],
    options: [
      .directory, .manifest, .output, .cache, .templates, .plan, .planStore, .jobs, .strict, .adopt,
      .allowEmpty, .allowShrink, .offline, .timeout, .wait, .report, .reportPage, .metrics, .json,
      .newProblems, .memory, .requireJail, .progress, .quiet, .verbose,
    ],
    notes: [
      "It is a build that finds its pictures in the store: the site is the same byte for byte, and "
        + "what has changed since the plan was made is rendered here.",
      "Exit status 1, and nothing published, while units are missing.",
    ]
  ) { (arguments, session) throws(Diagnostic) in
    var options = try arguments.buildOptions("assemble")
    options.plan = try arguments.planLocation("assemble")
    // Its objects are those of the plan.
    options.store = nil
    session.engine.confine(options.writable)
    let run = BuildRun(arguments, options, session)
    return try Interruption.watched(session.console) { cancellation in run.result(cancellation) }
  }
}

/// What `--json` prints; docs/distributed.md names each key.
private struct StatusAccount: Encodable {
  var version = 1
  var units: Int
  var missing: [String]
  var shards: [Int]
}
