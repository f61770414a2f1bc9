import CLinux
import Glibc

/// What a worker gives away after its warm-up, before the first byte of a stranger.
///
/// Coders are loaded, the policy is proven, and fonts came over the pipe: all that is left to do is
/// arithmetic between two pipes. Each layer holds alone; together they also hold where one has a
/// fault.
package struct Jail: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  /// The kernel lets only the calls of `SystemCallFilter.worker` through.
  package static let systemCalls = Jail(rawValue: 1 << 0)
  /// The kernel gives no file, no port and no signal to others (Landlock).
  package static let files = Jail(rawValue: 1 << 1)
  package static let whole: Jail = [.systemCalls, .files]

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// For people: what holds, or what this kernel lacks.
  package var sentence: String {
    switch self {
    case .whole: "no files, no network, no programs (seccomp and Landlock)"
    case .systemCalls: "no files, no network, no programs (seccomp; no Landlock here)"
    case .files: "no files, no connections (Landlock; no seccomp here, so programs may be started)"
    default: "neither seccomp nor Landlock here: a decoder that is taken over may do what you may"
    }
  }

  /// Lets nobody of the same user trace this process or read its memory.
  ///
  /// The process that starts workers calls it: a worker that is taken over is one of the same user.
  package static func forbidTracing() {
    _ = linux_call(Int(__NR_prctl), Int(PR_SET_DUMPABLE), 0, 0, 0, 0, 0)
  }
}
