import Files

/// The messages that wait for one page.
final class EventStream: Sendable {
  /// With more messages waiting, a page is greeted anew instead.
  private static let limit = 256

  private let state: Guarded<State>
  private let connection: Connection
  private let channel: LiveChannel

  private struct State {
    var waiting: [[UInt8]]
    /// How many bytes of the first message are sent.
    var sent = 0
    var lastSent = ContinuousClock.now
  }

  init(_ greeting: [UInt8], for connection: Connection, of channel: LiveChannel) {
    state = Guarded(State(waiting: [greeting]))
    self.connection = connection
    self.channel = channel
  }

  /// Never waits for the page; the summary replaces all that waits when that is too much.
  func send(_ message: [UInt8], orElse summary: @autoclosure () -> [UInt8]) {
    state.withLock { state in
      if state.waiting.count < EventStream.limit {
        state.waiting.append(message)
      } else {
        // A message that is partly sent must be completed.
        state.waiting.removeSubrange((state.sent > 0 ? 1 : 0)...)
        state.waiting.append(summary())
      }
    }
    connection.resume()
  }

  /// Sends a comment if nothing was sent for so long, to show that the stream lives.
  func keepAlive(at now: ContinuousClock.Instant, after time: Duration) {
    let isDue = state.withLock { state in
      guard state.waiting.isEmpty, now - state.lastSent >= time else { return false }
      state.waiting.append(Array(": \n\n".utf8))
      return true
    }
    if isDue { connection.resume() }
  }

  /// Called on the thread that serves the connection; returns how many bytes it has put.
  ///
  /// After 0 the library calls it again when the pause is over; -2 ends the connection.
  func read(into room: UnsafeMutableRawBufferPointer) -> Int {
    if connection.isClosing { return -2 }
    return state.withLock { state in
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
      // Paused under the lock, so that no message comes between the look and the pause.
      if count == 0 { return connection.pause() ? 0 : -2 }
      state.lastSent = .now
      return count
    }
  }

  func close() { channel.close(self) }
}
