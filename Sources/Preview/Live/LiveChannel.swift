import Files
import Foundation

/// Tells all open pages what happens to the folder.
package final class LiveChannel: Sendable {
  private let state: Guarded<State>

  private struct State {
    var revision: Int
    var problems: [LiveProblem] = []
    /// The problems are those of a site that was built.
    var isBuilt = false
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
      case .failed(let problems): (state.problems, state.isBuilt) = (problems, false)
      case .flawed(let problems): (state.problems, state.isBuilt) = (problems, true)
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
      + LiveMessage(
        type: "hello", revision: state.revision, problems: state.problems,
        isBuilt: state.isBuilt ? true : nil
      ).bytes
  }

  func close(_ stream: EventStream) {
    _ = state.withLock { $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
  }
}

/// A message to a page, as JSON.
struct LiveMessage: Encodable {
  let type: String
  let revision: Int
  private(set) var images: [String: String]?
  /// `null` stands for any path.
  private(set) var paths: [String]??
  private(set) var problems: [LiveProblem]?
  private(set) var isBuilt: Bool?

  /// With more paths, a page that checks itself is quicker than one that searches for them.
  private static let pathLimit = 1000

  /// As a server-sent event: `data: {…}` and an empty line.
  var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts and whole numbers cannot fail to be encoded. JSON has no line ends inside.
    let json = (try? encoder.encode(self)) ?? Data("{}".utf8)
    return Array("data: ".utf8) + json + Array("\n\n".utf8)
  }
}

extension LiveMessage {
  init(_ event: LiveEvent, revision: Int) {
    switch event {
    case .swapped(let images):
      self.init(type: "swapped", revision: revision, images: images)
    case .changed(let paths):
      let isKnown = (paths?.count ?? 0) <= Self.pathLimit
      self.init(type: "changed", revision: revision, paths: .some(isKnown ? paths : nil))
    case .failed(let problems):
      self.init(type: "failed", revision: revision, problems: problems)
    case .flawed(let problems):
      self.init(type: "flawed", revision: revision, problems: problems, isBuilt: true)
    case .mended:
      self.init(type: "mended", revision: revision)
    }
  }
}
