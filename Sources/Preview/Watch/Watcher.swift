/// A file or folder whose changes somebody wants to know.
package struct WatchedPlace: Sendable, Hashable {
  /// Absolute; it need not exist.
  package var path: String
  /// Folders beneath that are not looked at: absolute.
  package var ignoring: Set<String>

  package init(_ path: String, ignoring: Set<String> = []) {
    self.path = path
    self.ignoring = ignoring
  }
}

/// What a watcher has to say about itself.
package enum WatchNotice: Sendable, Hashable {
  /// The system lends no more watches: looking every so often instead.
  case polling(reason: String)
}

/// Commits the changes of files and of folders, with all beneath them, to a coalescer.
package final class Watcher: Sendable {
  package init(
    _ places: [WatchedPlace], into coalescer: Coalescer,
    tell: @escaping @Sendable (WatchNotice) -> Void = { _ in }
  ) {}

  /// Watches these from now on, and no others.
  package func watch(_ places: [WatchedPlace]) {}

  /// Waits until nothing of it runs.
  package func stop() {}
}
