import Foundation
import Glibc

/// The server-sent events for one page; the connection's thread waits for them in `read`.
final class EventStream: @unchecked Sendable {
  // `@unchecked Sendable`: all variables are accessed only under this condition's lock.
  private let condition = NSCondition()
  /// The pending updates, merged into one so that a slow page does not use more memory.
  private var next: LiveUpdate?
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

  /// Waits for a message and copies it; returns the byte count, or -2 to close the connection.
  func read(into room: UnsafeMutableRawBufferPointer) -> Int {
    condition.withLock {
      let start = ContinuousClock.now
      while rest.isEmpty {
        if hasEnded || clientHasGone { return -2 }
        if let message = next.take() {
          rest = message.bytes[...]
        } else if ContinuousClock.now - start >= keepAlive {
          rest = Array(": \n\n".utf8)[...]
        } else {
          // Wake up every second to detect a disconnected client.
          _ = condition.wait(until: Date() + min(1, keepAlive / .seconds(1)))
        }
      }
      let part = rest.prefix(room.count)
      unsafe room.copyBytes(from: part)
      rest = rest.dropFirst(part.count)
      return part.count
    }
  }

  private var clientHasGone: Bool {
    // 0x2000 is `POLLRDHUP`, which Swift's Glibc module does not export.
    var question = pollfd(fd: socket, events: 0x2000, revents: 0)
    return unsafe poll(&question, 1, 0) > 0
  }
}
