import Glibc
import Synchronization

/// A folder's lock, held until it is released or the process ends, however it ends.
///
/// It is a lock on an open file, so a file left by a process that was killed locks nothing.
package final class FileLock: Sendable {
  package enum Attempt: Sendable {
    case acquired(FileLock)
    /// What the holder wrote about itself: `pid 1234`.
    case held(by: String)
  }

  /// Whether the last holder ended without releasing: its temporary files may be left.
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

  /// The path of its file for messages.
  package var path: String { folder.shown(name) }

  /// False when somebody has removed or replaced the file: another process may hold a new one.
  ///
  /// The corresponding C functions are `fstat` and `fstatat`.
  package var isHeld: Bool {
    guard !isReleased.load(ordering: .relaxed), let ours = try? descriptor.status(path: path),
      let named = try? folder.status(of: name, followingLinks: false)
    else { return false }
    return ours.st_dev == named.st_dev && ours.st_ino == named.st_ino
  }

  deinit { release() }

  /// Gives the lock back now, even if other threads still hold a reference.
  ///
  /// The file marks the folder as ours, so a file that somebody has removed is made again.
  /// The corresponding C functions are `openat2`, `ftruncate` and `flock`.
  package func release() {
    guard !isReleased.exchange(true, ordering: .relaxed) else { return }
    // An empty file says that the holder has released the lock. Closing alone would not unlock at
    // once: a child process that is just starting has the file open too, until it calls `exec`.
    if !isAbandoned.load(ordering: .relaxed) { _ = ftruncate(descriptor.number, 0) }
    _ = flock(descriptor.number, LOCK_UN)
    _ = try? Folder.open(
      folder.descriptor.number, name, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o666,
      resolve: Folder.insideOnly, shown: path)
  }

  /// Tells the next holder the same as a process that was killed: temporary files may be left.
  package func abandon() {
    isAbandoned.store(true, ordering: .relaxed)
  }

  /// Takes the lock, or tells at once who has it.
  ///
  /// The file is made where it is missing, and never removed. An error means that it cannot be
  /// made, or that its file system knows no locks.
  /// The corresponding C function is `flock`.
  package static func acquire(
    _ name: String, in folder: Folder
  ) throws(FileError) -> Attempt {
    while true {
      let descriptor = try folder.withParent(of: name, making: true) {
        (parent, last) throws(FileError) in
        try Folder.open(
          parent, last, flags: O_RDWR | O_CREAT | O_NONBLOCK, mode: 0o666,
          resolve: Folder.insideOnly, shown: folder.shown(name))
      }
      let status = try descriptor.status(path: folder.shown(name))
      guard FileKind(mode: status.st_mode) == .file else {
        throw FileError("lock", path: folder.shown(name), code: EINVAL, reason: .notRegular)
      }
      do {
        try descriptor.with { (number) throws(FileError) in
          try call("lock", folder.shown(name)) { flock(number, LOCK_EX | LOCK_NB) }
        }
      } catch let error where error.code == EWOULDBLOCK {
        let words = try descriptor.firstLine(path: folder.shown(name))
        return .held(by: words.isEmpty ? "another process" : words)
      }
      // The file was removed between our opening and our locking: nobody else sees our lock.
      guard try folder.stamp(of: name, followingLinks: false)?.inode == UInt64(status.st_ino)
      else { continue }
      // Read only now: until the lock was ours, its holder could change the file.
      let words = try descriptor.firstLine(path: folder.shown(name))
      try descriptor.replace(with: "pid \(getpid())\n", path: folder.shown(name))
      return .acquired(FileLock(descriptor, name, in: folder, wasAbandoned: !words.isEmpty))
    }
  }
}

extension Descriptor {
  /// Reads the start of a small file up to the end of its first line.
  ///
  /// The corresponding C function is `pread`.
  fileprivate borrowing func firstLine(path: @autoclosure () -> String) throws(FileError) -> String
  {
    var bytes: [UInt8] = Array(repeating: 0, count: 64)
    let count = try call("read", path()) { unsafe pread(number, &bytes, bytes.count, 0) }
    let line = bytes.prefix(count).prefix { $0 >= 0x20 && $0 < 0x7f }
    return String(decoding: line, as: UTF8.self)
  }

  /// The corresponding C functions are `ftruncate` and `write`.
  fileprivate borrowing func replace(
    with text: String, path: @autoclosure () -> String
  ) throws(FileError) {
    try call("write", path()) { ftruncate(number, 0) }
    try write(unsafe Array(text.utf8).span.bytes, path: path())
  }
}
