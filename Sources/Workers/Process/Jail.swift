import CLinux
import Files
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

  /// Closes this process in, with `kept` as its only descriptors beside the standard streams, and
  /// says which layers hold.
  static func close(keeping kept: [Int32]) throws(FileError) -> Jail {
    closeDescriptors(except: kept)
    forbidTracing()
    var layers: Jail = []
    if try Landlock(ports: []).restrict() { layers.insert(.files) }
    // Last: it forbids the calls above.
    if SystemCallFilter.worker.install() { layers.insert(.systemCalls) }
    return layers
  }

  private static func closeDescriptors(except kept: [Int32]) {
    var next: Int32 = 3
    for number in kept.sorted() {
      if number > next { closeDescriptors(from: next, to: UInt32(number) - 1) }
      next = number + 1
    }
    closeDescriptors(from: next, to: .max)
  }

  private static func closeDescriptors(from first: Int32, to last: UInt32) {
    guard linux_call(Int(__NR_close_range), Int(first), Int(last), 0, 0, 0, 0) != 0 else { return }
    // A kernel before 5.9, or a container that forbids the call.
    for number in stride(from: first, through: Int32(min(last, 1 << 16)), by: 1) {
      _ = Glibc.close(number)
    }
  }

  /// Lets nobody of the same user trace this process or read its memory.
  ///
  /// The process that starts workers calls it: a worker that is taken over is one of the same user.
  package static func forbidTracing() {
    _ = linux_call(Int(__NR_prctl), Int(PR_SET_DUMPABLE), 0, 0, 0, 0, 0)
  }
}

extension SystemCallFilter {
  /// What decoding, drawing and encoding between two pipes needs; found by strace.
  ///
  /// Decoders of HEIC and AVIF start threads. New processes, programs, files, sockets, signals to
  /// others, other limits and memory that can be executed are not on the list.
  fileprivate static var worker: SystemCallFilter {
    let executable = UInt32(PROT_EXEC)
    var rules = computing
    // `alarm` of the C library makes either call.
    #if arch(x86_64)
      rules.append((__NR_alarm, .always))
    #else
      rules.append((__NR_setitimer, .always))
    #endif
    rules += [
      (__NR_mmap, .without(executable, argument: 2)),
      (__NR_mprotect, .without(executable, argument: 2)),
    ]
    return SystemCallFilter(rules)
  }
}
