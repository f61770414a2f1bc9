package import Build
import Files
import Foundation
import Store

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

  /// Gives away what a command never needs that writes to these folders, for good; only `main` does it.
  package var confine: @Sendable ([String]) -> Void = { _ in }

  package init() {}

  /// The programs beside this one; nil without `/proc`.
  static let programsBeside =
    (try? FileManager.default.destinationOfSymbolicLink(
      atPath: "/proc/self/exe")).map { Programs(beside: $0) }

  /// `main` has made sure that there are some.
  package static var programs: Programs { programsBeside ?? Programs(beside: "/nonexistent") }
}

extension Engine {
  /// From here on this process and those that it starts change files in these folders and in those for
  /// temporary files, and nowhere else.
  ///
  /// Called before there are other threads. What is read is not limited: sources may lie anywhere. Not
  /// for who stays: a folder that is removed and made again is another one to the kernel.
  static func closeIn(_ folders: [String]) {
    let temporary = ProcessInfo.processInfo.environment["TMPDIR"]
    let writable =
      folders + [temporary, "/tmp", "/var/tmp", "/dev/shm", "/dev/null"].compactMap(\.self)
    let rules = Landlock(
      paths: [("/", [.read, .execute])] + writable.map { ($0, [.read, .write]) })
    // A kernel that cannot do it leaves all as it is.
    _ = try? rules.restrict()
  }
}

extension BuildOptions {
  /// The output, the cache and the folder of the report; where one of them is to be made, the folder that
  /// gets it.
  var writable: [String] {
    let files = [report, metrics].map { path in
      path.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    }
    let site = shard == nil ? [output, cache] : [cache]
    return (site + files).compactMap { path in
      // What is not there yet is made.
      path.flatMap { try? Folder.nearest(to: $0).folder.path }
    } + (store.flatMap { $0.mode.writes ? $0.writable : nil } ?? [])
  }
}

extension SharedStore.Location {
  /// A store is never made: where it is not there, nothing around it may be written.
  var writable: [String] {
    (try? Folder(opening: path)).map { [$0.path] } ?? []
  }
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
