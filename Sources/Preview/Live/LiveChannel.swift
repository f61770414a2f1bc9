import Files
import Foundation

/// Reports every rebuild to all open pages.
package final class LiveChannel: Sendable {
  private let state: Locked<State>

  private struct State {
    /// What a page is told first: everything but the paths.
    var last: LiveUpdate
    var streams: [ObjectIdentifier: EventStream] = [:]
    var isClosed = false
  }

  /// The milliseconds since 1970 exceed the revisions of any earlier server, so a page of an earlier
  /// server never takes its own revision for a later one.
  package init(revision: Int = Int(Date().timeIntervalSince1970 * 1000)) {
    var first = LiveUpdate(paths: nil)
    (first.revision, first.paths) = (revision, nil)
    state = Locked(State(last: first))
  }

  /// Never waits for a page.
  package func send(_ update: LiveUpdate) {
    // Under one lock, so that all pages get the same updates in the same order.
    state.withLock { state in
      var update = update
      update.revision = state.last.revision + 1
      update.paths = .some(LiveUpdate.few(update.paths ?? nil))
      state.last = update
      state.last.paths = nil
      for stream in state.streams.values { stream.send(update) }
    }
  }

  /// Rises with each update.
  var revision: Int { state.withLock { $0.last.revision } }

  /// A stream of all later updates; nil if there are too many streams already.
  func open(_ socket: Int32, _ settings: PreviewSettings) -> EventStream? {
    state.withLock { state in
      guard !state.isClosed, state.streams.count < settings.streams else { return nil }
      let stream = EventStream(state.last, socket, keepAlive: settings.keepAlive, of: self)
      state.streams[ObjectIdentifier(stream)] = stream
      return stream
    }
  }

  func close(_ stream: EventStream) {
    _ = state.withLock { $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
  }

  /// Ends all streams; there are none from now on.
  func close() {
    state.withLock { state in
      state.isClosed = true
      for stream in state.streams.values { stream.end() }
    }
  }
}

extension LiveUpdate {
  /// Nil for more than 1000 paths: a page that checks itself is quicker than one that searches for them.
  fileprivate static func few(_ paths: [String]?) -> [String]? {
    paths.flatMap { $0.count <= 1000 ? $0 : nil }
  }

  /// Adds a later message to this one, which was not sent yet.
  mutating func add(_ later: LiveUpdate) {
    if let old = paths {
      let all = old.flatMap { old in (later.paths ?? nil).map { Set(old).union($0).sorted() } }
      paths = .some(Self.few(all))
    }
    (revision, problems, isBuilt) = (later.revision, later.problems, later.isBuilt)
  }

  /// As a server-sent event: `data: {…}` and an empty line.
  var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts and whole numbers cannot fail to be encoded. JSON has no line ends inside.
    let json = (try? encoder.encode(self)) ?? Data("{}".utf8)
    // Without `retry` browsers wait for seconds before they connect again.
    return Array("retry: 500\ndata: ".utf8) + json + Array("\n\n".utf8)
  }
}
