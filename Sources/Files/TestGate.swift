#if DEBUG
  import Foundation
  import Glibc

  /// For tests only: stops the program at a named place until the test lets it go on.
  ///
  /// A test that kills or cancels at a certain moment starts the program with
  /// `SITEGEN_TEST_GATE=before-decode` and `SITEGEN_TEST_GATE_FOLDER=/some/folder`, waits for
  /// `reached-before-decode-PID` to appear there, and makes `open` to let the program go on.
  package struct TestGate: Sendable {
    private let name: String
    private let folder: String

    private static let armed = TestGate(environment: ProcessInfo.processInfo.environment)

    /// Whether the test has named a place.
    package static var isArmed: Bool { armed != nil }

    /// Waits here, if this is the place that the test has named.
    package static func pass(_ name: String, isCancelled: () -> Bool = { false }) {
      armed?.pass(name, isCancelled: isCancelled)
    }

    /// Nil when no place is named.
    package init?(environment: [String: String]) {
      guard let name = environment["SITEGEN_TEST_GATE"], !name.isEmpty,
        let folder = environment["SITEGEN_TEST_GATE_FOLDER"]
      else { return nil }
      self.name = name
      self.folder = folder
    }

    /// Waits until the test opens it, `isCancelled` says true, or a minute has passed.
    package func pass(_ name: String, isCancelled: () -> Bool = { false }) {
      guard name == self.name, let folder = try? Folder(opening: folder) else { return }
      try? folder.write([UInt8](), to: "reached-\(name)-\(getpid())")
      for _ in 0..<6000 {
        if isCancelled() || (try? folder.kind(of: "open")) != nil { return }
        usleep(10_000)
      }
    }
  }
#else
  /// Release builds have no hooks.
  package enum TestGate {
    @inlinable package static func pass(_ name: StaticString, isCancelled: () -> Bool = { false }) {
    }
  }
#endif
