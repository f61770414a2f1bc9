#if DEBUG
  import Files
  import Foundation
  import Glibc

  // Environment variables for tests:
  //
  // - `SITEGEN_TEST_GATE` names a point at which the program creates `reached-POINT-PID` in
  //   `SITEGEN_TEST_GATE_FOLDER` and waits for a file named `open` there.
  // - `SITEGEN_TEST_FAULT=segv|hang|exit|garbage|short` makes a worker fail on its first job. With
  //   `SITEGEN_TEST_FAULT_FOLDER`, only workers that can remove a file from that folder fail.

  private let environment = ProcessInfo.processInfo.environment

  package enum TestGate {
    package static var isArmed: Bool { environment["SITEGEN_TEST_GATE"] != nil }

    /// Waits until the test opens the gate, `isCancelled` returns true, or a minute has passed.
    package static func pass(_ name: String, isCancelled: () -> Bool = { false }) {
      guard environment["SITEGEN_TEST_GATE"] == name,
        let folder = environment["SITEGEN_TEST_GATE_FOLDER"].flatMap({ try? Folder(opening: $0) })
      else { return }
      try? folder.write([UInt8](), to: "reached-\(name)-\(getpid())")
      for _ in 0..<6000 {
        if isCancelled() || (try? folder.kind(of: "open")) != nil { return }
        usleep(10_000)
      }
    }
  }

  package enum TestFault: String {
    case segv, hang, exit, garbage, short

    package static func armed() -> TestFault? {
      let fault = environment["SITEGEN_TEST_FAULT"].flatMap(TestFault.init)
      guard let fault, let folder = environment["SITEGEN_TEST_FAULT_FOLDER"] else { return fault }
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      // If several workers try to remove a file, only one succeeds.
      return files.contains { unsafe unlink("\(folder)/\($0)") == 0 } ? fault : nil
    }

    package func strike(_ wire: borrowing Wire) {
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
#else
  package enum TestGate {
    @inlinable package static func pass(_ name: StaticString, isCancelled: () -> Bool = { false }) {
    }
  }
#endif
