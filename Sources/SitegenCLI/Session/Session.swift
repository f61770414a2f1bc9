import Build
import Diagnostics
import Files
import Foundation

package struct Session: Sendable {
  package var console: Console
  private let isWholeProcess: Bool

  /// `isWholeProcess` is set only by `main`, because dropping privileges is irreversible.
  package init(console: Console, isWholeProcess: Bool = false) {
    (self.console, self.isWholeProcess) = (console, isWholeProcess)
  }

  /// Restricts writes by this process and its children to these folders and temporary folders.
  ///
  /// Reading is not limited, because sources may be anywhere. Call this before other threads start.
  /// Do not call it in a long-running command: if a folder is recreated, it is not writable.
  func confine(_ folders: [String]) {
    guard isWholeProcess else { return }
    let temporary = ProcessInfo.processInfo.environment["TMPDIR"]
    let writable =
      folders + [temporary, "/tmp", "/var/tmp", "/dev/shm", "/dev/null"].compactMap(\.self)
    let rules = Landlock(
      paths: [("/", [.read, .execute])] + writable.map { ($0, [.read, .write]) })
    // Ignore failures: older kernels do not support Landlock.
    _ = try? rules.restrict()
  }

  /// Runs a command's work and prints failures; with `--json`, prints the result.
  func run(
    _ arguments: RawArguments, _ account: Account,
    _ work: (Cancellation, Printer, inout Account) throws(BuildFailure) -> Void
  ) throws(Diagnostic) -> ExitStatus {
    let printer = Printer(console, isQuiet: arguments.isQuiet)
    return try Interruption.watched(console) { cancellation in
      var account = account
      do throws(BuildFailure) {
        try work(cancellation, printer, &account)
      } catch {
        account.problems = error.problems.sorted
        account.exitStatus = error.report(to: printer).code
      }
      if arguments.has(.json) { console.print(json: account) }
      return ExitStatus(code: account.exitStatus)
    }
  }
}

/// The output of `--json`; docs/reference/json-output.md describes each key.
struct Account: Encodable {
  var version = 1
  var exitStatus: Int32 = 0
  var manifest, output, page: String?
  var equal: Bool?
  var counts: [String: Int]?
  var users: Report.UserCounts?
  var pictures: Report.PictureCounts?
  var seconds: Double?
  var counters: Counters?
  var changed, removed: [String]?
  var problems: [Diagnostic] = []
  var newProblems: [Diagnostic]?
  var healed: [String]?
}
