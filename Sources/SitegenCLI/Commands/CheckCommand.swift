import Build
import Diagnostics

extension Command {
  static let check: Command = Command(
    "check", "Check the manifest and all picture headers, without rendering",
    operands: [.site],
    options: [
      .manifest, .cache, .templates, .jobs, .strict, .allowEmpty, .allowShrink, .offline, .timeout,
      .json, .quiet,
    ], exits: [1, 3, 128]
  ) { (arguments, session) throws(Diagnostic) in
    let options = try arguments.buildOptions("check")
    return try session.run(arguments, Account(manifest: options.manifest)) {
      (cancellation, printer, account) throws(BuildFailure) in
      let result = try Build(options, cancellation: cancellation).check()
      printer.problems(result.diagnostics)
      account.problems = result.diagnostics.sorted
      account.users = result.report.users
      account.pictures = result.report.pictures
      let isRefused = options.strict && result.diagnostics.hasFlaws
      account.exitStatus = (isRefused ? .someFailed : ExitStatus(result)).code
      let summary = BuildSummary(result.report, options)
      printer.say("\(options.manifest): \(BuildSummary.count(result.report.users.total, "user"))")
      if let pictures = summary.pictures { printer.say(pictures) }
    }
  }
}
