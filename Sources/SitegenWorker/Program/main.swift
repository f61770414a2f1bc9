import Files
import Foundation
import Glibc
import Rendering
import Transfers
import Workers

// Swift's run-time would take it for a crash, and end with status 0 after a long report.
signal(SIGQUIT, SIG_DFL)
Version.checkStarted()

/// It runs until stdin ends, which also happens when the build dies.
func serve() throws {
  switch CommandLine.arguments.dropFirst(2).first.flatMap(HelperRole.init) {
  case .pictures: try PicturesRole.serve(Wire())
  case .network: try NetworkRole.serve(Wire())
  case nil: throw FileError("use", path: "an unknown role", code: EINVAL)
  }
}

do {
  try serve()
  // Not `exit`: threads of libraries may be at work, and nothing needs to be tidied up.
  _exit(0)
} catch is Wire.Closed {
  // The build ended, perhaps in the middle of a message.
  _exit(0)
} catch {
  let words =
    switch error {
    // The build looks for these words.
    case is Wire.OutOfMemory: "out of memory"
    case let failure as FileError: failure.message
    default: "\(error)"
    }
  FileHandle.standardError.write(Data("sitegen-worker: \(words)\n".utf8))
  exit(error is Wire.OutOfMemory ? 1 : 2)
}
