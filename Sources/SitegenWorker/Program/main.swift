import Files
import Foundation
import Glibc
import Rendering
import Transfers
import Workers

// Swift's runtime would report SIGQUIT as a crash and exit with status 0.
signal(SIGQUIT, SIG_DFL)
Version.checkStarted()

/// Runs until stdin closes, which also happens when the build dies.
func serve() throws {
  switch CommandLine.arguments.dropFirst(2).first.flatMap(HelperRole.init) {
  case .pictures: try PicturesRole.serve(Wire())
  case .network: try NetworkRole.serve(Wire())
  case nil: throw FileError("use", path: "an unknown role", code: EINVAL)
  }
}

do {
  try serve()
  // `exit` would run cleanup code while library threads may be active.
  _exit(0)
} catch is Wire.Closed {
  _exit(0)
} catch {
  let words =
    switch error {
    // The build searches stderr for this text.
    case is Wire.OutOfMemory: "out of memory"
    case let failure as FileError: failure.message
    default: "\(error)"
    }
  FileHandle.standardError.write(Data("sitegen-worker: \(words)\n".utf8))
  exit(error is Wire.OutOfMemory ? 1 : 2)
}
