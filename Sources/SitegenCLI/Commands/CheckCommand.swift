import Build
import Diagnostics

extension Command {
  static let check: Command = Command(
    "check", "Check the manifest and the headers of all pictures, without rendering",
    operands: [.site],
    options: [
      .manifest, .cache, .templates, .jobs, .strict, .allowEmpty, .allowShrink, .offline, .timeout,
      .json, .quiet,
    ]
  ) { (arguments, session) throws(Diagnostic) in
    let printer = Printer(session.console, isQuiet: arguments.isQuiet)
    let options = try arguments.buildOptions("check")
    return try Interruption.watched(session.console) { cancellation in
      var account = CheckAccount(manifest: options.manifest)
      do throws(BuildFailure) {
        let result = try Build(options, cancellation: cancellation).check()
        printer.problems(result.diagnostics)
        account.problems = result.diagnostics.sorted
        account.users = result.report.users
        account.pictures = result.report.pictures
        let isRefused = options.strict && result.diagnostics.hasFlaws
        account.exitStatus = (isRefused ? .someFailed : ExitStatus(result)).code
        let summary = BuildSummary(result.report, options)
        printer.say(
          "\(options.manifest): \(BuildSummary.count(result.report.users.total, "user"))")
        if let pictures = summary.pictures { printer.say(pictures) }
      } catch {
        account.problems = error.problems.sorted
        account.exitStatus = error.report(to: printer).code
      }
      if arguments.has(.json) { session.console.print(json: account) }
      return ExitStatus(code: account.exitStatus)
    }
  }
}

/// What `--json` prints; docs/report.md names each key.
private struct CheckAccount: Encodable {
  var version = 1
  var exitStatus: Int32 = 0
  var manifest: String
  var users: Report.UserCounts?
  var pictures: Report.PictureCounts?
  var problems: [Diagnostic] = []
}
