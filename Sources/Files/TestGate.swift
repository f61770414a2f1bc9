#if DEBUG
  import Foundation
  import Glibc

  /// For tests: stops the program at a named place until the test lets it go on.
  ///
  /// The test names the place in `SITEGEN_TEST_GATE` and a folder in `SITEGEN_TEST_GATE_FOLDER`,
  /// waits there for `reached-PLACE-PID`, and makes `open`.
  package enum TestGate {
    private static let environment = ProcessInfo.processInfo.environment

    package static var isArmed: Bool { environment["SITEGEN_TEST_GATE"] != nil }

    /// Waits here until the test opens the gate, `isCancelled` returns true, or a minute has passed.
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
#else
  package enum TestGate {
    @inlinable package static func pass(_ name: StaticString, isCancelled: () -> Bool = { false }) {
    }
  }
#endif
