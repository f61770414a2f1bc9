import Fetch
import Files
import Foundation
import Glibc
import Rendering
import Transfers
import Workers

// A `sitegen-worker` that runs an attacker's code from the first request on. No untrusted input
// arrives before that.
signal(SIGQUIT, SIG_DFL)
Version.checkStarted()

// The parent is read before the sandbox hides it.
let parent = getppid()
let sibling = ProcessInfo.processInfo.environment["SITEGEN_TEST_SIBLING"].flatMap { pid_t($0) }

if CommandLine.arguments.last == HelperRole.pictures.rawValue {
  try PicturesRole.serve(Wire()) {
    let words = PictureAttempts(parent: parent, sibling: sibling ?? 0).words
    FileHandle.standardError.write(Data(words.utf8))
    exit(8)
  }
} else {
  try NetworkRole.serve(Wire()) { NetworkAttempts.failure(of: $0.url) }
}
_exit(0)
