import Files
import Foundation

/// A channel that sends the result of each rebuild to all open pages.
package final class LiveChannel: Sendable {
  private let state: Locked<State>

  private struct State {
    /// The first message for a new stream, without paths.
    var last: LiveUpdate
    var streams: [ObjectIdentifier: EventStream] = [:]
    var isClosed = false
  }

  // Revisions start at the current time in milliseconds, so they exceed an earlier server's.
  // Pages loaded from that server therefore accept new updates.
  package init(revision: Int = Int(Date().timeIntervalSince1970 * 1000)) {
    var first = LiveUpdate(paths: nil)
    (first.revision, first.paths) = (revision, nil)
    state = Locked(State(last: first))
  }

  package func send(_ update: LiveUpdate) {
    // The single lock ensures that all pages get the same updates in the same order.
    state.withLock { state in
      var update = update
      update.revision = state.last.revision + 1
      update.paths = .some(LiveUpdate.few(update.paths ?? nil))
      state.last = update
      state.last.paths = nil
      for stream in state.streams.values { stream.send(update) }
    }
  }

  var revision: Int { state.withLock { $0.last.revision } }

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

  func close() {
    state.withLock { state in
      state.isClosed = true
      for stream in state.streams.values { stream.end() }
    }
  }
}

extension LiveUpdate {
  /// Returns nil for more than 1000 paths, because a full reload is then faster.
  fileprivate static func few(_ paths: [String]?) -> [String]? {
    paths.flatMap { $0.count <= 1000 ? $0 : nil }
  }

  mutating func add(_ later: LiveUpdate) {
    if let old = paths {
      let all = old.flatMap { old in (later.paths ?? nil).map { Set(old).union($0).sorted() } }
      paths = .some(Self.few(all))
    }
    (revision, problems, isBuilt) = (later.revision, later.problems, later.isBuilt)
  }

  var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding can fail only for floating-point values, which an update does not contain.
    let json = (try? encoder.encode(self)) ?? Data("{}".utf8)
    // By default, browsers wait several seconds before they reconnect.
    return Array("retry: 500\ndata: ".utf8) + json + Array("\n\n".utf8)
  }
}
