/// What a watcher has to say about itself.
package enum WatchNotice: Sendable, Hashable {
  /// The system lends no more watches: looking every so often instead.
  case polling(reason: String)
}

/// Commits the changes of files and of folders, with all beneath them, to a coalescer.
///
/// A folder that comes, goes or moves is named, and so is every file in it.
/// What may not be read is not watched. A change that another machine makes on a network's file
/// system is not seen.
package final class Watcher: Sendable {
  private let loop: WatchLoop

  /// Watches when this returns: no later change is missed.
  ///
  /// - Parameters:
  ///   - places: They may overlap.
  ///   - coalescer: What gets the changes.
  ///   - seams: For tests.
  ///   - tell: Called now, or later on no particular thread; it must not call `stop`.
  package init(
    _ places: [WatchedPlace], into coalescer: Coalescer, seams: WatchSeams = WatchSeams(),
    tell: @escaping @Sendable (WatchNotice) -> Void = { _ in }
  ) {
    loop = WatchLoop(places.map(\.tidy), coalescer, seams, tell)
    loop.start()
  }

  deinit { loop.stop() }

  /// Watches these from now on, and no others; places that stay miss nothing.
  package func watch(_ places: [WatchedPlace]) {
    loop.watch(places.map(\.tidy))
  }

  /// Commits everything that happened before; it need not wait for the thread that does so anyway.
  package func catchUp() {
    loop.catchUp()
  }

  /// Waits until nothing of it runs; from then on nothing is committed.
  package func stop() {
    loop.stop()
  }
}

/// Where tests meddle.
package struct WatchSeams: Sendable {
  /// How many folders can be watched at most, as if the system lent no more.
  package var limit = Int.max
  /// The time between two looks where folders cannot be watched.
  package var pause = Duration.seconds(1)
  /// Called by the thread that reads events, before it reads.
  package var beforeReading: @Sendable () -> Void = {}

  package init() {}
}
