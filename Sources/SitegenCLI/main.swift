import Glibc
import Workers

// A worker owns its process: nothing is set up before it.
if CommandLine.arguments.dropFirst().first == "worker" {
  exit(WorkerProcess.run())
}

// A reader that went away is an error of the write, not the end of the process.
signal(SIGPIPE, SIG_IGN)
exit(
  Program.run(
    Array(CommandLine.arguments.dropFirst()), Session(console: .standard, engine: .standard)
  ).code)
