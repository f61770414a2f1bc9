import CLinux
import Glibc

/// A Landlock ruleset (Linux 5.13), which denies what no rule allows: files by their paths, TCP ports,
/// and signals and abstract sockets of other processes.
package struct Landlock {
  package struct Rights: OptionSet, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Starting programs.
    package static let execute = Rights(rawValue: 1)
    /// Reading files, listing folders.
    package static let read = Rights(rawValue: 1 << 2 | 1 << 3)
    /// Writing, making, renaming and removing files, folders and links; no devices, pipes, sockets.
    package static let write = Rights(rawValue: 1 << 1 | 0b1_1011 << 4 | 0b111 << 12)

    /// Rights that a file can have; the kernel refuses others for it.
    fileprivate static let ofFiles = Rights(rawValue: 0b111 | 0b11 << 14)

    /// All that a version of Landlock knows.
    fileprivate static func all(_ version: Int) -> Rights {
      Rights(rawValue: (1 << (version < 2 ? 13 : version < 3 ? 14 : version < 5 ? 15 : 16)) - 1)
    }
  }

  /// Rights for a path, and for all beneath a folder; missing paths are left out.
  package var paths: [(path: String, rights: Rights)]
  /// TCP ports to which a connection may be made (since Linux 6.7).
  ///
  /// With any list, also an empty one, no port may be listened at; nil leaves all ports alone.
  package var ports: [UInt16]?

  package init(paths: [(path: String, rights: Rights)] = [], ports: [UInt16]? = nil) {
    self.paths = paths
    self.ports = ports
  }

  /// The kernel's version, if any: 3 denies truncation, 4 knows ports, 6 signals.
  package static var version: Int? {
    let version = Int(linux_landlock_version())
    return version > 0 ? version : nil
  }

  /// Restricts the calling thread, and what it starts from now on; false if the kernel lacks Landlock.
  ///
  /// So it is called before there are other threads. Started programs cannot gain rights, on any kernel.
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
      // The number is that of an open descriptor, or -1, which is closed in vain.
      let file = Descriptor(adopting: unsafe open(path, linux_O_PATH | O_CLOEXEC))
      if file.number < 0 {
        // A missing file needs no rule. Without a rule for another reason, too much is denied.
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
