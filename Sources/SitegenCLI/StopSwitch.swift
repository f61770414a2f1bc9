import Files

/// What a signal does, which is known only after the signal may have come.
package final class StopSwitch: Sendable {
  private struct State {
    var isTriggered = false
    var action: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())

  package init() {}

  func trigger() {
    let action = state.withLock { state in
      state.isTriggered = true
      return state.action
    }
    action?()
  }

  func connect(_ action: @escaping @Sendable () -> Void) {
    let isTriggered = state.withLock { state in
      state.action = action
      return state.isTriggered
    }
    if isTriggered { action() }
  }
}
