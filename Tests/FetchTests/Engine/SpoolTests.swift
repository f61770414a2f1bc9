import Files
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Fetch
@testable import Transfers

@Suite struct SpoolTests {
  /// In a process of its own, which may not open a file more.
  @Test func `without a descriptor a large body does not stay in memory`() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let piece = [UInt8](repeating: 0, count: BodySink.inMemory + 1)
      let next = try FileHandle(forReadingFrom: URL(filePath: "/dev/null")).fileDescriptor
      var limit = rlimit(rlim_cur: rlim_t(next), rlim_max: rlim_t(next))
      precondition(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      var sink = BodySink(folder: folder.path)
      do {
        try unsafe piece.withUnsafeBytes { try unsafe sink.append($0) }
      } catch let error as FileError {
        precondition(error.code == EMFILE)
        return
      }
      preconditionFailure("it stays in memory")
    }
  }

  /// In a process of its own, for which every file is limited, as on a disk that is full.
  @Test func `what cannot be put down here is nobody else's failure, and not asked again`() async {
    await #expect(processExitsWith: .success) {
      // Without it the signal of that limit would end the process.
      _ = signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1 << 19, rlim_max: 1 << 19)
      precondition(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let folder = TemporaryFolder()
      let server = try ScriptedServer { asked in
        [.answer(text: String(repeating: "x", count: asked.target == "/small" ? 1 : 1 << 20))]
      }
      let engine = Fetching.engine(server) {
        $0.spool = folder.path
        $0.patience = 1
      }
      for index in 0..<3 {
        let failure = engine.fetcher.get(server.url("/\(index)"))?.failure
        precondition(failure?.reason == .spoolFailed, "\(String(describing: failure))")
        precondition(failure?.detail.contains("cannot put it down here") == true)
      }
      precondition(server.requests.count == 3)
      precondition(engine.fetcher.get(server.url("/small"))?.text == "x")
    }
  }
}
