import CLinux
import Files
import Glibc

extension PicturesRole {
  /// Drops all rights, closes descriptors except `kept`, and returns the active sandbox layers.
  static func enterSandbox(keeping kept: [Int32]) throws(FileError) -> Sandbox {
    var layers = Sandbox.closeDescriptors(except: kept)
    Sandbox.forbidTracing()
    if try Landlock(ports: []).restrict() { layers.insert(.files) }
    layers.formUnion(Sandbox.dropCapabilities())
    // Last, because the filter forbids the calls above.
    if SystemCallFilter.pictures.install() { layers.insert(.systemCalls) }
    return layers
  }
}

extension SystemCallFilter {
  /// The system calls for decoding, drawing and encoding between two pipes; found with strace.
  ///
  /// HEIC and AVIF decoders start threads. The list excludes new processes, files, sockets, signals
  /// to others, and executable memory.
  fileprivate static var pictures: SystemCallFilter {
    let executable = UInt32(PROT_EXEC)
    // glibc's `alarm` uses either call.
    #if arch(x86_64)
      let timer = __NR_alarm
    #else
      let timer = __NR_setitimer
    #endif
    return SystemCallFilter(
      computing + [
        (timer, []), (__NR_mmap, [.without(executable, argument: 2)]),
        (__NR_mprotect, [.without(executable, argument: 2)]),
      ])
  }
}
