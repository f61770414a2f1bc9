import Files
import Foundation
import Glibc
import Recipes

/// A warm worker process, seen from the build.
///
/// `@unchecked Sendable`: it travels between threads only through the pool's lock, and the thread
/// that checked it out is the only one that uses it until it is back.
final class Worker: @unchecked Sendable {
  let fingerprint: WorkerFingerprint
  private let child: ChildProcess
  private let limits: WorkerLimits
  private let requests = RequestWriter()
  private var scratch = [UInt8](repeating: 0, count: 256 << 10)
  private var complaints = Complaints()
  private var jobs = 0
  /// Of the pool, when this worker started.
  var epoch = 0

  var processID: Int32 { child.processID }

  /// Starts the program and waits until its coders are loaded and its policy is proven.
  init(
    program: String, environment: [String: String], limits: WorkerLimits,
    resources: [String: Data], isCancelled: () -> Bool
  ) throws(WorkerFailure) {
    self.limits = limits
    do {
      child = try ChildProcess(
        program: program, arguments: [program, "worker"], environment: environment)
    } catch {
      throw .cannotStart(error.text)
    }
    let setup = Setup(limits, resources: resources)
    let payload = setup.payload
    let head = setup.head
    let header = MessageHeader(
      .setup, headCount: head.count, payloadCount: payload.reduce(0) { $0 + $1.count })
    var exchange = Exchange(
      sending: [Data(header.bytes + head)] + payload, answerLimit: 1 << 20,
      within: limits.startSeconds)
    let reply: IncomingMessage
    do {
      reply = try exchange.run(
        with: child, scratch: &scratch, complaints: &complaints, isCancelled: isCancelled)
    } catch {
      throw Self.failure(error, of: child, complaints: &complaints, scratch: &scratch)
    }
    switch reply.header?.kind {
    case .hello:
      do { fingerprint = try WorkerFingerprint(head: reply.head) } catch { throw .garbled }
    case .refusal:
      throw .refused(String(decoding: reply.head.prefix(4_096), as: UTF8.self).plain)
    default:
      throw .garbled
    }
  }

  /// Sends a request and waits for its outcomes; after a throw the worker has ended.
  func render(
    _ request: RenderRequest, isCancelled: () -> Bool
  ) throws(WorkerFailure) -> [RenderOutcome] {
    let reply: IncomingMessage
    let head: [UInt8]
    // Only numbers that are none cannot be written down, and no frame or border has those.
    do { head = try requests.head(of: request, limits: limits) } catch { throw .garbled }
    let payload = request.source.payload
    guard head.count + payload.count <= limits.requestBytes else {
      let detail = "\(payload.count) bytes are more than a worker takes"
      return request.recipes.map { _ in .rejected(Rejection(.tooManyBytes, detail)) }
    }
    let header = MessageHeader(.request, headCount: head.count, payloadCount: payload.count)
    var exchange = Exchange(
      sending: [Data(header.bytes + head), payload],
      answerLimit: WorkerLimits.answerBytes(for: request.recipes, atMost: limits.answerBytes),
      within: limits.wallSeconds(images: request.imageCount))
    do {
      reply = try exchange.run(
        with: child, scratch: &scratch, complaints: &complaints, isCancelled: isCancelled)
    } catch {
      throw Self.failure(error, of: child, complaints: &complaints, scratch: &scratch)
    }
    jobs += 1
    switch reply.header?.kind {
    case .answer:
      do {
        return try AnswerMessage.outcomes(
          head: reply.head, payload: reply.payload, recipes: request.recipes)
      } catch {
        child.end()
        throw .garbled
      }
    case .exhausted:
      child.end()
      throw .outOfMemory
    default:
      child.end()
      throw .garbled
    }
  }

  /// Kills it and takes its exit status.
  func end() { child.end() }

  /// Whether it has done its share or keeps too much memory.
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
    let file = Descriptor(
      adopting: unsafe open("/proc/\(child.processID)/statm", O_RDONLY | O_CLOEXEC))
    guard case .bytes(let count) = file.read(into: &scratch) else { return (0, 0) }
    let fields = scratch[..<count].split(separator: UInt8(ascii: " "))
    guard fields.count > 1, let space = Int(String(decoding: fields[0], as: UTF8.self)),
      let resident = Int(String(decoding: fields[1], as: UTF8.self))
    else { return (0, 0) }
    return (space * Int(getpagesize()), resident * Int(getpagesize()))
  }
}

extension Worker {
  /// Ends a child whose exchange failed, and says in our words why it did.
  private static func failure(
    _ failure: Exchange.Failure, of child: ChildProcess, complaints: inout Complaints,
    scratch: inout [UInt8]
  ) -> WorkerFailure {
    switch failure {
    case .cancelled:
      child.end()
      return .cancelled
    case .timedOut:
      child.end()
      return .timedOut
    case .garbled:
      child.end()
      return .garbled
    case .closed(let midMessage):
      // Most often it is dead already; one that only closed its output is not worth waiting for.
      let ending = child.endingByItself(within: 0.5)
      child.end()
      complaints.read(from: child.complaints, scratch: &scratch)
      switch ending {
      case nil, .unknown: return .garbled
      case .killed(SIGXCPU), .killed(SIGALRM): return .timedOut
      case _ where MemoryWords.occur(in: complaints.text): return .outOfMemory
      case .killed(let signal): return .crashed(signal: signal)
      case .exited(0) where midMessage: return .garbled
      case .exited(let code): return .exited(code: code, message: complaints.text)
      }
    }
  }
}
