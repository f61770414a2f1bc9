import CLinux
import Glibc

/// What a child process gives away before the first byte of a stranger, by layers.
///
/// Each layer holds alone; together they also hold where one has a fault.
package struct Jail: OptionSet, Hashable, Sendable, Codable {
  package let rawValue: UInt8

  /// The kernel lets only the calls of a `SystemCallFilter` through.
  package static let systemCalls = Jail(rawValue: 1 << 0)
  /// The kernel gives no file, no port and no signal to others that no rule allows (Landlock).
  package static let files = Jail(rawValue: 1 << 1)
  /// No descriptor is open that somebody else has left to it.
  package static let descriptors = Jail(rawValue: 1 << 2)
  /// All its capabilities are dropped, which root's processes have.
  package static let capabilities = Jail(rawValue: 1 << 3)
  package static let whole: Jail = [.systemCalls, .files, .descriptors, .capabilities]

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// What it lacks, for people.
  package var missing: String {
    let names = [
      (Jail.systemCalls, "seccomp"), (.files, "Landlock"),
      (.descriptors, "closing descriptors that are not its own"),
      (.capabilities, "dropping capabilities"),
    ]
    return names.filter { !contains($0.0) }.map(\.1).joined(separator: ", ")
  }

  /// For people: what holds of a worker, or what this kernel lacks.
  ///
  /// Coders are loaded, the policy is proven, and fonts came over the pipe: all that is left to a
  /// worker is arithmetic between two pipes.
  package var sentence: String {
    let words =
      switch intersection([.systemCalls, .files]) {
      case [.systemCalls, .files]: "no files, no network, no programs (seccomp and Landlock)"
      case .systemCalls: "no files, no network, no programs (seccomp; no Landlock here)"
      case .files:
        "no files, no connections (Landlock; no seccomp here, so programs may be started)"
      default:
        "neither seccomp nor Landlock here: a decoder that is taken over may do what you may"
      }
    return words + (contains(.descriptors) ? "" : "; descriptors of others may be open")
      + (contains(.capabilities) ? "" : "; capabilities cannot be dropped")
  }

  /// Lets nobody of the same user trace this process or read its memory.
  ///
  /// The process that starts workers calls it: a worker that is taken over is one of the same user.
  package static func forbidTracing() {
    _ = linux_call(Int(__NR_prctl), Int(PR_SET_DUMPABLE), 0, 0, 0, 0, 0)
  }

  /// Drops all capabilities of this thread, and so of those that it starts.
  ///
  /// The corresponding C functions are `capset` and `prctl`.
  ///
  /// - Returns: `capabilities`, or nothing if one is left.
  package static func dropCapabilities() -> Jail {
    linux_drop_capabilities() == 0 ? .capabilities : []
  }

  /// Closes all descriptors but the standard streams and those in `kept`.
  ///
  /// The corresponding C functions are `close_range` and `close`.
  ///
  /// - Returns: `descriptors`, or nothing where one may have stayed open.
  package static func closeDescriptors(except kept: [Int32] = []) -> Jail {
    var areClosed = true
    var next: Int32 = 3
    for number in kept.sorted() {
      if number > next { areClosed = close(from: next, to: UInt32(number) - 1) && areClosed }
      next = max(next, number + 1)
    }
    areClosed = close(from: next, to: .max) && areClosed
    // Some containers answer calls that they do not make.
    if let open = try? Folder(opening: "/proc/self/fd").entries() {
      let rest = open.compactMap { Int32($0.name) }.filter { $0 > 2 && !kept.contains($0) }
      for number in rest { _ = Glibc.close(number) }
      areClosed = rest.allSatisfy { fcntl($0, F_GETFD) < 0 }
    }
    return areClosed ? .descriptors : []
  }

  /// False where one may have stayed open.
  private static func close(from first: Int32, to last: UInt32) -> Bool {
    if linux_call(Int(__NR_close_range), Int(first), Int(last), 0, 0, 0, 0) == 0 { return true }
    // A kernel before 5.9, or a container that forbids the call.
    for number in stride(from: first, through: Int32(min(last, 1 << 16)), by: 1) {
      _ = Glibc.close(number)
    }
    return last <= 1 << 16
  }
}
