import Files
import Glibc

/// The open connections of a server, with a deadline for each phase.
///
/// The timeout of libmicrohttpd restarts with every byte, so a slow client could keep a connection
/// open forever.
final class Connections: Sendable {
  enum Phase: Sendable {
    case waiting(Duration)
    /// The client is reading a reply.
    case reading(Duration)
    case streaming
  }

  private struct Connection {
    var phase: Phase
    var start = ContinuousClock.now
    /// Whether the connection is shut down but not yet reported as closed by the library.
    var isLeaving = false

    /// The eviction order and the start of the idle time; nil if the connection must stay open.
    var idle: (order: Int, start: ContinuousClock.Instant)? {
      switch phase {
      case _ where isLeaving: nil
      case .waiting: (0, start)
      // After 500 ms, an active client has usually received its reply.
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
  /// Connections keyed by socket, whose number is not reused until the library closes it.
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

  /// Returns whether to accept a new connection; near the limit, closes an idle connection.
  ///
  /// Some capacity is reserved, because closing a connection takes a moment.
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
