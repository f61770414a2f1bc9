package import Build
import Foundation

/// What the commands ask of the rest of the program; tests put their own answers in.
package struct Engine: Sendable {
  package var build:
    @Sendable (BuildOptions, Cancellation, @escaping @Sendable (ProgressEvent) -> Void)
      throws(BuildFailure) -> BuildResult
  package var check: @Sendable (BuildOptions, Cancellation) throws(BuildFailure) -> BuildResult
  package var clean: @Sendable (BuildOptions) throws(BuildFailure) -> Void
  package var prune: @Sendable (BuildOptions, Prune.Limits) throws(BuildFailure) -> Prune.Pruned

  package init(
    build:
      @escaping @Sendable (
        BuildOptions, Cancellation, @escaping @Sendable (ProgressEvent) -> Void
      ) throws(BuildFailure) -> BuildResult,
    check: @escaping @Sendable (BuildOptions, Cancellation) throws(BuildFailure) -> BuildResult,
    clean: @escaping @Sendable (BuildOptions) throws(BuildFailure) -> Void,
    prune:
      @escaping @Sendable (BuildOptions, Prune.Limits) throws(BuildFailure) -> Prune.Pruned = {
        (options, limits) throws(BuildFailure) in try Prune(options, limits).run()
      }
  ) {
    self.build = build
    self.check = check
    self.clean = clean
    self.prune = prune
  }
}

extension Engine {
  /// The path that a process starts itself again by, whatever it was called as.
  package static let program = "/proc/self/exe"
}
