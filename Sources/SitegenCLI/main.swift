import Fetch
import Glibc
import Workers

// These set up their processes themselves.
switch CommandLine.arguments.dropFirst().first {
case "worker": exit(WorkerProcess.run())
case "fetcher": exit(FetcherProcess.run())
default: break
}

// Workers decode what strangers made, as the same user.
Jail.forbidTracing()
// A reader that has gone is an error of the write, not the end of the process.
signal(SIGPIPE, SIG_IGN)
// So is a file that may not grow.
signal(SIGXFSZ, SIG_IGN)
exit(Program.run(Array(CommandLine.arguments.dropFirst()), Session(console: .standard)).code)
