import CLinux
import Glibc
import Synchronization

/// An open folder that remains usable if it is renamed; all methods are thread-safe.
package final class Folder: Sendable {
  package let path: String
  /// A descriptor opened with `O_PATH`, which allows path lookups but not reading.
  let descriptor: Descriptor
  private let counter = Atomic<UInt64>(0)
  /// A cache of open subfolders, which saves one path lookup per file.
  private let openDirectories = Locked<[String: Folder]>([:])
  private let openDirectoryLimit: Int

  private init(path: String, descriptor: consuming Descriptor, openDirectoryLimit: Int = 16) {
    self.path = path
    self.openDirectoryLimit = openDirectoryLimit
    self.descriptor = descriptor
  }

  /// Opens a folder, following symlinks.
  package convenience init(opening path: String) throws(FileError) {
    let descriptor = try Folder.open(
      AT_FDCWD, path, flags: linux_O_PATH | O_DIRECTORY, resolve: 0, shown: path)
    self.init(path: path, descriptor: descriptor)
  }

  package convenience init(making path: String, mode: UInt32 = 0o777) throws(FileError) {
    for folder in Folder.prefixes(of: path) {
      try Folder.make(AT_FDCWD, folder, mode: mode, shown: path)
    }
    try self.init(opening: path)
  }

  /// Opens a folder inside this one without following symlinks.
  ///
  /// The folder keeps up to `openDirectories` subfolders open, to speed up writes in random order.
  package func folder(
    _ name: String, making: Bool = false, mode: UInt32 = 0o777, openDirectories: Int = 16
  ) throws(FileError) -> Folder {
    let descriptor = try descend(name, making: making, mode: mode)
    return Folder(path: shown(name), descriptor: descriptor, openDirectoryLimit: openDirectories)
  }

  package func closeDirectories() { openDirectories.withLock { $0 = [:] } }

  func nextNumber() -> UInt64 {
    counter.wrappingAdd(1, ordering: .relaxed).newValue
  }

  func shown(_ name: String) -> String {
    name.isEmpty ? path : path.hasSuffix("/") ? path + name : path + "/" + name
  }
}

extension Folder {
  static var insideOnly: Int32 { RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS }

  static func open(
    _ start: Int32, _ name: String, flags: Int32, mode: UInt32 = 0, resolve: Int32,
    shown: @autoclosure () -> String
  ) throws(FileError) -> Descriptor {
    try refuseZeroByte(name, shown: shown())
    var attempts = 0
    while true {
      do {
        let number = try call("open", shown()) {
          unsafe linux_openat2(
            start, name, UInt64(flags | O_CLOEXEC), UInt64(mode), UInt64(resolve))
        }
        return Descriptor(adopting: number)
      } catch let error where error.code == EAGAIN && attempts < 1000 {
        // A rename elsewhere on the machine prevented the kernel from checking a `..`.
        attempts += 1
      } catch let error where error.code == EXDEV {
        throw FileError("open", path: error.path, code: EXDEV, reason: .outside)
      }
    }
  }

  private static func prefixes(of path: String) -> [String] {
    let bytes = path.utf8
    let slashes = bytes.indices.dropFirst().filter { bytes[$0] == UInt8(ascii: "/") }
    return slashes.map { String(path[..<$0]) } + [path]
  }

  private static func make(
    _ start: Int32, _ name: String, mode: UInt32, shown: @autoclosure () -> String
  ) throws(FileError) {
    do {
      try refuseZeroByte(name, shown: shown())
      try call("create", shown()) { unsafe mkdirat(start, name, mode) }
    } catch let error where error.code == EEXIST {
      return
    }
  }

  private func descend(
    _ name: String, making: Bool, mode: UInt32 = 0o777
  ) throws(FileError) -> Descriptor {
    do {
      return try Folder.open(
        descriptor.number, name, flags: linux_O_PATH | O_DIRECTORY, resolve: Folder.insideOnly,
        shown: shown(name))
    } catch let error where making && error.code == ENOENT && !name.isEmpty {
      for folder in Folder.prefixes(of: name) {
        try withParent(of: folder) { (parent, last) throws(FileError) in
          try Folder.make(parent, last, mode: mode, shown: shown(folder))
        }
      }
      return try descend(name, making: false)
    }
  }

  /// Calls `body` with the parent folder's descriptor and the last path component.
  ///
  /// The descriptor is valid only during the call. With `keepingOpen`, the parent is cached, and
  /// `body` is called again if a cached parent has been removed.
  @discardableResult
  func withParent<Result: ~Copyable>(
    of name: String, making: Bool = false, keepingOpen: Bool = false,
    _ body: (Int32, String) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    try Folder.refuseZeroByte(name, shown: shown(name))
    let slash = name.utf8.lastIndex(of: UInt8(ascii: "/"))
    let last = slash.map { String(name[name.utf8.index(after: $0)...]) } ?? name
    guard !last.isEmpty, last != ".", last != ".." else {
      throw FileError("use", path: shown(name), code: EINVAL, reason: .badName)
    }
    guard let slash else { return try body(descriptor.number, last) }
    // The parent of `/name` is `/`, which `openat2` rejects as outside the folder.
    let path = slash == name.utf8.startIndex ? "/" : String(name[..<slash])
    guard keepingOpen else {
      let parent = try descend(path, making: making)
      return try parent.with { (number) throws(FileError) in try body(number, last) }
    }
    let (parent, wasOpen) = try openDirectory(path, making: making)
    do throws(FileError) {
      return try parent.descriptor.with { (number) throws(FileError) in try body(number, last) }
    } catch  where wasOpen && [ENOENT, ESTALE].contains(error.code) {
      // ESTALE: another machine removed the folder from a network file system.
      closeDirectories()
      return try withParent(of: name, making: making, keepingOpen: true, body)
    }
  }

  /// Returns an open folder; a folder from the cache (`wasOpen`) may have been removed.
  private func openDirectory(
    _ name: String, making: Bool
  ) throws(FileError) -> (folder: Folder, wasOpen: Bool) {
    if let known = openDirectories.withLock({ $0[name] }) { return (known, true) }
    let opened = try folder(name, making: making)
    openDirectories.withLock { open in
      if open.count >= openDirectoryLimit { open = [:] }
      open[name] = opened
    }
    return (opened, false)
  }

  /// Throws if a name contains a zero byte, because C would truncate the name there.
  private static func refuseZeroByte(
    _ name: String, shown: @autoclosure () -> String
  ) throws(FileError) {
    guard name.utf8.contains(0) else { return }
    throw FileError("open", path: shown(), code: EINVAL, reason: .badName)
  }

  /// Reopens a folder for reading, which `O_PATH` does not allow.
  func readable(_ name: String = ".") throws(FileError) -> Descriptor {
    try Folder.open(
      descriptor.number, name, flags: O_RDONLY | O_DIRECTORY,
      resolve: Folder.insideOnly, shown: name == "." ? path : shown(name))
  }
}

extension Folder {
  package func isSame(as other: Folder) throws(FileError) -> Bool {
    let one = try descriptor.status(path: path)
    let two = try other.descriptor.status(path: other.path)
    return one.st_dev == two.st_dev && one.st_ino == two.st_ino
  }

  package static func chain(from path: String) throws(FileError) -> [Folder] {
    var current = try Folder(opening: path)
    var chain = [current]
    var climbed = path
    while true {
      climbed += "/.."
      let above = try Folder(opening: climbed)
      if try above.isSame(as: current) { return chain }
      chain.append(above)
      current = above
    }
  }

  package static func nearest(
    to path: String
  ) throws(FileError) -> (folder: Folder, missing: [String]) {
    var names = path.utf8.split(separator: UInt8(ascii: "/")).compactMap { String($0) }
    names.removeAll { $0 == "." }
    var missing: [String] = []
    while true {
      let existing = (path.hasPrefix("/") ? "/" : "") + names.joined(separator: "/")
      do throws(FileError) {
        return (try Folder(opening: existing.isEmpty ? "." : existing), missing)
      } catch {
        guard let last = names.popLast() else {
          // Report the given path instead of `.`.
          throw FileError(error.operation, path: path, code: error.code)
        }
        missing.insert(last, at: 0)
      }
    }
  }

  /// Returns whether the folder is world-writable and belongs to this user.
  ///
  /// Returns false if `file` in it is world-writable too, as on file systems without permissions.
  package func isWritableByAll(unlike file: String) throws(FileError) -> Bool {
    let folder = try descriptor.status(path: path)
    guard folder.st_mode & 0o002 != 0, folder.st_uid == geteuid() else { return false }
    guard let file = try status(of: file, followingLinks: false) else { return true }
    return file.st_mode & 0o002 == 0 || file.st_uid != folder.st_uid
  }

  /// Removes group and other permissions; throws unless this user owns the folder.
  package func makePrivate() throws(FileError) {
    let status = try descriptor.status(path: path)
    guard status.st_uid == geteuid() else {
      throw FileError("use", path: path, code: EPERM, reason: .foreign)
    }
    guard status.st_mode & 0o077 != 0 else { return }
    try readable().with { (number) throws(FileError) in
      try call("change the permissions of", path) { fchmod(number, 0o700) }
    }
  }

  /// Flushes the folder's file system to disk (`syncfs`).
  package func sync() throws(FileError) {
    try readable().with { (number) throws(FileError) in
      try call("sync", path) { linux_syncfs(number) }
    }
  }
}
