import Glibc

/// What a name in a folder stands for.
package enum FileKind: Hashable, Sendable {
  case file
  case folder
  case link
  /// A pipe, a socket or a device.
  case other

  init(mode: mode_t) {
    // The macro S_IFMT is declared twice, here and by CLinux; its value is part of the ABI.
    switch mode & 0o170000 {
    case 0o100000: self = .file
    case 0o040000: self = .folder
    case 0o120000: self = .link
    default: self = .other
    }
  }
}
