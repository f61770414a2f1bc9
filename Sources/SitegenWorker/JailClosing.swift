import CLinux
import Files
import Glibc
import Workers

extension Jail {
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
