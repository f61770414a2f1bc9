import Files
import Foundation

/// What a command works with.
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
}
