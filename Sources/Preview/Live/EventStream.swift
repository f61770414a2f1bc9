import Files

/// What one page is still to be told.
final class EventStream: Sendable {
  /// How many messages wait for a page before it is greeted anew instead.
  static let limit = 256

  private let state: Guarded<State>
  private let wake: @Sendable () -> Void

  private struct State {
    var waiting: [[UInt8]] = []
    /// How much of the first is gone.
    var sent = 0
    var lastSent = ContinuousClock.now
  }

  /// - Parameters:
  ///   - greeting: The first thing to tell.
  ///   - wake: Called when there is something to tell; it must not wait.
  init(greeting: [UInt8], wake: @escaping @Sendable () -> Void) {
    state = Guarded(State(waiting: [greeting]))
    self.wake = wake
  }

  /// Never waits for the page.
  ///
  /// - Parameters:
  ///   - message: To be told after all that waits.
  ///   - summary: Told instead of all that waits, when that is too much; it must say all that they
  ///     would have said.
  func tell(_ message: [UInt8], orElse summary: @autoclosure () -> [UInt8]) {
    state.withLock { state in
      if state.waiting.count < EventStream.limit {
        state.waiting.append(message)
      } else {
        // One that is halfway out is completed.
        state.waiting.removeSubrange((state.sent > 0 ? 1 : 0)...)
        state.waiting.append(summary())
      }
    }
    wake()
  }

  /// Shows that we live, if nothing was told for a while.
  func beat(at now: ContinuousClock.Instant, after time: Duration) {
    let isDue = state.withLock { state in
      guard state.waiting.isEmpty, now - state.lastSent >= time else { return false }
      state.waiting.append(Array(": \n\n".utf8))
      return true
    }
    if isDue { wake() }
  }

  /// Gives what fits; with nothing to give, decides under the same lock what happens next.
  ///
  /// - Parameters:
  ///   - room: Where to put it.
  ///   - onEmpty: Called when nothing waits, before something can come.
  /// - Returns: How many bytes were put, or what `onEmpty` said.
  func read(into room: UnsafeMutableRawBufferPointer, onEmpty: () -> Int) -> Int {
    state.withLock { state in
      var count = 0
      while let first = state.waiting.first, count < room.count {
        let part = first[state.sent...].prefix(room.count - count)
        // There is room for the part, since it was cut to what is left.
        unsafe UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyBytes(from: part)
        count += part.count
        state.sent += part.count
        guard state.sent == first.count else { break }
        state.waiting.removeFirst()
        state.sent = 0
      }
      if count == 0 { return onEmpty() }
      state.lastSent = .now
      return count
    }
  }
}
