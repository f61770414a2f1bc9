import Glibc
import Synchronization

/// A folder's lock, held until released or until the process ends.
///
/// It uses `flock`, so a killed process does not leave a lock behind.
package final class FileLock: Sendable {
  package enum Attempt: Sendable {
    case acquired(FileLock)
    /// The text in the lock file: `pid 1234`.
    case held(by: String)
  }

  /// Whether the previous holder crashed; its temporary files may remain.
  package let wasAbandoned: Bool
  private let descriptor: Descriptor
  private let folder: Folder
  private let name: String
  private let isReleased = Atomic(false)
  private let isAbandoned = Atomic(false)

  private init(
    _ descriptor: consuming Descriptor, _ name: String, in folder: Folder, wasAbandoned: Bool
  ) {
    self.descriptor = descriptor
    self.folder = folder
    self.name = name
    self.wasAbandoned = wasAbandoned
  }

  package var path: String { folder.shown(name) }

  /// False if the lock file was removed or replaced; another process may then hold the new lock.
  package var isHeld: Bool {
    guard !isReleased.load(ordering: .relaxed), let ours = try? descriptor.status(path: path),
      let named = try? folder.status(of: name, followingLinks: false)
    else { return false }
    return ours.st_dev == named.st_dev && ours.st_ino == named.st_ino
  }

  deinit { release() }

  /// Releases the lock now, even if other threads still have a reference.
  ///
  /// The lock file also marks the folder as ours, so it is recreated if it was removed.
  package func release() {
    guard !isReleased.exchange(true, ordering: .relaxed) else { return }
    // An empty file means a clean release. Closing it may not be enough: a forked child keeps it
    // open until it calls `exec`.
    if !isAbandoned.load(ordering: .relaxed) { _ = ftruncate(descriptor.number, 0) }
    _ = flock(descriptor.number, LOCK_UN)
    _ = try? Folder.open(
      folder.descriptor.number, name, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o666,
      resolve: Folder.insideOnly, shown: path)
  }

  /// Makes the next holder treat this one as crashed and remove its temporary files.
  package func abandon() { isAbandoned.store(true, ordering: .relaxed) }

  /// Takes the lock without waiting, or returns the current holder.
  ///
  /// Throws if the file cannot be created, or if the file system does not support locks.
  package static func acquire(
    _ name: String, in folder: Folder
  ) throws(FileError) -> Attempt {
    let path = folder.shown(name)
    while true {
      let descriptor = try folder.withParent(of: name, making: true) {
        (parent, last) throws(FileError) in
        try Folder.open(
          parent, last, flags: O_RDWR | O_CREAT | O_NONBLOCK, mode: 0o666,
          resolve: Folder.insideOnly, shown: path)
      }
      let status = try descriptor.status(path: path)
      guard FileKind(mode: status.st_mode) == .file else {
        throw FileError("lock", path: path, code: EINVAL, reason: .notRegular)
      }
      do {
        try call("lock", path) { flock(descriptor.number, LOCK_EX | LOCK_NB) }
      } catch let error where error.code == EWOULDBLOCK {
        let holder = try descriptor.firstLine(path: path)
        return .held(by: holder.isEmpty ? "another process" : holder)
      }
      // If the file was removed after it was opened, other processes cannot see this lock.
      guard try folder.stamp(of: name, followingLinks: false)?.inode == UInt64(status.st_ino)
      else { continue }
      // Read after locking: until then, the previous holder could change the file.
      let last = try descriptor.firstLine(path: path)
      try call("write", path) { ftruncate(descriptor.number, 0) }
      try descriptor.write(unsafe Array("pid \(getpid())\n".utf8).span.bytes, path: path)
      return .acquired(FileLock(descriptor, name, in: folder, wasAbandoned: !last.isEmpty))
    }
  }
}

extension Descriptor {
  fileprivate borrowing func firstLine(path: String) throws(FileError) -> String {
    var bytes: [UInt8] = Array(repeating: 0, count: 64)
    let count = try call("read", path) { unsafe pread(number, &bytes, bytes.count, 0) }
    let line = bytes.prefix(count).prefix { $0 >= 0x20 && $0 < 0x7f }
    return String(decoding: line, as: UTF8.self)
  }
}
