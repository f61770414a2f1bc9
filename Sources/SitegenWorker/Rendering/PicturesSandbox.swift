import CLinux
import Files
import Glibc

extension PicturesRole {
  /// Drops all privileges, closes all descriptors except `kept`, and returns the active layers.
  static func enterSandbox(keeping kept: [Int32]) throws(FileError) -> Sandbox {
    var layers = Sandbox.closeDescriptors(except: kept)
    Sandbox.forbidTracing()
    if try Landlock(ports: []).restrict() { layers.insert(.files) }
    layers.formUnion(Sandbox.dropCapabilities())
    // Install the filter last: it forbids the calls above.
    if SystemCallFilter.pictures.install() { layers.insert(.systemCalls) }
    return layers
  }
}

extension SystemCallFilter {
  /// The system calls needed for decoding, drawing and encoding, determined with strace.
  ///
  /// Threads are allowed, because HEIC and AVIF decoders need them. New processes, files, sockets,
  /// executable memory and signals to other processes are forbidden.
  fileprivate static var pictures: SystemCallFilter {
    let executable = UInt32(PROT_EXEC)
    // glibc's `alarm` uses one of these calls, depending on the architecture.
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
