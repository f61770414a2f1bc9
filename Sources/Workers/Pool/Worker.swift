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
  private let child: ChildProcess
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
    resources: [String: Data], isCancelled: () -> Bool
  ) throws(WorkerFailure) {
    self.limits = limits
    do {
      child = try ChildProcess(
        program: program, arguments: [program, "worker"], environment: environment)
    } catch {
      throw .cannotStart(error.text)
    }
    channel = MessageChannel(to: child)
    let setup = Setup(limits, resources: resources)
    let reply = try channel.exchange(
      .setup, head: setup.head, payload: setup.payload, answerLimit: 1 << 20,
      within: limits.startSeconds, isCancelled: isCancelled)
    switch reply.header?.kind {
    case .hello:
      do { fingerprint = try WorkerFingerprint(head: reply.head) } catch { throw .garbled }
    case .refusal:
      throw .refused(String(decoding: reply.head.prefix(4_096), as: UTF8.self).plain)
    default:
      throw .garbled
    }
  }

  /// Sends a request and waits for its outcomes; after a throw the worker is of no more use.
  func render(
    _ request: RenderRequest, isCancelled: () -> Bool
  ) throws(WorkerFailure) -> [RenderOutcome] {
    let head: [UInt8]
    // Only NaN and infinity cannot be encoded, and no frame or border has those.
    do { head = try requests.head(of: request, limits: limits) } catch { throw .garbled }
    let payload = request.payload
    guard head.count + payload.count <= limits.requestBytes else {
      let detail = "\(payload.count) bytes are more than a worker takes"
      return request.recipes.map { _ in .rejected(Rejection(.tooManyBytes, detail)) }
    }
    let reply = try channel.exchange(
      .request, head: head, payload: [payload],
      answerLimit: WorkerLimits.answerBytes(for: request.recipes, atMost: limits.answerBytes),
      within: limits.wallSeconds(images: request.imageCount), isCancelled: isCancelled)
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
    let file = Descriptor(
      adopting: unsafe open("/proc/\(child.processID)/statm", O_RDONLY | O_CLOEXEC))
    var text = [UInt8](repeating: 0, count: 128)
    guard case .bytes(let count) = file.read(into: &text) else { return (0, 0) }
    let fields = text[..<count].split(separator: UInt8(ascii: " "))
    guard fields.count > 1, let space = Int(String(decoding: fields[0], as: UTF8.self)),
      let resident = Int(String(decoding: fields[1], as: UTF8.self))
    else { return (0, 0) }
    return (space * Int(getpagesize()), resident * Int(getpagesize()))
  }
}
