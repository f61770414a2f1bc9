package import Build

/// The parts of the program that commands call; tests replace them.
package struct Engine: Sendable {
  package var build:
    @Sendable (BuildOptions, Cancellation, @escaping @Sendable (ProgressEvent) -> Void)
      throws(BuildFailure) -> BuildResult = {
        (options, cancellation, progress) throws(BuildFailure) in
        try Build(options, cancellation: cancellation, progress: progress).run()
      }
  package var check: @Sendable (BuildOptions, Cancellation) throws(BuildFailure) -> BuildResult = {
    (options, cancellation) throws(BuildFailure) in
    try Check(options, cancellation: cancellation).run()
  }
  package var clean: @Sendable (BuildOptions) throws(BuildFailure) -> Void = {
    (options) throws(BuildFailure) in
    // A user who cleans wants the space now, so it waits until the files are deleted.
    try Clean(options).run().finish()
  }
  package var prune: @Sendable (BuildOptions, Prune.Limits) throws(BuildFailure) -> Prune.Pruned = {
    (options, limits) throws(BuildFailure) in try Prune(options, limits).run()
  }

  package init() {}

  /// The path by which a process starts itself again.
  package static let program = "/proc/self/exe"
}

/// The streams and the engine that a command works with.
package struct Session: Sendable {
  package var console: Console
  package var engine: Engine

  package init(console: Console, engine: Engine = Engine()) {
    self.console = console
    self.engine = engine
  }
}
