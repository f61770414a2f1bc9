import CLinux
import Files
import Foundation
import Glibc

/// One message to a child and the one that comes back, under a deadline.
///
/// Nothing here blocks for longer than a slice, whatever the child does or leaves undone.
struct Exchange {
  /// Why no message came back.
  enum Failure: Error {
    /// It closed its output; whether it died is for the caller to find out.
    case closed(midMessage: Bool)
    case garbled
    case timedOut
    case cancelled
  }

  /// How long a cancellation may go unnoticed, in milliseconds.
  private static let slice: Int32 = 50

  private var outgoing: [Data]
  private var incoming: IncomingMessage
  private let deadline: SuspendingClock.Instant

  init(sending outgoing: [Data], answerLimit: Int, within seconds: Double) {
    self.outgoing = outgoing.filter { !$0.isEmpty }
    incoming = IncomingMessage(limit: answerLimit)
    // Not the continuous clock: a machine that slept has not worked.
    deadline = .now + .seconds(seconds)
  }

  /// Runs until the answer is whole; `complaints` collects what the child writes to stderr.
  mutating func run(
    with child: ChildProcess, scratch: inout [UInt8], complaints: inout Complaints,
    isCancelled: () -> Bool
  ) throws(Failure) -> IncomingMessage {
    while true {
      if isCancelled() { throw .cancelled }
      let left = SuspendingClock.now.duration(to: deadline)
      guard left > .zero else { throw .timedOut }
      let events = Self.wait(
        for: child, writing: !outgoing.isEmpty, hearing: complaints.isOpen, atMost: left)
      if events.complaint { complaints.read(from: child.complaints, scratch: &scratch) }
      if events.canWrite { try writeSome(to: child.input) }
      if events.canRead, try readSome(from: child.output, scratch: &scratch) { return incoming }
    }
  }

  private mutating func writeSome(to input: borrowing Descriptor) throws(Failure) {
    while let piece = outgoing.first {
      let written = unsafe piece.withUnsafeBytes { unsafe input.write($0) }
      switch written {
      case .success(let count) where count == piece.count: outgoing.removeFirst()
      case .success(let count): outgoing[0] = piece.dropFirst(count)
      // It reads no more; what it wrote before, or how it died, tells why.
      case .failure(let broken) where broken.code == EPIPE: outgoing = []
      // It will never have the whole message, nor answer.
      case .failure: throw .closed(midMessage: true)
      case nil: return
      }
    }
  }

  /// Reads once; true when the message is whole.
  private mutating func readSome(
    from output: borrowing Descriptor, scratch: inout [UInt8]
  ) throws(Failure) -> Bool {
    switch output.read(into: &scratch) {
    case .bytes(let count):
      do { try incoming.append(scratch[..<count]) } catch { throw .garbled }
      return incoming.isWhole
    case .nothing: return false
    case .end, .failed: throw .closed(midMessage: !incoming.isEmpty)
    }
  }

  private struct Events {
    var canRead: Bool
    var canWrite: Bool
    var complaint: Bool
  }

  private static func wait(
    for child: ChildProcess, writing: Bool, hearing: Bool, atMost left: Duration
  ) -> Events {
    let milliseconds = Int32(min(left / .milliseconds(1), Double(slice)).rounded(.up))
    // poll skips negative descriptors.
    var polled = [
      pollfd(fd: child.output.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: writing ? child.input.number : -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: hearing ? child.complaints.number : -1, events: Int16(POLLIN), revents: 0),
    ]
    let count = nfds_t(polled.count)
    _ = unsafe poll(&polled, count, milliseconds)
    return Events(
      canRead: polled[0].revents != 0, canWrite: polled[1].revents != 0,
      complaint: polled[2].revents != 0)
  }
}
