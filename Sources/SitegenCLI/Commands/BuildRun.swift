import Build
import Bytes
import Diagnostics
import Dispatch
import Files
import Foundation
import Plan

struct BuildRun {
  private let arguments: RawArguments
  private let options: BuildOptions
  private let session: Session
  private let printer: Printer
  private let meter: ProgressMeter

  init(_ arguments: RawArguments, _ options: BuildOptions, _ session: Session) {
    (self.arguments, self.options, self.session) = (arguments, options, session)
    printer = Printer(session.console, isQuiet: arguments.isQuiet)
    meter = ProgressMeter(session.console, isQuiet: arguments.isQuiet)
  }

  func result(_ cancellation: Cancellation) -> ExitStatus {
    let before = arguments.has(.json) ? ledger : Ledger()
    do throws(BuildFailure) {
      defer { meter.finish() }
      let result = try built(cancellation)
      meter.finish()
      let status = ExitStatus(result)
      var guesses: [String] = []
      let problems = result.diagnostics.changed {
        guard $0.id == DiagnosticID.usersGuess.rawValue else { return true }
        guesses.append($0.message)
        return false
      }
      report(problems, result.report, status, since: before)
      for line in BuildSummary(result.report, options).lines + guesses.sorted() {
        printer.say(line)
      }
      if let next { printer.say(next) }
      return status
    } catch {
      let status = ExitStatus(error)
      switch error {
      case .usage, .strict, .machine:
        report(
          error.problems, error.refused?.report, status, since: before,
          last: error.refused.map { _ in .nothingPublished })
        return status
      case .locked, .cancelled, .superseded: return error.report(to: printer)
      }
    }
  }

  /// A hint on how to open the site; nil without pages, and for dry runs, shards and `--every`.
  private var next: String? {
    let page = "\(options.output)/index.html".replacing("//", with: "/")
    guard !options.dryRun, options.shard == nil, !arguments.has(.every),
      FileManager.default.fileExists(atPath: page)
    else { return nil }
    let places = [Option.manifest, .output, .cache, .templates].flatMap { option in
      arguments.text(option).map { ["--" + option.name, $0] } ?? []
    }
    let words = (["serve"] + arguments.operands + places).map(\.shellWord)
    return "open \(page), or run: \(Program.command) \(words.joined(separator: " "))"
  }

  /// Runs the build; with `--wait`, retries while another build holds the lock.
  private func built(_ cancellation: Cancellation) throws(BuildFailure) -> BuildResult {
    let end = DispatchTime.now() + .seconds(arguments.number(.wait) ?? 0)
    while true {
      do throws(BuildFailure) {
        return try Build(options, cancellation: cancellation) { meter.show($0) }.run()
      } catch .locked(let diagnostic) {
        guard DispatchTime.now() < end, !cancellation.isCancelled else { throw .locked(diagnostic) }
        Thread.sleep(forTimeInterval: 0.2)
      }
    }
  }

  private func report(
    _ problems: Diagnostics, _ report: Report?, _ status: ExitStatus, since before: Ledger,
    last: Diagnostic? = nil
  ) {
    var shown = problems
    var healed: [String] = []
    if arguments.has(.newProblems), !options.dryRun {
      (shown, healed) = ReportedProblems(in: options.cache).news(of: problems)
    }
    printer.problems(shown)
    if let last, shown.hasFlaws { printer.problem(last) }
    for line in healed { session.console.err("sitegen: fixed: \(line.printable)\n") }
    guard arguments.has(.json) else { return }
    var account = Account(exitStatus: status.code, output: options.output)
    (account.users, account.pictures) = (report?.users, report?.pictures)
    account.seconds = report.map { $0.seconds.values.reduce(0, +) }
    account.counters = report?.counters
    account.changed = ledger.changed(since: before).map(\.path)
    account.removed = before.subtracting(ledger).map(\.path)
    account.problems = problems.sorted
    if arguments.has(.newProblems) {
      (account.newProblems, account.healed) = (shown.sorted, healed)
    }
    session.console.print(json: account)
  }

  private var ledger: Ledger {
    (try? Folder(opening: options.output)).flatMap { try? Ledger(in: $0) } ?? Ledger()
  }
}

/// Problems reported earlier, saved in the cache so that each is reported only once.
private struct ReportedProblems {
  private let path: String

  init(in cache: String) { path = "\(cache)/\(Report.reportedName)" }

  func news(of problems: Diagnostics) -> (new: Diagnostics, healed: [String]) {
    let url = URL(fileURLWithPath: path)
    let old = (try? JSONDecoder().decode([String].self, from: Data(contentsOf: url))) ?? []
    // Omit the position, because a row moves when rows are added before it.
    func name(_ problem: Diagnostic) -> String {
      [problem.message, problem.note].compactMap(\.self).joined(separator: ": ")
        + " [\(problem.id)]"
    }
    let real = problems.sorted.filter { $0.severity > .note }
    let reported = Set(old)
    var new = Diagnostics()
    for problem in real where !reported.contains(name(problem)) { new.add(problem) }
    let now = Set(real.map(name))
    // If the list was cut off, a problem that is missing from it is not necessarily fixed.
    let isWhole = real.count == problems.count(.error) + problems.count(.warning)
    if now != reported { try? JSONEncoder().encode(now.sorted()).write(to: url, options: .atomic) }
    return (new, isWhole ? old.filter { !now.contains($0) } : [])
  }
}
