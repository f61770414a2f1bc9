import Glibc
import Synchronization

/// A `flock` lock on a folder; the kernel releases it when the process ends.
package final class FileLock: Sendable {
  package enum Attempt: Sendable {
    case acquired(FileLock)
    /// The lock is held by another process; the string is the lock file's text, such as `pid 1234`.
    case held(by: String)
  }

  /// Whether the previous holder crashed and may have left temporary files.
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

  /// Whether the lock is valid; false if the lock file was removed or replaced.
  package var isHeld: Bool {
    guard !isReleased.load(ordering: .relaxed), let ours = try? descriptor.status(path: path),
      let named = try? folder.status(of: name, followingLinks: false)
    else { return false }
    return ours.st_dev == named.st_dev && ours.st_ino == named.st_ino
  }

  deinit { release() }

  /// Releases the lock, even if other threads still have a reference to it.
  ///
  /// Recreates a removed lock file, because the file also marks the folder as sitegen's.
  package func release() {
    guard !isReleased.exchange(true, ordering: .relaxed) else { return }
    // An empty file indicates a clean release. Closing the file may not release the lock, because a
    // forked child keeps the file open until it calls `exec`.
    if !isAbandoned.load(ordering: .relaxed) { _ = ftruncate(descriptor.number, 0) }
    _ = flock(descriptor.number, LOCK_UN)
    _ = try? Folder.open(
      folder.descriptor.number, name, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o666,
      resolve: Folder.insideOnly, shown: path)
  }

  /// Makes the next holder treat this process as crashed and remove its temporary files.
  package func abandon() { isAbandoned.store(true, ordering: .relaxed) }

  /// Acquires the lock without waiting, or returns the current holder.
  package static func acquire(_ name: String, in folder: Folder) throws(FileError) -> Attempt {
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
