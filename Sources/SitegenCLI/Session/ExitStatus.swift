package import Build

/// The program's exit code, which schedulers and scripts rely on.
package struct ExitStatus: Hashable, Sendable {
  package var code: Int32

  package init(code: Int32) { self.code = code }

  package static let success = ExitStatus(code: 0)
  /// Some items failed, but the rest was published unless `--strict` was given.
  package static let someFailed = ExitStatus(code: 1)
  package static let usage = ExitStatus(code: 2)
  package static let machine = ExitStatus(code: 3)

  package static func signal(_ number: Int32) -> ExitStatus { ExitStatus(code: 128 + number) }

  /// Creates the status of a command that runs until a signal stops it.
  init(_ cancellation: Cancellation) {
    let number = cancellation.signalNumber
    self = number == 0 ? .success : .signal(number)
  }

  package init(_ result: BuildResult) { self.init(code: result.exitStatus) }

  package init(_ failure: BuildFailure) { self.init(code: failure.exitStatus) }
}
