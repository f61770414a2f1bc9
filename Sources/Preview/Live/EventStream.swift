import Foundation
import Glibc

/// The messages for one page; the thread of its connection waits for them in `read`.
final class EventStream: @unchecked Sendable {
  // Sendable since the variables are used only under the lock of this condition.
  private let condition = NSCondition()
  /// All updates since the last message, as one: a page that reads slowly costs no memory.
  private var next: LiveUpdate?
  /// What of the last message is not sent yet.
  private var rest: ArraySlice<UInt8> = []
  private var hasEnded = false

  private let socket: Int32
  private let keepAlive: Duration
  private let channel: LiveChannel

  init(_ first: LiveUpdate, _ socket: Int32, keepAlive: Duration, of channel: LiveChannel) {
    next = first
    self.socket = socket
    self.keepAlive = keepAlive
    self.channel = channel
  }

  func send(_ message: LiveUpdate) {
    condition.withLock {
      if next?.add(message) == nil { next = message }
      condition.signal()
    }
  }

  func end() {
    condition.withLock {
      hasEnded = true
      condition.signal()
    }
  }

  func close() { channel.close(self) }

  /// Waits for a message; returns how many bytes it has put, or -2 to end the connection.
  func read(into room: UnsafeMutableRawBufferPointer) -> Int {
    condition.withLock {
      let start = ContinuousClock.now
      while rest.isEmpty {
        if hasEnded || clientHasGone { return -2 }
        if let message = next.take() {
          rest = message.bytes[...]
        } else if ContinuousClock.now - start >= keepAlive {
          // A comment shows that the stream is alive.
          rest = Array(": \n\n".utf8)[...]
        } else {
          // A second is how late it may see that the client has gone.
          _ = condition.wait(until: Date() + min(1, keepAlive / .seconds(1)))
        }
      }
      let part = rest.prefix(room.count)
      // There is room for the part, since it was cut to that.
      unsafe room.copyBytes(from: part)
      rest = rest.dropFirst(part.count)
      return part.count
    }
  }

  /// Whether the client has closed its sending side.
  private var clientHasGone: Bool {
    // `POLLRDHUP`, which Swift's Glibc does not show.
    var question = pollfd(fd: socket, events: 0x2000, revents: 0)
    return unsafe poll(&question, 1, 0) > 0
  }
}
