import CLinux
package import Dispatch
import Glibc

/// Reports what happens in folders, from the moment that they are watched.
///
/// Threads may share it. Changes that another machine makes on a network folder are not seen.
package final class Inotify: Sendable {
  private let queue: Descriptor

  package init() throws(FileError) {
    queue = Descriptor(
      adopting: try call("watch", "folders") {
        inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      })
  }

  /// What changes a folder or a file in it, but not what reads them.
  private static let mask =
    [
      IN_CREATE, IN_DELETE, IN_MOVED_TO, IN_MOVED_FROM, IN_MODIFY, IN_CLOSE_WRITE, IN_ATTRIB,
      IN_DELETE_SELF, IN_MOVE_SELF,
    ].reduce(0) { $0 | UInt32($1) }
    // IN_EXCL_UNLINK: no events of deleted files.
    | UInt32(IN_ONLYDIR) | UInt32(IN_EXCL_UNLINK)

  /// Watches a folder, and returns the number that its events have: the same by any path.
  ///
  /// Fails with `ENOSPC` if there are too many watches.
  package func watch(_ path: String) throws(FileError) -> Int32 {
    guard !path.utf8.contains(0) else {
      throw FileError("watch", path: path, code: EINVAL, reason: .badName)
    }
    return try call("watch", path) { unsafe inotify_add_watch(queue.number, path, Self.mask) }
  }

  /// Ends a watch; one that has ended already is fine.
  package func end(_ watch: Int32) {
    _ = inotify_rm_watch(queue.number, watch)
  }

  /// Calls `body` on a queue whenever there are events to read, until the source is cancelled.
  package func source(
    on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
  ) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: self.queue.number, queue: queue)
    source.setEventHandler(handler: body)
    // The descriptor must stay open until then.
    source.setCancelHandler { withExtendedLifetime(self) {} }
    source.activate()
    return source
  }

  /// The next events, without waiting.
  package func read() throws(FileError) -> [FolderEvent] {
    // At least a thousand events; the longest one has 272 bytes.
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

/// Something has happened to an entry of a watched folder, or to the folder.
package struct FolderEvent: Hashable, Sendable {
  /// The number that `Inotify.watch` gave; -1 if the kernel dropped events.
  package let watch: Int32
  /// Empty if it happened to the folder itself.
  package let name: String

  /// Reads the kernel's `struct inotify_event`s; events of names that are not UTF-8 are left out.
  static func all(in bytes: [UInt8]) -> [FolderEvent] {
    // Watch, kinds, cookie and the length of the name: 4 bytes each.
    let headerSize = 16
    var events: [FolderEvent] = []
    var start = 0
    while start + headerSize <= bytes.count {
      // Inside the header.
      func word(_ offset: Int) -> UInt32 {
        unsafe bytes.withUnsafeBytes {
          unsafe $0.loadUnaligned(fromByteOffset: start + offset, as: UInt32.self)
        }
      }
      let nameStart = start + headerSize
      let end = min(nameStart + Int(word(12)), bytes.count)
      // The kernel fills up with zero bytes.
      if let name = String(validating: bytes[nameStart..<end].prefix { $0 != 0 }, as: UTF8.self) {
        events.append(FolderEvent(watch: Int32(bitPattern: word(0)), name: name))
      }
      start = end
    }
    return events
  }
}
