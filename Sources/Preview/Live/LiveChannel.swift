import Files
import Foundation

/// From whoever changes the folder to every page that is open.
package final class LiveChannel: Sendable {
  private let state = Guarded(State())

  private struct State {
    var revision = 0
    var problems: [LiveProblem] = []
    var streams: [ObjectIdentifier: EventStream] = [:]
  }

  package init() {}

  /// Never waits for a page.
  package func send(_ event: LiveEvent) {
    // Under one lock, so that all pages are told the same in the same order.
    state.withLock { state in
      state.revision += 1
      switch event {
      case .failed(let problems): state.problems = problems
      case .mended: state.problems = []
      case .swapped, .changed: break
      }
      let message = LiveMessage(event, revision: state.revision).bytes
      let summary = LiveMessage.anything(revision: state.revision).bytes
      for stream in state.streams.values { stream.tell(message, orElse: summary) }
    }
  }

  /// Rises with each event.
  var revision: Int { state.withLock { $0.revision } }

  /// A stream of all events from now on; nil when there are `limit` already.
  func open(limit: Int, wake: @escaping @Sendable () -> Void) -> EventStream? {
    state.withLock { state in
      guard state.streams.count < limit else { return nil }
      let hello = LiveMessage.hello(revision: state.revision, problems: state.problems)
      // Browsers wait for seconds before they come again, unless told.
      let stream = EventStream(greeting: Array("retry: 500\n\n".utf8) + hello.bytes, wake: wake)
      state.streams[ObjectIdentifier(stream)] = stream
      return stream
    }
  }

  func close(_ stream: EventStream) {
    _ = state.withLock { $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
  }
}
