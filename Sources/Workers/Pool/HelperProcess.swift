import Bytes
package import Files
package import Foundation
import Glibc

package enum HelperRole: String, Sendable {
  case pictures
  case network
}

/// A `sitegen-worker` process.
///
/// `@unchecked Sendable`: any thread may send messages or end the process, but only one thread at a
/// time may receive messages.
package final class HelperProcess: @unchecked Sendable {
  /// The maximum delay of a cancellation, in milliseconds.
  private static let slice: Int32 = 50
  /// The milliseconds between memory checks, enough time to fill only a few megabytes.
  private static let shortSlice: Int32 = 4
  private static let errorLimit = 4_096

  private struct Outgoing {
    var pieces: [Data] = []
    /// When the process last read data, or when a message was queued after it had read everything.
    var moved = SuspendingClock.now
  }

  package private(set) var sandbox: Sandbox = []
  package private(set) var hello: ArraySlice<UInt8> = []

  private let child: ChildProcess
  /// `/proc/PID/statm`, opened early because `hidepid` hides it once the process forbids tracing.
  let statm: Descriptor
  private let ending = Locked<ChildProcess.Ending?>(nil)
  private let outgoing = Locked(Outgoing())
  private var scratch = [UInt8](repeating: 0, count: 256 << 10)
  private var unread: ArraySlice<UInt8> = []
  private var incoming: IncomingMessage?
  private var errorBytes: [UInt8] = []
  private var isErrorOutputOpen = true

  package var processID: Int32 { child.processID }

  /// Starts the program with only `variables` from the environment, and waits for its reply.
  package init(
    _ role: HelperRole, program: String, environment: [String: String], variables: Set<String>,
    setup: [UInt8], payload: [Data] = [], within seconds: Double,
    isCancelled: () -> Bool = { false }
  ) throws(WorkerFailure) {
    ChildProcess.prepareSignals()
    var environment = environment.filter {
      $0.key.hasPrefix("SITEGEN_TEST_") || variables.contains($0.key)
    }
    // The backtracer would keep a crashed process alive for seconds.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    do throws(FileError) {
      child = try ChildProcess(
        program: program, arguments: [program, Version.current, role.rawValue],
        environment: environment)
    } catch {
      throw .cannotStart(error.message)
    }
    statm = Descriptor(
      adopting: unsafe open("/proc/\(child.processID)/statm", O_RDONLY | O_CLOEXEC))
    let reply = try exchange(
      .setup, head: setup, payload: payload, answerLimit: 1 << 20, within: seconds,
      isCancelled: isCancelled)
    switch reply.header?.kind {
    case .hello:
      guard let layers = reply.head.first else { throw .garbled }
      sandbox = Sandbox(rawValue: layers)
      hello = reply.head.dropFirst()
    case .refusal:
      throw .refused(String(decoding: reply.head.prefix(4_096), as: UTF8.self).plain)
    default: throw .garbled
    }
  }

  deinit { end() }

  package func end() {
    ending.withLock { $0 = $0 ?? child.end() }
  }

  func allow(processorSeconds: Int) { child.allow(processorSeconds: processorSeconds) }

  /// Sends a message; if the pipe is full, the next `receive` sends the rest.
  package func send(_ kind: MessageHeader.Kind, head: [UInt8] = [], payload: [Data] = []) {
    let pieces = MessageHeader.message(kind, head: head, payload: payload)
    outgoing.withLock { outgoing in
      if outgoing.pieces.isEmpty { outgoing.moved = .now }
      outgoing.pieces += pieces.filter { !$0.isEmpty }
      flush(&outgoing)
    }
  }

  /// The time since the process last read pending data; zero if no data is pending.
  package var stalled: Duration {
    outgoing.withLock { $0.pieces.isEmpty ? .zero : SuspendingClock.now - $0.moved }
  }

  private func flush(_ outgoing: inout Outgoing) {
    while let piece = outgoing.pieces.first {
      switch unsafe piece.withUnsafeBytes({ unsafe child.input.write($0) }) {
      case .success(piece.count): outgoing.pieces.removeFirst()
      case .success(let count): outgoing.pieces[0] = piece.dropFirst(count)
      // The process stopped reading; its output or exit status will show why.
      case .failure: outgoing.pieces = []
      case nil: return
      }
      outgoing.moved = .now
    }
  }

  /// Sends a message and waits for the answer; the process must not be used after an error.
  ///
  /// If the process used the CPU for at least a twentieth of `seconds`, it gets another period, up
  /// to `processorSeconds` of CPU time in total, so that jobs do not fail on a busy machine.
  func exchange(
    _ kind: MessageHeader.Kind, head: [UInt8], payload: [Data], answerLimit: Int,
    within seconds: Double, orWhileItWorks processorSeconds: Int = 0,
    isTooLarge: (() -> Bool)? = nil, isCancelled: () -> Bool
  ) throws(WorkerFailure) -> IncomingMessage {
    send(kind, head: head, payload: payload)
    // The suspending clock stops while the machine sleeps.
    var deadline = SuspendingClock.now + .seconds(seconds)
    let first = child.usedBefore
    var used = first
    while true {
      if isCancelled() { throw .cancelled }
      if let isTooLarge, isTooLarge() { throw .outOfMemory }
      let left = SuspendingClock.now.duration(to: deadline)
      guard left > .zero else {
        let before = used
        used = child.processorSeconds
        guard used - before >= seconds / 20, processorSeconds > 0 else { throw .hung }
        // The kernel should have killed the process, but a process can block that signal.
        guard used - first <= Double(processorSeconds + 1) else { throw .timedOut }
        deadline = .now + .seconds(seconds)
        continue
      }
      let slice = Double(isTooLarge == nil ? Self.slice : Self.shortSlice)
      let time = Int32(min(left / .milliseconds(1), slice).rounded(.up))
      if let reply = try receive(limit: answerLimit, within: time) {
        guard unread.isEmpty else { throw .garbled }
        return reply
      }
    }
  }

  /// Waits up to `milliseconds` for data, and returns a message if it is complete.
  package func receive(
    limit: Int, within milliseconds: Int32
  ) throws(WorkerFailure) -> IncomingMessage? {
    if unread.isEmpty, try !readSome(within: milliseconds) { return nil }
    var message = incoming.take() ?? IncomingMessage(limit: limit)
    do { try message.take(&unread) } catch { throw .garbled }
    // Release the slice, because the next read would otherwise copy the buffer.
    if unread.isEmpty { unread = [] }
    if message.isWhole { return message }
    incoming = message
    return nil
  }

  private func readSome(within milliseconds: Int32) throws(WorkerFailure) -> Bool {
    let isSending = outgoing.withLock { !$0.pieces.isEmpty }
    // `poll` skips negative descriptors.
    var polled = [
      pollfd(fd: child.output.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: isSending ? child.input.number : -1, events: Int16(POLLOUT), revents: 0),
      pollfd(
        fd: isErrorOutputOpen ? child.errorOutput.number : -1, events: Int16(POLLIN), revents: 0),
    ]
    _ = unsafe poll(&polled, nfds_t(polled.count), milliseconds)
    if polled[2].revents != 0 { readErrorOutput() }
    if polled[1].revents != 0 { outgoing.withLock { flush(&$0) } }
    if polled[0].revents == 0 { return false }
    switch child.output.read(into: &scratch) {
    case .bytes(let count):
      unread = scratch[..<count]
      return true
    case .nothing: return false
    case .end, .failed: throw failureOfClosedPipe()
    }
  }

  /// Reads only once, because endless output must not delay the deadline.
  private func readErrorOutput() {
    guard isErrorOutputOpen else { return }
    switch child.errorOutput.read(into: &scratch) {
    case .bytes(let count):
      errorBytes.append(contentsOf: scratch[..<min(count, Self.errorLimit - errorBytes.count)])
    case .nothing: return
    case .end, .failed: isErrorOutputOpen = false
    }
  }

  private func failureOfClosedPipe() -> WorkerFailure {
    // The process has usually exited; do not wait long for one that only closed its output.
    let ending = ending.withLock { $0 ?? child.endingByItself(within: 0.5) }
    readErrorOutput()
    let message = String(decoding: errorBytes, as: UTF8.self).plain
    switch ending {
    case nil, .unknown: return .garbled
    case .killed(SIGXCPU): return .timedOut
    case .killed(SIGALRM): return .hung
    case _ where OutOfMemoryText.occurs(in: message): return .outOfMemory
    case .killed(let signal): return .crashed(signal: signal)
    case .exited(0) where incoming != nil: return .garbled
    case .exited(let code): return .exited(code: code, message: message)
    }
  }
}
