import CLinux
import Glibc

/// Reports what happens in folders, from the moment that they are watched.
///
/// Threads may share it. Changes that another machine makes on a network folder are not seen.
package final class Inotify: Sendable {
  private let queue: Descriptor
  /// Readable after `interrupt`.
  private let alarm: Descriptor

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

  /// Watches a folder, and returns the number that its events have: the same by any path.
  ///
  /// Fails with `ENOSPC` if there are too many watches.
  package func watch(
    _ path: String, for kinds: FolderEvent.Kinds, followingLinks: Bool = true
  ) throws(FileError) -> Int32 {
    guard !path.utf8.contains(0) else {
      throw FileError("watch", path: path, code: EINVAL, reason: .badName)
    }
    // IN_EXCL_UNLINK: no events of deleted files.
    var mask = kinds.rawValue | IN_ONLYDIR.bits | IN_MASK_ADD.bits | IN_EXCL_UNLINK.bits
    if !followingLinks { mask |= IN_DONT_FOLLOW.bits }
    return try call("watch", path) { unsafe inotify_add_watch(queue.number, path, mask) }
  }

  /// Ends a watch; one that has ended already is fine.
  package func end(_ watch: Int32) {
    _ = inotify_rm_watch(queue.number, watch)
  }

  /// Waits until there is something to read, or `interrupt` was called.
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
  package func interrupt() {
    var one: UInt64 = 1
    _ = unsafe write(alarm.number, &one, 8)
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

extension FixedWidthInteger {
  /// C's constants of masks have several types.
  fileprivate var bits: UInt32 { UInt32(truncatingIfNeeded: self) }
}

/// Something that happened to an entry of a watched folder, or to the folder.
package struct FolderEvent: Hashable, Sendable {
  /// The number that `Inotify.watch` gave; -1 for `missed`.
  package let watch: Int32
  package let kinds: Kinds
  /// Empty if it happened to the folder itself.
  package let name: String

  package init(watch: Int32, kinds: Kinds, name: String) {
    self.watch = watch
    self.kinds = kinds
    self.name = name
  }

  package struct Kinds: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }
    private init(_ value: some FixedWidthInteger) { rawValue = value.bits }

    // What can be watched. A new hard link or symbolic link is made, and never written.
    package static let made = Self(IN_CREATE)
    package static let removed = Self(IN_DELETE)
    /// By renaming, in from elsewhere.
    package static let movedIn = Self(IN_MOVED_TO)
    package static let movedOut = Self(IN_MOVED_FROM)
    /// The file may still be open.
    package static let written = Self(IN_MODIFY)
    /// A file that was open for writing was closed.
    package static let closed = Self(IN_CLOSE_WRITE)
    /// Times, rights, owner.
    package static let touched = Self(IN_ATTRIB)
    package static let folderRemoved = Self(IN_DELETE_SELF)
    package static let folderMoved = Self(IN_MOVE_SELF)

    // What the kernel adds.
    /// The entry is a folder.
    package static let isFolder = Self(rawValue: 0x4000_0000)
    /// The kernel dropped events, since they were not read in time.
    package static let missed = Self(IN_Q_OVERFLOW)
    /// The watch has ended: the folder is gone, or `end` was called.
    package static let ended = Self(IN_IGNORED)

    package static let names: Self = [.made, .removed, .movedIn, .movedOut]
    /// Every change of a folder or of the files in it.
    package static let changes: Self = [
      .names, .written, .closed, .touched, .folderRemoved, .folderMoved,
    ]
  }

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
        events.append(
          FolderEvent(
            watch: Int32(bitPattern: word(0)), kinds: Kinds(rawValue: word(4)), name: name))
      }
      start = end
    }
    return events
  }
}
