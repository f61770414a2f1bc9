import Foundation

/// A private folder, locked while in use; later processes remove private folders without a lock.
package struct PrivateFolder: ~Copyable {
  package let path: String
  private let lock: Int32

  private static let prefix = "sitegen-policy-"

  /// Creates a folder in the first usable one of `named` (usually `TMPDIR`), `/tmp`, `/dev/shm`.
  ///
  /// Paths with a colon are skipped, because ImageMagick would split `MAGICK_CONFIGURE_PATH` there.
  package init(preferring named: String?) throws(MagickRefusal) {
    let parents = [named, "/tmp", "/dev/shm"].compactMap(\.self).filter { !$0.contains(":") }
    for parent in parents {
      Self.removeAbandoned(in: parent)
      guard let (path, lock) = Self.make(in: parent) else { continue }
      self.path = path
      self.lock = lock
      return
    }
    throw MagickRefusal(
      "cannot create a private folder in \(parents.joined(separator: " or ")): "
        + String(lastError: errno))
  }

  private static func make(in parent: String) -> (path: String, lock: Int32)? {
    while true {
      var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
      let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
        unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) } != nil
      }
      guard made else { return nil }
      let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      let lock = open(path)
      // Without lock support, other processes cannot lock the folder, so they do not remove it.
      if lock >= 0 { _ = flock(lock, LOCK_EX) }
      if lock >= 0, isThere(lock) { return (path, lock) }
      let code = errno
      close(lock)
      // Another process removed the new folder before it was locked, so try again.
      guard lock < 0 && code != ENOENT else { continue }
      unsafe rmdir(path)
      errno = code
      return nil
    }
  }

  private static func removeAbandoned(in parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let path = "\(parent)/\(name)"
      let lock = open(path)
      guard lock >= 0 else { continue }
      if isThere(lock, owner: geteuid()), flock(lock, LOCK_EX | LOCK_NB) == 0 {
        try? FileManager.default.removeItem(atPath: path)
      }
      close(lock)
    }
  }

  private static func open(_ path: String) -> Int32 {
    unsafe Foundation.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
  }

  private static func isThere(_ folder: Int32, owner: uid_t? = nil) -> Bool {
    var status = stat()
    return unsafe fstat(folder, &status) == 0 && status.st_nlink > 0
      && status.st_uid == owner ?? status.st_uid
  }

  borrowing func write(_ text: String, to name: String) throws(MagickRefusal) {
    let file = unsafe openat(lock, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    defer { close(file) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe Foundation.write(file, Array(rest), rest.count)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw MagickRefusal("cannot write \(path)/\(name): \(String(lastError: errno))")
      }
    }
  }

  deinit {
    // If the removal fails, a later process removes the folder.
    try? FileManager.default.removeItem(atPath: path)
    close(lock)
  }
}

extension String {
  fileprivate init(lastError number: Int32) {
    self = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }
}
