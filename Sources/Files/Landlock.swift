import CLinux
import Glibc

/// What this thread may still do, enforced by the kernel: Landlock, since Linux 5.13.
///
/// Everything that no rule allows is denied: files by their paths (not those that are open), TCP
/// ports, signals to processes outside, and sockets with abstract names outside. A process that is
/// restricted cannot trace one that is not.
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

  /// What may be done with a path, and with all beneath a folder; a path that does not exist is
  /// left out.
  package var paths: [(path: String, rights: Rights)]
  /// TCP ports to which a connection may be made (since Linux 6.7).
  ///
  /// With any list, also an empty one, no port may be listened at; nil leaves all ports alone.
  package var ports: [UInt16]?

  package init(paths: [(path: String, rights: Rights)] = [], ports: [UInt16]? = nil) {
    self.paths = paths
    self.ports = ports
  }

  /// The version that the kernel has; nil where it has none.
  ///
  /// 3 is the first that denies truncation, 4 knows ports, 6 signals.
  package static var version: Int? {
    let version = Int(linux_landlock_version())
    return version > 0 ? version : nil
  }

  /// Restricts the calling thread, and the threads and processes that it starts from now on.
  ///
  /// So it is called before there are other threads. Nothing that is started gains rights, on any
  /// kernel. It cannot be undone; another call restricts further.
  ///
  /// The corresponding C functions are `landlock_create_ruleset`, `landlock_add_rule`,
  /// `landlock_restrict_self` and `prctl`.
  ///
  /// - Returns: False where the kernel has no Landlock.
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
        // What is not there needs no rule. A rule that is missing for another reason would close more
        // than was asked for.
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
