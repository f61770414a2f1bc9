import Bytes
import Files
import Foundation
import Glibc
import Imaging
import Recipes
import Workers

/// `sitegen-worker`: requests come in on stdin, answers go out on stdout.
///
/// It runs until stdin ends, which also happens when the build dies.
enum WorkerProcess {
  /// Serves one build, and returns the exit status.
  static func run() -> Int32 {
    ProcessLimits.configureAllocator()
    do {
      var wire = try Wire.takingStandardStreams()
      try serve(&wire)
      return 0
    } catch is Wire.Closed {
      // The build ended, perhaps in the middle of a message.
      return 0
    } catch is OutOfMemory {
      // There was no memory for the request itself; the build looks for these words.
      FileHandle.standardError.write(Data("sitegen worker: out of memory\n".utf8))
      return 1
    } catch let failure as SystemFailure {
      FileHandle.standardError.write(Data("sitegen worker: \(failure.text)\n".utf8))
      return 2
    } catch {
      FileHandle.standardError.write(Data("sitegen worker: \(error)\n".utf8))
      return 2
    }
  }

  private static func serve(_ wire: inout Wire) throws {
    let setup = try wire.readSetup()
    #if DEBUG
      let fault = TestFault.armed()
    #endif
    do {
      try ProcessLimits.set(addressSpace: setup.addressSpace)
      ImagingRuntime.allowDecoding()
      try ImagingRuntime.start(draws: setup.draws)
      try OwnProcess.forbidFiles()
    } catch let refusal as ImagingRuntime.Refusal {
      return try wire.send(.refusal, head: Array(refusal.reason.utf8))
    } catch let failure as SystemFailure {
      return try wire.send(.refusal, head: Array(failure.text.utf8))
    }
    let fingerprint = WorkerFingerprint(
      text: ImagingRuntime.fingerprint(draws: setup.draws),
      files: WorkerFingerprint.filesOfThisProcess())
    let jail: Jail
    do {
      #if DEBUG
        // A gate of a test waits for a file.
        jail = TestGate.isArmed ? [] : try Jail.close(keeping: wire.numbers)
      #else
        jail = try Jail.close(keeping: wire.numbers)
      #endif
    } catch {
      return try wire.send(.refusal, head: Array("the jail: \(error.explanation)".utf8))
    }
    try wire.send(.hello, head: [jail.rawValue] + fingerprint.head)

    let resources = RenderResources(setup.resources)
    let reader = RequestReader()
    while let request = try wire.readRequest(reader, limit: setup.requestBytes) {
      ProcessLimits.beginJob()
      #if DEBUG
        fault?.strike(wire)
      #endif
      do {
        let limit = WorkerLimits.answerBytes(
          for: request.recipes, atMost: setup.answerBytes)
        let answer = AnswerMessage(try outcomes(of: request, with: resources), limit: limit)
        try wire.send(.answer, head: answer.head, payload: answer.images)
      } catch is OutOfMemory {
        try wire.send(.exhausted, head: [])
      }
      ProcessLimits.endJob()
    }
  }
}

/// The job needs more memory than there is, which says nothing about the picture.
struct OutOfMemory: Error {}

extension WorkerProcess {
  /// One outcome for each recipe; one that fails does not harm the others.
  static func outcomes(
    of request: RenderRequest, with resources: RenderResources
  ) throws(OutOfMemory) -> [RenderOutcome] {
    TestGate.pass("before-decode")
    var picture: Picture
    do throws(Rejection) {
      picture = try Picture(request.source, request.payload, resources: resources)
    } catch {
      let rejection = try judged(error)
      return request.recipes.map { _ in .rejected(rejection) }
    }
    TestGate.pass("after-decode")
    var outcomes: [RenderOutcome] = []
    outcomes.reserveCapacity(request.recipes.count)
    for recipe in request.recipes {
      do throws(Rejection) {
        outcomes.append(.image(try picture.rendered(recipe) { TestGate.pass("after-draw") }))
      } catch {
        outcomes.append(.rejected(try judged(error)))
      }
    }
    TestGate.pass("after-encode")
    return outcomes
  }
}

/// Throws where a rejection speaks of this machine's memory.
private func judged(_ rejection: Rejection) throws(OutOfMemory) -> Rejection {
  if OutOfMemoryText.occurs(in: rejection.detail) { throw OutOfMemory() }
  return rejection
}

/// The worker's ends of its two pipes.
struct Wire: ~Copyable {
  /// The build is gone.
  struct Closed: Error {}

  private let input: Descriptor
  private let output: Descriptor
  /// Bytes that came with the ones before: a small request takes one call.
  private var ahead: ArraySlice<UInt8> = []

  var numbers: [Int32] { [input.number, output.number] }

  /// Takes stdin and stdout away from the rest of this process.
  ///
  /// A coder that reads `-` finds nothing, and a library that prints does not garble an answer.
  static func takingStandardStreams() throws -> Wire {
    let input = try duplicate(STDIN_FILENO)
    let output = try duplicate(STDOUT_FILENO)
    let nothing = Descriptor(adopting: unsafe open("/dev/null", O_RDONLY | O_CLOEXEC))
    guard nothing.number >= 0 else { throw SystemFailure(call: "open /dev/null", code: errno) }
    guard dup2(nothing.number, STDIN_FILENO) >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
      throw SystemFailure(call: "dup2", code: errno)
    }
    return Wire(input: input, output: output)
  }

  private static func duplicate(_ number: Int32) throws(SystemFailure) -> Descriptor {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw SystemFailure(call: "fcntl", code: errno) }
    return Descriptor(adopting: copy)
  }

  mutating func readSetup() throws -> Setup {
    guard let header = try readHeader(limit: WorkerLimits.setupBytes), header.kind == .setup else {
      throw ByteReader.Malformed()
    }
    let head = [UInt8](try readBytes(header.headCount))
    return try Setup(head: head[...], payload: try readBytes(header.payloadCount))
  }

  /// Nil when the build wants nothing more.
  mutating func readRequest(_ reader: RequestReader, limit: Int) throws -> RenderRequest? {
    guard let header = try readHeader(limit: limit) else { return nil }
    guard header.kind == .request else { throw ByteReader.Malformed() }
    let head = [UInt8](try readBytes(header.headCount))
    return try reader.request(head: head[...], payload: try readBytes(header.payloadCount))
  }

  func send(_ kind: MessageHeader.Kind, head: [UInt8], payload: [Data] = []) throws(Closed) {
    let payloadCount = payload.reduce(0) { $0 + $1.count }
    let header = MessageHeader(kind, headCount: head.count, payloadCount: payloadCount)
    let start = Data(header.bytes + head)
    // What a pipe holds goes in one piece.
    guard start.count + payloadCount > 1 << 16 else {
      return try send(bytes: payload.reduce(start, +))
    }
    try send(bytes: start)
    for piece in payload { try send(bytes: piece) }
  }

  func send(bytes: Data) throws(Closed) {
    var rest = bytes
    while !rest.isEmpty {
      guard case .success(let count)? = unsafe rest.withUnsafeBytes({ unsafe output.write($0) })
      else { throw Closed() }
      rest = rest.dropFirst(count)
    }
  }

  private mutating func readHeader(limit: Int) throws -> MessageHeader? {
    if ahead.isEmpty {
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      guard case .bytes(let count) = input.read(into: &buffer) else { return nil }
      ahead = buffer[..<count]
    }
    let bytes = try readBytes(MessageHeader.byteCount)
    return try MessageHeader([UInt8](bytes), limit: limit)
  }

  /// Exactly `count` bytes.
  private mutating func readBytes(_ count: Int) throws -> Data {
    guard count > 0 else { return Data() }
    // Swift's own allocations end the process when there is no memory; this one can be answered.
    guard let memory = unsafe malloc(count) else { throw OutOfMemory() }
    // `filled` never exceeds `count`, so all that is read lies in the memory.
    var filled = min(count, ahead.count)
    unsafe ahead.withUnsafeBytes { bytes in
      if let first = bytes.baseAddress {
        unsafe memory.copyMemory(from: first, byteCount: filled)
      }
    }
    ahead = ahead.dropFirst(filled)
    while filled < count {
      let read = unsafe Glibc.read(input.number, memory + filled, count - filled)
      if read > 0 {
        filled += read
      } else if read == 0 || errno != EINTR {
        unsafe free(memory)
        throw Closed()
      }
    }
    // After the reads, since a short Data copies its bytes and frees the memory at once.
    return unsafe Data(bytesNoCopy: memory, count: count, deallocator: .free)
  }
}
