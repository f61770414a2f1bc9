import Bytes
import CLinux
import Files
import Foundation
import Glibc
import Recipes

/// A warm picture worker; `@unchecked Sendable`, because only one thread uses it at a time.
final class Worker: @unchecked Sendable {
  let fingerprint: WorkerFingerprint
  private let helper: HelperProcess
  private let limits: WorkerLimits
  private let requests = RequestWriter()
  private var jobs = 0
  var epoch = 0

  var processID: Int32 { helper.processID }

  var sandbox: Sandbox { helper.sandbox }

  /// Starts the program with only TMPDIR set, so that user settings cannot affect pixels or policy.
  init(
    program: String, environment: [String: String], limits: WorkerLimits,
    draws: Bool, resources: [String: Data], isCancelled: () -> Bool
  ) throws(WorkerFailure) {
    self.limits = limits
    let setup = Setup(limits, draws: draws, resources: resources)
    helper = try HelperProcess(
      .pictures, program: program, environment: environment, variables: ["TMPDIR"],
      setup: setup.head, payload: setup.payload, within: limits.startSeconds,
      isCancelled: isCancelled)
    do { fingerprint = try WorkerFingerprint(head: helper.hello) } catch { throw .garbled }
  }

  /// Sends a request and waits for its outcomes; the worker must not be used after an error.
  ///
  /// Only an SVG can exceed its memory estimate, `bytes`. The memory usage is polled, because under
  /// a kernel limit, librsvg would silently omit parts of the SVG.
  func render(
    _ request: RenderRequest, within bytes: Int, isCancelled: () -> Bool
  ) throws(WorkerFailure) -> [Result<RenderedImage, Rejection>] {
    let head: [UInt8]
    // Encoding fails only for NaN and infinity, and requests contain neither.
    do { head = try requests.head(of: request) } catch { throw .garbled }
    let payload = request.payload
    guard head.count + payload.count <= limits.requestBytes else {
      let detail = "the job is \(payload.count) bytes, more than a worker accepts"
      return request.recipes.map { _ in .failure(Rejection(.tooManyBytes, detail)) }
    }
    let processorSeconds = limits.processorSeconds(images: request.imageCount)
    helper.allow(processorSeconds: processorSeconds)
    let resident = min(
      memory.resident + bytes - WorkerLimits.idleBytes, limits.addressSpace / 4 * 3)
    let reply = try helper.exchange(
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

  func end() { helper.end() }

  var isSpent: Bool {
    let (space, resident) = memory
    return jobs >= limits.jobs || resident > limits.residentBytes
      || space > limits.addressSpace / 4
  }

  /// The address space and resident memory in bytes; both are 0 if unknown.
  private var memory: (space: Int, resident: Int) {
    var text = [UInt8](repeating: 0, count: 128)
    let count = unsafe pread(helper.statm.number, &text, text.count, 0)
    guard count > 0 else { return (0, 0) }
    let fields = text[..<count].split(separator: UInt8(ascii: " "))
    guard fields.count > 1, let space = Int(String(decoding: fields[0], as: UTF8.self)),
      let resident = Int(String(decoding: fields[1], as: UTF8.self))
    else { return (0, 0) }
    return (space * Int(getpagesize()), resident * Int(getpagesize()))
  }
}

/// The identity of a renderer: the same fingerprint means identical bytes for identical requests.
package struct WorkerFingerprint: Hashable, Sendable {
  package var text: String
  /// The worker's executable and shared libraries; `text` is valid until one of them changes.
  package var files: [String]

  package init(text: String, files: [String]) {
    self.text = text
    self.files = files
  }

  /// Returns whether both texts name the same renderer; one may omit the last library, librsvg.
  package func agrees(with other: String) -> Bool { text.hasPrefix(other) || other.hasPrefix(text) }
}

extension WorkerFingerprint {
  init(head: ArraySlice<UInt8>) throws(ByteReader.Malformed) {
    var reader = ByteReader(head)
    let text = try reader.readText()
    var files: [String] = []
    while !reader.isAtEnd { files.append(try reader.readText()) }
    self.init(text: text, files: files)
  }

  package var head: [UInt8] {
    var writer = ByteWriter()
    writer.write(text)
    for file in files { writer.write(file) }
    return writer.bytes
  }

  /// Returns the sorted paths of the executable and shared libraries; empty without `/proc`.
  package static func filesOfThisProcess() -> [String] {
    let maps = Descriptor(adopting: unsafe open("/proc/self/maps", O_RDONLY | O_CLOEXEC))
    // Foundation treats a short read from `/proc` as the end of the file.
    var text: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 << 10)
    while case .bytes(let count) = maps.read(into: &part) { text += part[..<count] }
    return list(text)
  }

  /// Parses lines like `55d0c8a00000-55d0c8a21000 r-xp 00002000 08:01 1234   /usr/lib/libx.so`.
  private static func list(_ maps: [UInt8]) -> [String] {
    var files: Set<String> = []
    for line in maps.split(separator: UInt8(ascii: "\n")) {
      // A line has five fields and then a path, which may contain spaces.
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count == 6, fields[1].dropFirst(2).first == UInt8(ascii: "x") else { continue }
      let path = fields[5].drop { $0 == UInt8(ascii: " ") }
      guard path.first == UInt8(ascii: "/") else { continue }
      files.insert(String(decoding: path, as: UTF8.self))
    }
    return files.sorted()
  }
}
