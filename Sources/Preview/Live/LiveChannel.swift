import Files
import Foundation

/// Tells all open pages what happens to the folder.
package final class LiveChannel: Sendable {
  private let state: Guarded<State>

  private struct State {
    var revision: Int
    var problems: [LiveProblem] = []
    var streams: [ObjectIdentifier: EventStream] = [:]
  }

  /// The milliseconds since 1970 exceed the revisions of any earlier server, so a page of an earlier
  /// server never takes its own revision for a later one.
  package init(revision: Int = Int(Date().timeIntervalSince1970 * 1000)) {
    state = Guarded(State(revision: revision))
  }

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
      for stream in state.streams.values {
        stream.send(message, orElse: LiveChannel.greeting(state))
      }
    }
  }

  /// Rises with each event.
  var revision: Int { state.withLock { $0.revision } }

  /// A stream of all later events; nil when there are `limit` streams already.
  func open(for connection: Connection, limit: Int) -> EventStream? {
    state.withLock { state in
      guard state.streams.count < limit else { return nil }
      let stream = EventStream(LiveChannel.greeting(state), for: connection, of: self)
      state.streams[ObjectIdentifier(stream)] = stream
      return stream
    }
  }

  /// All that a page must know that has missed some or all events.
  private static func greeting(_ state: State) -> [UInt8] {
    // Without it browsers wait for seconds before they connect again.
    Array("retry: 500\n\n".utf8)
      + LiveMessage(type: "hello", revision: state.revision, problems: state.problems).bytes
  }

  func close(_ stream: EventStream) {
    _ = state.withLock { $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
  }
}
