import CLinux
import Files
import Glibc

extension PicturesRole {
  /// Gives all rights away, with `kept` as the only descriptors beside the standard streams, and
  /// says which layers hold.
  static func enterSandbox(keeping kept: [Int32]) throws(FileError) -> Jail {
    var layers = Jail.closeDescriptors(except: kept)
    Jail.forbidTracing()
    if try Landlock(ports: []).restrict() { layers.insert(.files) }
    layers.formUnion(Jail.dropCapabilities())
    // Last: it forbids the calls above.
    if SystemCallFilter.pictures.install() { layers.insert(.systemCalls) }
    return layers
  }
}

extension SystemCallFilter {
  /// What decoding, drawing and encoding between two pipes needs; found by strace.
  ///
  /// Decoders of HEIC and AVIF start threads. New processes, programs, files, sockets, signals to
  /// others, other limits and memory that can be executed are not on the list.
  fileprivate static var pictures: SystemCallFilter {
    let executable = UInt32(PROT_EXEC)
    var rules = computing
    // `alarm` of the C library makes either call.
    #if arch(x86_64)
      rules.append((__NR_alarm, []))
    #else
      rules.append((__NR_setitimer, []))
    #endif
    rules += [
      (__NR_mmap, [.without(executable, argument: 2)]),
      (__NR_mprotect, [.without(executable, argument: 2)]),
    ]
    return SystemCallFilter(rules)
  }
}
