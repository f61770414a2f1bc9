import Bytes
package import Files
package import Foundation
import Glibc

/// What a process of `sitegen-worker` is for; its last argument.
package enum HelperRole: String, Sendable {
  case pictures
  case network
}

/// A process of `sitegen-worker`; nothing here blocks for longer than a slice, whatever it does.
///
/// `@unchecked Sendable`: any thread may send and end; one thread at a time receives.
package final class HelperProcess: @unchecked Sendable {
  /// How long a cancellation may go unnoticed, in milliseconds.
  private static let slice: Int32 = 50
  /// The same for too much memory, of which a process can fill some megabytes in that time.
  private static let shortSlice: Int32 = 4
  /// Bytes of stderr that are kept.
  private static let errorLimit = 4_096

  private struct Outgoing {
    var pieces: [Data] = []
    /// When the process last took something, or was last sent something after it had taken all.
    var moved = SuspendingClock.now
  }

  /// Which layers of its jail the kernel gave it.
  package private(set) var jail: Jail = []
  /// What else it said when it was ready.
  package private(set) var hello: ArraySlice<UInt8> = []

  private let child: ChildProcess
  /// The kernel's count of its memory; opened before the process forbids tracing, since a `/proc` with
  /// `hidepid` refuses it later.
  let statm: Descriptor
  private let ending = Locked<ChildProcess.Ending?>(nil)
  private let outgoing = Locked(Outgoing())
  private var scratch = [UInt8](repeating: 0, count: 256 << 10)
  private var unread: ArraySlice<UInt8> = []
  private var incoming: IncomingMessage?
  private var errorBytes: [UInt8] = []
  private var isErrorOutputOpen = true

  package var processID: Int32 { child.processID }

  /// Starts the program with these `variables`, and waits until it is ready and in its sandbox.
  package init(
    _ role: HelperRole, program: String, environment: [String: String], variables: Set<String>,
    setup: [UInt8], payload: [Data] = [], within seconds: Double,
    isCancelled: () -> Bool = { false }
  ) throws(WorkerFailure) {
    ChildProcess.prepareSignals()
    var environment = environment.filter {
      $0.key.hasPrefix("SITEGEN_TEST_") || variables.contains($0.key)
    }
    // A process that crashed must die at once: the backtracer would hold it for seconds.
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
      jail = Jail(rawValue: layers)
      hello = reply.head.dropFirst()
    case .refusal:
      throw .refused(String(decoding: reply.head.prefix(4_096), as: UTF8.self).plain)
    default: throw .garbled
    }
  }

  deinit { end() }

  /// Kills it and takes its exit status.
  package func end() {
    ending.withLock { $0 = $0 ?? child.end() }
  }

  /// From here on the kernel ends it when it has used so many seconds more.
  func allow(processorSeconds: Int) { child.allow(processorSeconds: processorSeconds) }

  // MARK: - Sending

  /// Sends a message; what the pipe does not take now goes with the next `receive`.
  package func send(
    _ kind: MessageHeader.Kind, head: [UInt8] = [], payload: [Data] = []
  ) {
    let pieces = MessageHeader.message(kind, head: head, payload: payload)
    outgoing.withLock { outgoing in
      if outgoing.pieces.isEmpty { outgoing.moved = .now }
      outgoing.pieces += pieces.filter { !$0.isEmpty }
      flush(&outgoing)
    }
  }

  /// How long it has taken nothing of what was sent.
  package var stalled: Duration {
    outgoing.withLock { $0.pieces.isEmpty ? .zero : SuspendingClock.now - $0.moved }
  }

  private func flush(_ outgoing: inout Outgoing) {
    while let piece = outgoing.pieces.first {
      switch unsafe piece.withUnsafeBytes({ unsafe child.input.write($0) }) {
      case .success(piece.count): outgoing.pieces.removeFirst()
      case .success(let count): outgoing.pieces[0] = piece.dropFirst(count)
      // It reads no more; what it wrote before, or how it died, shows why.
      case .failure: outgoing.pieces = []
      case nil: return
      }
      outgoing.moved = .now
    }
  }

  // MARK: - Receiving

  /// Sends one message and waits for the answer; after a throw the process is of no more use.
  ///
  /// A process that has used a twentieth of the `seconds` on a processor gets as many again, up to
  /// `processorSeconds` in all, since a busy machine must not decide about a picture.
  func exchange(
    _ kind: MessageHeader.Kind, head: [UInt8], payload: [Data], answerLimit: Int,
    within seconds: Double, orWhileItWorks processorSeconds: Int = 0,
    isTooLarge: (() -> Bool)? = nil, isCancelled: () -> Bool
  ) throws(WorkerFailure) -> IncomingMessage {
    send(kind, head: head, payload: payload)
    // Not the continuous clock: a machine that slept has not worked.
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
        // The kernel should have ended it; it can hold that signal back.
        guard used - first <= Double(processorSeconds + 1) else { throw .timedOut }
        deadline = .now + .seconds(seconds)
        continue
      }
      let slice = Double(isTooLarge == nil ? Self.slice : Self.shortSlice)
      let time = Int32(min(left / .milliseconds(1), slice).rounded(.up))
      if let reply = try receive(limit: answerLimit, within: time) {
        // It was asked for one answer: bytes behind it are a fault.
        guard unread.isEmpty else { throw .garbled }
        return reply
      }
    }
  }

  /// Reads and writes what it can within that time; returns a message as soon as one is whole.
  package func receive(
    limit: Int, within milliseconds: Int32
  ) throws(WorkerFailure) -> IncomingMessage? {
    if unread.isEmpty, try !readSome(within: milliseconds) { return nil }
    var message = incoming.take() ?? IncomingMessage(limit: limit)
    do { try message.take(&unread) } catch { throw .garbled }
    // Else the next read would copy the buffer.
    if unread.isEmpty { unread = [] }
    if message.isWhole { return message }
    incoming = message
    return nil
  }

  /// False when nothing came.
  private func readSome(within milliseconds: Int32) throws(WorkerFailure) -> Bool {
    let isSending = outgoing.withLock { !$0.pieces.isEmpty }
    // poll skips negative descriptors.
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

  /// Reads once: a process that writes without end must not keep us beyond the deadline.
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
    // Most often it is dead already; one that only closed its output is not worth waiting for.
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
