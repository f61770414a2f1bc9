import Glibc
import Workers

// A worker sets up its process itself.
if CommandLine.arguments.dropFirst().first == "worker" {
  exit(WorkerProcess.run())
}

// Workers decode what strangers made, as the same user.
Jail.forbidTracing()
// A reader that has gone is an error of the write, not the end of the process.
signal(SIGPIPE, SIG_IGN)
// So is a file that may not grow.
signal(SIGXFSZ, SIG_IGN)
exit(Program.run(Array(CommandLine.arguments.dropFirst()), Session(console: .standard)).code)
