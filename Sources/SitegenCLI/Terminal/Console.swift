import Files
import Foundation

/// The two streams that people and programs read, and what is known of them.
package struct Console: Sendable {
  package var out: @Sendable (String) -> Void
  package var err: @Sendable (String) -> Void
  package var isErrTerminal: Bool
  /// Columns of the terminal behind `err`.
  package var columns: @Sendable () -> Int?
  package var environment: [String: String]

  package init(
    out: @escaping @Sendable (String) -> Void, err: @escaping @Sendable (String) -> Void,
    isErrTerminal: Bool = false, columns: @escaping @Sendable () -> Int? = { nil },
    environment: [String: String] = [:]
  ) {
    self.out = out
    self.err = err
    self.isErrTerminal = isErrTerminal
    self.columns = columns
    self.environment = environment
  }

  /// The process's own streams.
  ///
  /// Whoever reads may have gone (`| head`): that is not our failure.
  package static var standard: Console {
    Console(
      out: { try? FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) },
      err: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) },
      isErrTerminal: Terminal.isTerminal(2), columns: { Terminal.width(2) },
      environment: ProcessInfo.processInfo.environment)
  }

  /// Whether `err` obeys cursor movements.
  package var canRedraw: Bool { isErrTerminal && environment["TERM"] != "dumb" }

  /// Colours obey https://no-color.org too.
  package var hasColors: Bool { canRedraw && environment["NO_COLOR", default: ""].isEmpty }
}
