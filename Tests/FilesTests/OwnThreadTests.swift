import Files
import Glibc
import TestSupport
import Testing

struct OwnThreadTests {
  @Test func `it runs beside who starts it`() throws {
    let ran = Locked(false)
    try OwnThread.start("a name of more than 15 bytes") { ran.withLock { $0 = true } }
    #expect(eventually { ran.withLock { $0 } })
  }

  /// Foundation's thread would never run, and nobody would know.
  @Test func `where the system grants none, that is told`() async {
    await #expect(processExitsWith: .success) {
      // No memory for its stack.
      var limits = rlimit(rlim_cur: 1, rlim_max: 1)
      precondition(unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limits) == 0)
      do {
        try OwnThread.start("test") {}
        preconditionFailure()
      } catch let error as FileError {
        precondition(error.code == EAGAIN)
      }
    }
  }
}
