import Sitegen

extension Engine {
  /// The stages themselves.
  package static let standard = Engine(
    build: { (options, cancellation, progress) throws(BuildFailure) in
      try Build(options, cancellation: cancellation, progress: progress).run()
    },
    check: { (_, _) throws(BuildFailure) in throw .machine(.unfinished("check")) },
    clean: { (_) throws(BuildFailure) in throw .machine(.unfinished("clean")) })
}

extension Diagnostic {
  fileprivate static func unfinished(_ command: String) -> Diagnostic {
    Diagnostic(.error, "not-supported", "`\(command)` is not built yet")
  }
}
