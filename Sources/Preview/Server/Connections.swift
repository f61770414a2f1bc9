import Files
import Glibc

/// All open connections of a server, and since when each waits for its client.
///
/// The library counts from the last byte in either direction, so one byte now and then would keep a
/// connection open forever. So each phase of a connection has a limit, too.
final class Connections: Sendable {
  enum Phase: Sendable {
    /// The client owes the head of a request.
    case waiting(Duration)
    /// The client reads a reply.
    case reading(Duration)
    case streaming
  }

  private struct Connection {
    var phase: Phase
    var start = ContinuousClock.now
    /// It was shut down, and the library has yet to close it.
    var isLeaving = false

    /// Since when it is idle, and whether it reads; nil if it must stay.
    var idle: (order: Int, start: ContinuousClock.Instant)? {
      switch phase {
      case _ where isLeaving: nil
      case .waiting: (0, start)
      // A reply that is read at all is read by then.
      case .reading: ContinuousClock.now - start > .milliseconds(500) ? (1, start) : nil
      case .streaming: nil
      }
    }

    var isOverdue: Bool {
      switch phase {
      case .waiting(let limit), .reading(let limit): ContinuousClock.now - start > limit
      case .streaming: false
      }
    }
  }

  private let limit: Int
  /// By socket: the library says that a connection has closed before it closes the socket.
  private let open = Locked<[Int32: Connection]>([:])

  init(limit: Int) {
    self.limit = limit
  }

  func enter(_ phase: Phase, on socket: Int32) {
    open.withLock { open in
      guard open[socket]?.isLeaving != true else { return }
      open[socket] = Connection(phase: phase)
    }
  }

  func closed(_ socket: Int32) {
    _ = open.withLock { $0.removeValue(forKey: socket) }
  }

  /// Whether another one is accepted; near the limit an idle one is ended for it.
  ///
  /// That one closes a moment later, so there is some room for connections that have yet to close.
  func makeRoom() -> Bool {
    open.withLock { open in
      guard open.count < limit else { return false }
      let reserve = min(limit / 8, 64)
      if open.values.count(where: { !$0.isLeaving }) >= limit - reserve {
        let idle = open.compactMap { pair in pair.value.idle.map { (socket: pair.key, idle: $0) } }
        if let first = idle.min(by: { $0.idle < $1.idle }) { end(first.socket, &open) }
      }
      return true
    }
  }

  /// Ends the connections whose clients are too slow.
  func checkDeadlines() {
    open.withLock { open in
      for (socket, connection) in open where connection.isOverdue { end(socket, &open) }
    }
  }

  private func end(_ socket: Int32, _ open: inout [Int32: Connection]) {
    open[socket]?.isLeaving = true
    _ = shutdown(socket, Int32(SHUT_RDWR))
  }
}
