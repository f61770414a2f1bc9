import Build
import Bytes
import Diagnostics
import Store

extension Option {
  fileprivate static let shards = Option(
    "shards", .number("N", 1...1_000_000), absent: "1",
    "how many processes will render; more than that share the work better")
  fileprivate static let base = Option(
    "base", .text("DIGEST"),
    "an earlier plan: what was fetched for it is known here too, and shown where it cannot be had now"
  )
  static let sources = Option(
    "sources", .choice(["store", "shared"]), absent: "store",
    "shared: pictures are not copied, since all machines see their folder")
}

extension Command {
  static let plan: Command = Command(
    "plan", "Put what other machines shall render into a store", operands: [.site],
    options: [
      .directory, .manifest, .output, .cache, .templates, .planStore, .shards, .sources, .base,
      .jobs,
      .strict, .allowEmpty, .allowShrink, .offline, .timeout, .memory, .requireJail, .json, .quiet,
    ],
    notes: [
      "The last line that it prints is the name of the plan, for `render`, `status` and `assemble`. "
        + "Pictures at addresses are fetched here, and nowhere else.",
      "A plan of a site that has hardly changed finds nearly all of it in the store.",
    ]
  ) { (arguments, session) throws(Diagnostic) in
    let printer = Printer(session.console, volume: arguments.volume)
    var options = try arguments.buildOptions("plan")
    options.store?.mode = .readwrite
    guard let store = options.store else { throw .lacking("store", "plan") }
    let base = try arguments.text(.base).map { text throws(Diagnostic) in
      guard let digest = Digest(hex: text) else { throw .noPlan(text, "plan") }
      return digest
    }
    session.engine.confine(options.writable)
    return try Interruption.watched(session.console) { cancellation in
      var account = PlanAccount()
      do throws(BuildFailure) {
        let outcome = try PlanUnits(
          options, store: store, shards: arguments.number(.shards) ?? 1,
          sharesSources: arguments.text(.sources) == "shared", base: base,
          cancellation: cancellation
        ).run()
        printer.problems(outcome.diagnostics)
        account.problems = outcome.diagnostics.sorted
        if options.strict && outcome.diagnostics.hasFlaws {
          account.exitStatus = 1
        } else {
          account.plan = outcome.plan.hex
          (account.units, account.finished) = (outcome.units, outcome.finished)
          (account.images, account.shards) = (outcome.images, outcome.shards)
          session.console.err(
            arguments.volume == .quiet
              ? ""
              : "\(BuildSummary.count(outcome.images, "picture")) in "
                + "\(BuildSummary.count(outcome.units, "unit")) for "
                + "\(BuildSummary.count(outcome.shards, "shard")); \(outcome.finished) rendered\n")
          if !arguments.has(.json) { session.console.out(outcome.plan.hex + "\n") }
        }
      } catch {
        account.problems = error.allProblems
        account.exitStatus = error.reportOfPlan(to: printer).code
      }
      if arguments.has(.json) { session.console.print(json: account) }
      return ExitStatus(code: account.exitStatus)
    }
  }
}

/// What `--json` prints; docs/distributed.md names each key.
private struct PlanAccount: Encodable {
  var version = 1
  var exitStatus: Int32 = 0
  var plan: String?
  var shards: Int?
  var units: Int?
  var images: Int?
  var finished: Int?
  var problems: [Diagnostic] = []
}
