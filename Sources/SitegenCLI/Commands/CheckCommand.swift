import Build
import Diagnostics

extension Command {
  static let check: Command = Command(
    "check", "Read the manifest and the headers of all pictures, and render nothing",
    operands: [.site],
    options: [
      .directory, .manifest, .cache, .templates, .jobs, .strict, .allowEmpty, .allowShrink,
      .offline, .timeout,
      .quiet,
    ]
  ) { (arguments, session) throws(Diagnostic) in
    let printer = Printer(session.console, volume: arguments.volume)
    let options = try arguments.buildOptions("check")
    return try Interruption.watched(session.console) { cancellation in
      do throws(BuildFailure) {
        let result = try session.engine.check(options, cancellation)
        printer.problems(result.diagnostics)
        let users = result.report.users
        printer.say(
          "\(options.manifest): \(BuildSummary.count(users.total, "user")), "
            + "\(users.ok) with a picture, "
            + "\(users.fallback) with the background colour instead, "
            + (users.stale > 0 ? "\(users.stale) with an earlier picture, " : "")
            + "\(users.skipped) without a picture, \(users.failed) failed")
        return options.strict && result.diagnostics.hasFlaws ? .someFailed : ExitStatus(result)
      } catch {
        return error.report(to: printer)
      }
    }
  }
}
