import CLinux
import Glibc

/// A Landlock ruleset (since Linux 5.13) that denies access to files and TCP ports unless a rule
/// allows it, and always denies access to abstract sockets and signals to other processes.
package struct Landlock {
  package struct Rights: OptionSet, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let execute = Rights(rawValue: 1)
    package static let read = Rights(rawValue: 1 << 2 | 1 << 3)
    /// Changing, creating and removing files, folders and symlinks, but not special files.
    package static let write = Rights(rawValue: 1 << 1 | 0b1_1011 << 4 | 0b111 << 12)

    fileprivate static let ofFiles = Rights(rawValue: 0b111 | 0b11 << 14)

    fileprivate static func all(_ version: Int) -> Rights {
      Rights(rawValue: (1 << (version < 2 ? 13 : version < 3 ? 14 : version < 5 ? 15 : 16)) - 1)
    }
  }

  /// The allowed paths, with rights that also apply to the contents of a folder.
  package var paths: [(path: String, rights: Rights)]
  /// The TCP ports that the process may connect to (since Linux 6.7).
  ///
  /// Any list, even an empty one, also forbids listening. Nil does not restrict ports.
  package var ports: [UInt16]?

  package init(paths: [(path: String, rights: Rights)] = [], ports: [UInt16]? = nil) {
    self.paths = paths
    self.ports = ports
  }

  /// The kernel's Landlock ABI version: 3 adds truncation, 4 adds ports, 6 adds signals.
  package static var version: Int? {
    let version = Int(linux_landlock_version())
    return version > 0 ? version : nil
  }

  /// Restricts the calling thread and its future children; returns false without Landlock support.
  ///
  /// Must be called before other threads start. Afterwards, child processes cannot gain privileges.
  package func restrict() throws(FileError) -> Bool {
    try call("restrict", "this process") { linux_forbid_new_privileges() }
    guard let version = Self.version else { return false }
    let all = Rights.all(version)
    let bindAndConnect: UInt64 = ports == nil || version < 4 ? 0 : 0b11
    let rules = Descriptor(
      adopting: try call("restrict", "this process") {
        linux_landlock_create(all.rawValue, bindAndConnect, version < 6 ? 0 : 0b11)
      })
    for (path, rights) in paths {
      // The number is -1 if the path cannot be opened; closing -1 is harmless.
      let file = Descriptor(adopting: unsafe open(path, linux_O_PATH | O_CLOEXEC))
      if file.number == -1 {
        // Skipping an inaccessible path is safe: without a rule, it stays denied.
        if [ENOENT, ENOTDIR, EACCES, ELOOP].contains(errno) { continue }
        throw FileError("open", path: path, code: errno)
      }
      var status = stat()
      guard unsafe fstat(file.number, &status) == 0 else { continue }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      let known = rights.intersection(isFolder ? all : all.intersection(.ofFiles))
      if known.isEmpty { continue }
      try call("restrict", path) {
        linux_landlock_allow_path(rules.number, file.number, known.rawValue)
      }
    }
    for port in Set(ports ?? []) where bindAndConnect != 0 {
      try call("restrict", "port \(port)") {
        linux_landlock_allow_port(rules.number, UInt64(port), 0b10)
      }
    }
    try call("restrict", "this process") { linux_landlock_restrict(rules.number) }
    return true
  }
}
