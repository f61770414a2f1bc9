import Files
import Glibc
import TestSupport

@testable import Fetch

@Suite struct SpoolTests {
  /// Runs in a child process that cannot open another file.
  @Test func `a large response fails if no temporary file can be opened`() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let piece = [UInt8](repeating: 0, count: BodySink.inMemory + 1)
      let next = try FileHandle(forReadingFrom: URL(filePath: "/dev/null")).fileDescriptor
      var limit = rlimit(rlim_cur: rlim_t(next), rlim_max: rlim_t(next))
      precondition(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      var sink = BodySink(folder: folder.path)
      do {
        try sink.append(piece[...])
      } catch let error as FileError {
        precondition(error.code == EMFILE)
        return
      }
      preconditionFailure("it stays in memory")
    }
  }
}
