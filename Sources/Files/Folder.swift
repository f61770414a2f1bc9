import CLinux
import Glibc
import Synchronization

/// An open folder; whatever happens to its name later, this stays the same folder.
///
/// Names given to its methods are relative to it. Threads may share it.
package final class Folder: Sendable {
  /// As it was given, for messages.
  package let path: String
  /// Opened with `O_PATH`: good for finding names, not for reading.
  let descriptor: Descriptor
  private let counter = Atomic<UInt64>(0)
  /// Folders beneath this one in which files were placed last, by their paths.
  private let shelves = Guarded<[String: Folder]>([:])
  private let shelfLimit: Int

  private init(path: String, descriptor: consuming Descriptor, shelfLimit: Int = 16) {
    self.path = path
    self.descriptor = descriptor
    self.shelfLimit = shelfLimit
  }

  /// Opens a folder, following links.
  ///
  /// The corresponding C function is `openat2`.
  package convenience init(opening path: String) throws(FileError) {
    let descriptor = try Folder.open(
      AT_FDCWD, path, flags: linux_O_PATH | O_DIRECTORY, resolve: 0, shown: path)
    self.init(path: path, descriptor: descriptor)
  }

  /// Opens a folder, and makes it first, with its parents, where it is missing.
  ///
  /// The corresponding C functions are `mkdir` and `openat2`.
  package convenience init(making path: String, mode: UInt32 = 0o777) throws(FileError) {
    // A slash at the start or after another one ends nothing.
    let bytes = path.utf8
    for end in bytes.indices.dropFirst() where bytes[end] == UInt8(ascii: "/") {
      try Folder.make(AT_FDCWD, String(path[..<end]), mode: mode, shown: path)
    }
    try Folder.make(AT_FDCWD, path, mode: mode, shown: path)
    try self.init(opening: path)
  }

  /// Opens a folder inside this one, never through a link.
  ///
  /// The rights of a folder that is made are `mode`, before the umask. It keeps up to `shelves` of
  /// its folders open, for files that are placed in no order.
  /// The corresponding C functions are `mkdirat` and `openat2`.
  package func folder(
    _ name: String, making: Bool = false, mode: UInt32 = 0o777, shelves: Int = 16
  ) throws(FileError) -> Folder {
    let descriptor = try descend(name, making: making, mode: mode)
    return Folder(path: shown(name), descriptor: descriptor, shelfLimit: shelves)
  }

  /// A folder that stays open, so that its path is followed once and not for each of its files.
  ///
  /// - Returns: The folder, and whether it was open before: its path may lead elsewhere by now.
  func shelf(_ name: String, making: Bool) throws(FileError) -> (folder: Folder, wasOpen: Bool) {
    if let known = shelves.withLock({ $0[name] }) { return (known, true) }
    let shelf = try folder(name, making: making)
    shelves.withLock { shelves in
      if shelves.count >= shelfLimit { shelves = [:] }
      shelves[name] = shelf
    }
    return (shelf, false)
  }

  /// Follows all paths anew from now on.
  package func forgetShelves() { shelves.withLock { $0 = [:] } }

  /// A number that no other temporary name of this process in this folder has.
  func nextNumber() -> UInt64 {
    counter.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// The path of a name for messages.
  func shown(_ name: String) -> String {
    name.isEmpty ? path : path.hasSuffix("/") ? path + name : path + "/" + name
  }
}

// MARK: - Ownership

extension Folder {
  /// Whether two paths have led to one folder.
  ///
  /// The corresponding C function is `fstat`.
  package func isSame(as other: Folder) throws(FileError) -> Bool {
    let one = try descriptor.status(path: path)
    let two = try other.descriptor.status(path: other.path)
    return one.st_dev == two.st_dev && one.st_ino == two.st_ino
  }

  /// The folder that a path leads to and all above it, the nearest first.
  package static func chain(from path: String) throws(FileError) -> [Folder] {
    var current = try Folder(opening: path)
    var chain = [current]
    var climbed = path
    while true {
      climbed += "/.."
      let above = try Folder(opening: climbed)
      // Above the root is the root.
      if try above.isSame(as: current) { return chain }
      chain.append(above)
      current = above
    }
  }

  /// The last folder on a path that is there, and the names behind it, without `.`.
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
          // Nobody has typed the dot.
          throw FileError(error.operation, path: path, code: error.code)
        }
        missing.insert(last, at: 0)
      }
    }
  }

  /// Makes sure that the folder is ours, and takes all rights from everyone else.
  ///
  /// The corresponding C functions are `fstat` and `fchmod`.
  package func makePrivate() throws(FileError) {
    let status = try descriptor.status(path: path)
    guard status.st_uid == geteuid() else {
      throw FileError("use", path: path, code: EPERM, reason: .foreign)
    }
    guard status.st_mode & 0o077 != 0 else { return }
    try readable().with { (number) throws(FileError) in
      try call("change the rights of", path) { fchmod(number, 0o700) }
    }
  }
}

// MARK: - Syncing

extension Folder {
  /// Waits until everything written to the folder's file system is on the disk.
  ///
  /// The corresponding C function is `syncfs`.
  package func sync() throws(FileError) {
    try readable().with { (number) throws(FileError) in
      try call("sync", path) { linux_syncfs(number) }
    }
  }

  /// Opens the folder itself once more, for what `O_PATH` does not allow.
  ///
  /// The corresponding C function is `openat2`.
  func readable(_ name: String = ".") throws(FileError) -> Descriptor {
    try Folder.open(
      descriptor.number, name, flags: O_RDONLY | O_DIRECTORY,
      resolve: Folder.insideOnly, shown: name == "." ? path : shown(name))
  }
}
