/// Gets things over HTTP: one thread, on which libcurl does everything at once.
///
/// The thread begins with the first request. It ends by `close`, or when nobody has the engine or
/// its fetcher any more.
package final class FetchEngine: Sendable {
  private let thread: EngineThread
  /// Gets things by this engine, and each thing once at a time; good until it is closed.
  package let fetcher: Fetcher

  package init(_ settings: FetchSettings) {
    let thread = EngineThread(settings)
    self.thread = thread
    fetcher = .joining(
      Fetcher { request, tell in
        let id = thread.begin(request, tell)
        return FetchTicket { thread.cancel(id) }
      })
  }

  /// Ends everything at once: who still waits is told that it was cancelled.
  package func close() {
    thread.close()
  }
}
