import CLinux
import Glibc

/// What a descriptor of ours is connected to.
package enum Terminal {
  /// The corresponding C function is `isatty`.
  package static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// Columns; nil when it is no terminal, or one that does not tell.
  ///
  /// The corresponding C function is `ioctl(TIOCGWINSZ)`.
  package static func width(_ descriptor: Int32) -> Int? {
    let columns = linux_terminal_width(descriptor)
    return columns > 0 ? Int(columns) : nil
  }
}
