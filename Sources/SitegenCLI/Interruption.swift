package import Build
package import Diagnostics
import Dispatch
import Files
import Glibc

/// SIGINT and SIGTERM while a job runs: the first asks it to stop, the second ends the process.
package enum Interruption {
  /// Runs the body with a cancellation that the signals trigger.
  package static func watched<Result>(
    _ console: Console, with stop: StopSwitch = StopSwitch(),
    _ body: (Cancellation) throws(Diagnostic) -> Result
  ) throws(Diagnostic) -> Result {
    let cancellation = Cancellation()
    let sources = [SIGINT, SIGTERM].map { number in
      // With the default handler the signal would end the process before the source sees it.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { @Sendable in
        if cancellation.isCancelled { _exit(128 + number) }
        cancellation.cancel(signal: number)
        stop.trigger()
        // On another queue: if nobody reads `err`, the write blocks, and the second signal must
        // still work.
        DispatchQueue.global().async {
          console.err("\nsitegen: stopping; once more ends it at once\n")
        }
      }
      source.resume()
      return source
    }
    defer {
      for source in sources { source.cancel() }
      for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
    return try body(cancellation)
  }
}

/// An action for a signal; it may be connected after the signal has come.
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
