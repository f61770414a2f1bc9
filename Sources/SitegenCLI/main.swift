import Build
import Diagnostics
import Files
import Foundation
import Glibc
import Workers

// Restore the default action: Swift's runtime treats SIGQUIT as a crash, and exits with 0 after
// printing a long report.
signal(SIGQUIT, SIG_DFL)

func fail(_ message: String, note: String? = nil, help: String) -> Never {
  Printer(.standard).problem(Diagnostic(.error, .machineFailed, message, note: note, help: help))
  exit(ExitStatus.machine.code)
}

guard let programs = Programs.besideThis else {
  fail("cannot read /proc/self/exe", help: "mount /proc, which sitegen needs")
}
// `doctor` reports a missing worker itself.
let needsWorker = !["doctor", "schema", "help", "version", "--version", "-V", "--help", "-h"]
  .contains(CommandLine.arguments.dropFirst().first ?? "help")
if needsWorker, !FileManager.default.isExecutableFile(atPath: programs.worker) {
  fail(
    "cannot start \(programs.worker.quoted): file not found",
    help: "put sitegen-worker next to sitegen")
}

// Dispatch needs two descriptors when it first waits; without them, it crashes.
do throws(FileError) {
  try DescriptorLimit.checkTwoAreLeft()
} catch {
  fail(
    "cannot open two files", note: error.explanation,
    help: "raise the limit on open files (`ulimit -n`)")
}

// A compromised worker runs as the same user and must not trace this process.
Sandbox.forbidTracing()
OwnProcess.keepNiceness()
// Ignore these signals, so that a failed write causes an error instead of ending the process.
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)
exit(
  Program.run(
    Array(CommandLine.arguments.dropFirst()), Session(console: .standard, isWholeProcess: true)
  ).code)
