import Build
import Diagnostics
import Files
import Foundation

package struct Session: Sendable {
  package var console: Console
  private let isWholeProcess: Bool

  /// Only the `isWholeProcess` of `main` gives up rights for good; a test goes on afterwards.
  package init(console: Console, isWholeProcess: Bool = false) {
    (self.console, self.isWholeProcess) = (console, isWholeProcess)
  }

  /// From here on this process and its children change files only in these and in temporary folders.
  ///
  /// Reading is not limited: sources may be anywhere.
  /// Call it before there are other threads, and not in a command that keeps running: to the kernel
  /// a folder that is removed and made again is another one.
  func confine(_ folders: [String]) {
    guard isWholeProcess else { return }
    let temporary = ProcessInfo.processInfo.environment["TMPDIR"]
    let writable =
      folders + [temporary, "/tmp", "/var/tmp", "/dev/shm", "/dev/null"].compactMap(\.self)
    let rules = Landlock(
      paths: [("/", [.read, .execute])] + writable.map { ($0, [.read, .write]) })
    // A kernel without Landlock changes nothing.
    _ = try? rules.restrict()
  }

  /// Does the work of a command until it ends or a signal stops it, and prints its failure; with
  /// `--json` the account follows.
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

/// What `--json` prints; docs/report.md and docs/verify.md describe each key.
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
  /// Paths in the output.
  var changed, removed: [String]?
  var problems: [Diagnostic] = []
  var newProblems: [Diagnostic]?
  var healed: [String]?
}
