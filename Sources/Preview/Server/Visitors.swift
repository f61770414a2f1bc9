import Files

/// Everybody who has a connection.
final class Visitors: Sendable {
  private let settings: PreviewSettings
  private let state = Guarded(State())

  private struct State {
    var all: [ObjectIdentifier: Visitor] = [:]
    var isClosed = false
  }

  init(_ settings: PreviewSettings) {
    self.settings = settings
  }

  /// Whether one more may come.
  var haveRoom: Bool {
    state.withLock { !$0.isClosed && $0.all.count < settings.connections }
  }

  /// Remembers a new one, made here so that none slips in while all are dismissed.
  func welcome(_ make: (_ isDismissed: Bool) -> Visitor) -> Visitor {
    state.withLock { state in
      let visitor = make(state.isClosed)
      state.all[ObjectIdentifier(visitor)] = visitor
      return visitor
    }
  }

  func forget(_ visitor: Visitor) {
    visitor.leaves()
    _ = state.withLock { $0.all.removeValue(forKey: ObjectIdentifier(visitor)) }
  }

  func look(at now: ContinuousClock.Instant) {
    for visitor in state.withLock({ Array($0.all.values) }) { visitor.look(at: now, settings) }
  }

  /// From now on nobody is waited for, and nobody comes.
  func dismiss() {
    let all = state.withLock { state in
      state.isClosed = true
      return Array(state.all.values)
    }
    for visitor in all { visitor.dismiss() }
  }
}
