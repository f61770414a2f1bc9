/// Makes one batch of many changes: the set is swapped before anyone works on it, so what comes
/// while a batch is worked on makes exactly one more.
package final class Coalescer: Sendable {
  /// - Parameters:
  ///   - quiet: A batch is ready when nothing has come for so long.
  ///   - atMost: Or when its first change is so old, however many still come.
  ///   - onReady: Called, on no particular thread, each time that a batch has become ready.
  package init(
    quiet: Duration = .milliseconds(20), atMost: Duration = .seconds(1),
    onReady: @escaping @Sendable () -> Void = {}
  ) {}

  /// Nil is nothing.
  package func commit(_ change: FileChange?) {}

  /// Waits for a batch: distinct and sorted; nil when it was closed.
  package func next() -> [FileChange]? { nil }

  /// Drops what is pending; whoever waits gets nil.
  package func close() {}
}
