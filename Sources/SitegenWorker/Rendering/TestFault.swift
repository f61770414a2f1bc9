#if DEBUG
  import Foundation
  import Glibc
  import Workers

  /// A failure on purpose, for tests: `SITEGEN_TEST_FAULT=segv|hang|exit|garbage|short`.
  ///
  /// It happens at the worker's first job. Where `SITEGEN_TEST_FAULT_FOLDER` names a folder, a worker
  /// removes one file from it at its start and fails only if there was one: as many workers fail as
  /// the test puts files there.
  enum TestFault: String {
    case segv
    case hang
    case exit
    case garbage
    case short

    static func armed() -> TestFault? {
      let environment = ProcessInfo.processInfo.environment
      guard let fault = environment["SITEGEN_TEST_FAULT"].flatMap(TestFault.init) else {
        return nil
      }
      guard let folder = environment["SITEGEN_TEST_FAULT_FOLDER"] else { return fault }
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      // Several workers may reach for the same file: only one of them can remove it.
      return files.contains { unsafe unlink("\(folder)/\($0)") == 0 } ? fault : nil
    }

    func strike(_ wire: borrowing Wire) {
      switch self {
      case .segv:
        raise(SIGSEGV)
      case .hang:
        while true { sleep(60) }
      case .exit:
        FileHandle.standardError.write(Data("a fault for tests\n".utf8))
        Glibc.exit(7)
      case .garbage:
        try? wire.send(bytes: Data(repeating: 0xA5, count: 100))
      case .short:
        let header = MessageHeader(.answer, headCount: 10, payloadCount: 1_000)
        try? wire.send(bytes: Data(header.bytes + [1, 2, 3]))
        Glibc.exit(0)
      }
    }
  }
#endif
