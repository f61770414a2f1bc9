import Bytes
import CLinux
import Files
import Foundation
import Glibc
import Recipes

/// A warm worker process, seen from the build.
///
/// `@unchecked Sendable`: it travels between threads only through the pool's lock, and only the thread
/// that took it from the pool uses it until it is back.
final class Worker: @unchecked Sendable {
  let fingerprint: WorkerFingerprint
  /// Which layers of its jail the kernel gave it.
  let jail: Jail
  private let child: ChildProcess
  /// The kernel's count of its memory.
  private let statm: Descriptor
  private let limits: WorkerLimits
  private let requests = RequestWriter()
  private let channel: MessageChannel
  private var jobs = 0
  /// The pool's epoch when this worker started.
  var epoch = 0

  var processID: Int32 { child.processID }

  /// Starts the program and waits until its coders are loaded and its policy is proven.
  init(
    program: String, environment: [String: String], limits: WorkerLimits,
    draws: Bool, resources: [String: Data], isCancelled: () -> Bool
  ) throws(WorkerFailure) {
    self.limits = limits
    do {
      child = try ChildProcess(
        program: program, arguments: [program, Version.current, "pictures"],
        environment: environment)
    } catch {
      throw .cannotStart(error.text)
    }
    statm = Descriptor(
      adopting: unsafe open("/proc/\(child.processID)/statm", O_RDONLY | O_CLOEXEC))
    channel = MessageChannel(to: child)
    let setup = Setup(limits, draws: draws, resources: resources)
    let reply = try channel.exchange(
      .setup, head: setup.head, payload: setup.payload, answerLimit: 1 << 20,
      within: limits.startSeconds, isCancelled: isCancelled)
    switch reply.header?.kind {
    case .hello:
      guard let layers = reply.head.first else { throw .garbled }
      jail = Jail(rawValue: layers)
      do { fingerprint = try WorkerFingerprint(head: reply.head.dropFirst()) } catch {
        throw .garbled
      }
    case .refusal:
      throw .refused(String(decoding: reply.head.prefix(4_096), as: UTF8.self).plain)
    default:
      throw .garbled
    }
  }

  /// Sends a request and waits for its outcomes; after a throw the worker is of no more use.
  ///
  /// `bytes` are what the job was charged. Only an SVG can take more than its header says. A kernel
  /// limit would silently drop parts of the drawing, so the pool polls the worker's memory.
  func render(
    _ request: RenderRequest, within bytes: Int, isCancelled: () -> Bool
  ) throws(WorkerFailure) -> [RenderOutcome] {
    let head: [UInt8]
    // Only NaN and infinity cannot be encoded, and no frame or border has those.
    do { head = try requests.head(of: request) } catch { throw .garbled }
    let payload = request.payload
    guard head.count + payload.count <= limits.requestBytes else {
      let detail = "\(payload.count) bytes are more than a worker takes"
      return request.recipes.map { _ in .rejected(Rejection(.tooManyBytes, detail)) }
    }
    let processorSeconds = limits.processorSeconds(images: request.imageCount)
    child.allow(processorSeconds: processorSeconds)
    let resident = min(
      memory.resident + bytes - WorkerLimits.idleBytes, limits.addressSpace / 4 * 3)
    let reply = try channel.exchange(
      .request, head: head, payload: [payload],
      answerLimit: WorkerLimits.answerBytes(for: request.recipes, atMost: limits.answerBytes),
      within: limits.wallSeconds(images: request.imageCount), orWhileItWorks: processorSeconds,
      isTooLarge: request.draws ? { self.memory.resident > resident } : nil,
      isCancelled: isCancelled)
    jobs += 1
    switch reply.header?.kind {
    case .answer:
      do {
        return try AnswerMessage.outcomes(
          head: reply.head, payload: reply.payload, recipes: request.recipes)
      } catch {
        throw .garbled
      }
    case .exhausted: throw .outOfMemory
    default: throw .garbled
    }
  }

  /// Kills it and takes its exit status.
  func end() { child.end() }

  /// Whether it has done its number of jobs or keeps too much memory.
  ///
  /// A decode that fails may leave its pixels allocated: that shows in the address space, and the
  /// next large picture would find no room.
  var isSpent: Bool {
    let (space, resident) = memory
    return jobs >= limits.jobs || resident > limits.residentBytes
      || space > limits.addressSpace / 4
  }

  /// Bytes of address space and resident bytes by the kernel's count, since the worker's own word
  /// counts for little; 0 where it says nothing.
  private var memory: (space: Int, resident: Int) {
    var text = [UInt8](repeating: 0, count: 128)
    let count = unsafe pread(statm.number, &text, text.count, 0)
    guard count > 0 else { return (0, 0) }
    let fields = text[..<count].split(separator: UInt8(ascii: " "))
    guard fields.count > 1, let space = Int(String(decoding: fields[0], as: UTF8.self)),
      let resident = Int(String(decoding: fields[1], as: UTF8.self))
    else { return (0, 0) }
    return (space * Int(getpagesize()), resident * Int(getpagesize()))
  }
}

/// Sends messages to a child and reads the ones that come back, each under a deadline.
///
/// Nothing here blocks for longer than a slice, whatever the child does.
final class MessageChannel {
  /// How long a cancellation may go unnoticed, in milliseconds.
  private static let slice: Int32 = 50
  /// The same for too much memory, of which a process can fill some megabytes in that time.
  private static let shortSlice: Int32 = 4
  /// Bytes of stderr that are kept.
  private static let errorLimit = 4_096

  private let child: ChildProcess
  private var scratch = [UInt8](repeating: 0, count: 256 << 10)
  private var errorBytes: [UInt8] = []
  private var isErrorOutputOpen = true
  private var outgoing: [Data] = []
  private var incoming = IncomingMessage(limit: 0)

  init(to child: ChildProcess) { self.child = child }

  /// Sends one message and waits for the answer; after a throw the child is of no more use.
  ///
  /// A child that is at work, since it has used a twentieth of the `seconds` on a processor, gets as
  /// many again, up to `processorSeconds` in all: a machine that is busy decides about no picture.
  func exchange(
    _ kind: MessageHeader.Kind, head: [UInt8], payload: [Data], answerLimit: Int,
    within seconds: Double, orWhileItWorks processorSeconds: Int = 0,
    isTooLarge: (() -> Bool)? = nil, isCancelled: () -> Bool
  ) throws(WorkerFailure) -> IncomingMessage {
    let header = MessageHeader(
      kind, headCount: head.count, payloadCount: payload.reduce(0) { $0 + $1.count })
    // A short message is one piece, since each is written on its own.
    outgoing = [Data(header.bytes + head)] + payload
    if header.bodyCount <= 1 << 16 { outgoing = [Data(joining: outgoing)] }
    outgoing.removeAll(where: \.isEmpty)
    incoming = IncomingMessage(limit: answerLimit)
    // Between jobs no picture stays in memory.
    defer { incoming = IncomingMessage(limit: 0) }
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
      let events = wait(atMost: left, slice: isTooLarge == nil ? Self.slice : Self.shortSlice)
      if events.hasErrorOutput { readErrorOutput() }
      if events.canWrite { try writeSome() }
      if events.canRead, try readSome() { return incoming }
    }
  }

  private func writeSome() throws(WorkerFailure) {
    while let piece = outgoing.first {
      let written = unsafe piece.withUnsafeBytes { unsafe child.input.write($0) }
      switch written {
      case .success(let count) where count == piece.count: outgoing.removeFirst()
      case .success(let count): outgoing[0] = piece.dropFirst(count)
      // It reads no more; what it wrote before, or how it died, tells why.
      case .failure(let broken) where broken.code == EPIPE: outgoing = []
      // It will never have the whole message, nor answer.
      case .failure: throw failureOfClosedPipe(midMessage: true)
      case nil: return
      }
    }
  }

  /// Reads once; true when the message is whole.
  private func readSome() throws(WorkerFailure) -> Bool {
    switch child.output.read(into: &scratch) {
    case .bytes(let count):
      do { try incoming.append(scratch[..<count]) } catch { throw .garbled }
      return incoming.isWhole
    case .nothing: return false
    case .end, .failed: throw failureOfClosedPipe(midMessage: !incoming.isEmpty)
    }
  }

  /// Reads once: a child that writes without end must not keep us beyond the deadline.
  private func readErrorOutput() {
    guard isErrorOutputOpen else { return }
    switch child.errorOutput.read(into: &scratch) {
    case .bytes(let count):
      errorBytes.append(contentsOf: scratch[..<min(count, Self.errorLimit - errorBytes.count)])
    case .nothing: return
    case .end, .failed: isErrorOutputOpen = false
    }
  }

  private func failureOfClosedPipe(midMessage: Bool) -> WorkerFailure {
    // Most often it is dead already; one that only closed its output is not worth waiting for.
    let ending = child.endingByItself(within: 0.5)
    readErrorOutput()
    let message = String(decoding: errorBytes, as: UTF8.self).plain
    switch ending {
    case nil, .unknown: return .garbled
    case .killed(SIGXCPU): return .timedOut
    case .killed(SIGALRM): return .hung
    case _ where OutOfMemoryText.occurs(in: message): return .outOfMemory
    case .killed(let signal): return .crashed(signal: signal)
    case .exited(0) where midMessage: return .garbled
    case .exited(let code): return .exited(code: code, message: message)
    }
  }

  private func wait(
    atMost left: Duration, slice: Int32
  ) -> (canRead: Bool, canWrite: Bool, hasErrorOutput: Bool) {
    let milliseconds = Int32(min(left / .milliseconds(1), Double(slice)).rounded(.up))
    // poll skips negative descriptors.
    var polled = [
      pollfd(fd: child.output.number, events: Int16(POLLIN), revents: 0),
      pollfd(
        fd: outgoing.isEmpty ? -1 : child.input.number, events: Int16(POLLOUT), revents: 0),
      pollfd(
        fd: isErrorOutputOpen ? child.errorOutput.number : -1, events: Int16(POLLIN), revents: 0),
    ]
    let count = nfds_t(polled.count)
    _ = unsafe poll(&polled, count, milliseconds)
    return (polled[0].revents != 0, polled[1].revents != 0, polled[2].revents != 0)
  }
}
