package import Build

/// How the program ends; schedulers and scripts rely on these numbers.
package struct ExitStatus: Hashable, Sendable {
  package var code: Int32

  package init(code: Int32) {
    self.code = code
  }

  package static let success = ExitStatus(code: 0)
  /// Published, but some items failed; with `--strict` nothing was published.
  package static let someFailed = ExitStatus(code: 1)
  /// Wrong words, manifest or templates: nothing was touched.
  package static let usage = ExitStatus(code: 2)
  /// Disk, rights or ImageMagick: the old site is whole.
  package static let machine = ExitStatus(code: 3)
  /// Another build runs: `EX_TEMPFAIL`, try again later.
  package static let locked = ExitStatus(code: 75)

  package static func signal(_ number: Int32) -> ExitStatus { ExitStatus(code: 128 + number) }

  /// For a command that runs until a signal ends it.
  init(_ cancellation: Cancellation) {
    let number = cancellation.signalNumber
    self = number == 0 ? .success : .signal(number)
  }

  package init(_ result: BuildResult) { self.init(code: result.exitStatus) }

  package init(_ failure: BuildFailure) { self.init(code: failure.exitStatus) }
}
