import CLinux
package import Dispatch
import Glibc

/// A thread-safe monitor for changes in watched folders.
///
/// Changes made by other machines on a network file system are not reported.
package final class Inotify: Sendable {
  private let queue: Descriptor

  package init() throws(FileError) {
    queue = Descriptor(
      adopting: try call("watch", "folders") {
        inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      })
  }

  private static let mask =
    [
      IN_CREATE, IN_DELETE, IN_MOVED_TO, IN_MOVED_FROM, IN_MODIFY, IN_CLOSE_WRITE, IN_ATTRIB,
      IN_DELETE_SELF, IN_MOVE_SELF,
    ].reduce(0) { $0 | UInt32($1) }
    // IN_EXCL_UNLINK suppresses events for deleted files.
    | UInt32(IN_ONLYDIR) | UInt32(IN_EXCL_UNLINK)

  /// Watches a folder; returns its watch descriptor, which does not depend on the path used.
  ///
  /// Fails with `ENOSPC` if there are too many watches.
  package func watch(_ path: String) throws(FileError) -> Int32 {
    guard !path.utf8.contains(0) else {
      throw FileError("watch", path: path, code: EINVAL, reason: .badName)
    }
    return try call("watch", path) { unsafe inotify_add_watch(queue.number, path, Self.mask) }
  }

  package func end(_ watch: Int32) {
    _ = inotify_rm_watch(queue.number, watch)
  }

  package func source(
    on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
  ) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: self.queue.number, queue: queue)
    source.setEventHandler(handler: body)
    source.setCancelHandler { withExtendedLifetime(self) {} }
    source.activate()
    return source
  }

  package func read() throws(FileError) -> [FolderEvent] {
    // Space for at least 240 events of up to 272 bytes each.
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

package struct FolderEvent: Hashable, Sendable {
  /// The watch descriptor; -1 if the kernel dropped events.
  package let watch: Int32
  /// The entry's name; empty for the folder itself.
  package let name: String

  /// Parses the kernel's `inotify_event` structures; skips names that are not valid UTF-8.
  static func all(in bytes: [UInt8]) -> [FolderEvent] {
    let headerSize = 16
    var events: [FolderEvent] = []
    var start = 0
    while start + headerSize <= bytes.count {
      func word(_ offset: Int) -> UInt32 {
        unsafe bytes.withUnsafeBytes {
          unsafe $0.loadUnaligned(fromByteOffset: start + offset, as: UInt32.self)
        }
      }
      let nameStart = start + headerSize
      let end = min(nameStart + Int(word(12)), bytes.count)
      if let name = String(validating: bytes[nameStart..<end].prefix { $0 != 0 }, as: UTF8.self) {
        events.append(FolderEvent(watch: Int32(bitPattern: word(0)), name: name))
      }
      start = end
    }
    return events
  }
}
