import CLinux
import Glibc

/// Tells what happens in folders, from the moment that they are watched.
///
/// Threads may share it. Changes that another machine makes on a network folder are not seen.
package final class Inotify: Sendable {
  private let queue: Descriptor
  /// Readable after `interrupt`.
  private let alarm: Descriptor

  /// Fails with `EMFILE` when this user has too many of them, or this process too many open files.
  ///
  /// The corresponding C functions are `inotify_init1` and `eventfd`.
  package init() throws(FileError) {
    let queue = Descriptor(
      adopting: try call("watch", "folders") {
        inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      })
    let alarm = Descriptor(
      adopting: try call("watch", "folders") {
        linux_eventfd(O_NONBLOCK | O_CLOEXEC)
      })
    self.queue = queue
    self.alarm = alarm
  }

  /// Watches a folder; what happens after this has returned is told.
  ///
  /// The same folder gives the same number, by whatever path, and is then watched for both.
  /// Returns the number that its events bear; fails with `ENOSPC` when there are too many watches.
  /// The corresponding C function is `inotify_add_watch`.
  package func watch(
    _ path: String, for kinds: FolderEvent.Kinds, followingLinks: Bool = true
  ) throws(FileError) -> Int32 {
    guard !path.utf8.contains(0) else {
      throw FileError("watch", path: path, code: EINVAL, reason: .badName)
    }
    // IN_EXCL_UNLINK: no events of files that have no name any more.
    var mask = kinds.rawValue | IN_ONLYDIR.bits | IN_MASK_ADD.bits | IN_EXCL_UNLINK.bits
    if !followingLinks { mask |= IN_DONT_FOLLOW.bits }
    return try call("watch", path) { unsafe inotify_add_watch(queue.number, path, mask) }
  }

  /// Ends a watch; one that has ended already is fine.
  ///
  /// The corresponding C function is `inotify_rm_watch`.
  package func end(_ watch: Int32) {
    _ = inotify_rm_watch(queue.number, watch)
  }

  /// Waits until there is something to read, or `interrupt` was called.
  ///
  /// The corresponding C function is `poll`.
  package func wait() {
    var both = [
      pollfd(fd: queue.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm.number, events: Int16(POLLIN), revents: 0),
    ]
    // Two descriptors that this object owns, and an array of two. A signal makes it return early,
    // like an event that another thread has read.
    _ = unsafe poll(&both, 2, -1)
  }

  /// Lets `wait` return, now and from now on.
  ///
  /// The corresponding C function is `write`.
  package func interrupt() {
    var one: UInt64 = 1
    _ = unsafe write(alarm.number, &one, 8)
  }

  /// The next events; empty when there are none, since it does not wait.
  ///
  /// The corresponding C function is `read`.
  package func read() throws(FileError) -> [FolderEvent] {
    // A thousand events and more at once; the longest one has 272 bytes.
    var bytes: [UInt8] = Array(repeating: 0, count: 1 << 16)
    do throws(FileError) {
      let count = try call("watch", "folders") {
        unsafe Glibc.read(queue.number, &bytes, bytes.count)
      }
      bytes.removeSubrange(count...)
    } catch  where error.code == EAGAIN {
      return []
    }
    return FolderEvent.all(in: bytes)
  }
}

extension FixedWidthInteger {
  /// C's constants of masks have several types.
  fileprivate var bits: UInt32 { UInt32(truncatingIfNeeded: self) }
}
