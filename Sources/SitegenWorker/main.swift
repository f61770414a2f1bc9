import Files
import Glibc
import Transfers

// Swift's run-time would take it for a crash, and end with status 0 after a long report.
signal(SIGQUIT, SIG_DFL)
Version.checkStarted()
switch CommandLine.arguments.dropFirst(2).first {
case "pictures": exit(WorkerProcess.run())
case "network": exit(FetcherProcess.run())
default: exit(2)
}
