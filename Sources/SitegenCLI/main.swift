import Glibc
import Workers

if CommandLine.arguments.dropFirst().first == "worker" {
  exit(WorkerProcess.run())
}
