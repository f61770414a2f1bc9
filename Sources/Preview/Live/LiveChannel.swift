import Files
import Foundation

/// From whoever changes the folder to every page that is open.
package final class LiveChannel: Sendable {
  private let state: Guarded<State>

  private struct State {
    var revision: Int
    var problems: [LiveProblem] = []
    var streams: [ObjectIdentifier: EventStream] = [:]
  }

  /// - Parameter revision: Where to begin.
  ///
  ///   The milliseconds since 1970 are more than those of any server that ran before this one, so a
  ///   page that another one has sent never takes its own revision for a later one.
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
        stream.tell(message, orElse: LiveChannel.greeting(state))
      }
    }
  }

  /// Rises with each event.
  var revision: Int { state.withLock { $0.revision } }

  /// A stream of all events from now on; nil when there are `limit` already.
  func open(limit: Int, wake: @escaping @Sendable () -> Void) -> EventStream? {
    state.withLock { state in
      guard state.streams.count < limit else { return nil }
      let stream = EventStream(greeting: LiveChannel.greeting(state), wake: wake)
      state.streams[ObjectIdentifier(stream)] = stream
      return stream
    }
  }

  /// All that a page must know that has heard nothing yet, or not everything.
  private static func greeting(_ state: State) -> [UInt8] {
    // Browsers wait for seconds before they come again, unless told.
    Array("retry: 500\n\n".utf8)
      + LiveMessage.hello(revision: state.revision, problems: state.problems).bytes
  }

  func close(_ stream: EventStream) {
    _ = state.withLock { $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
  }
}
