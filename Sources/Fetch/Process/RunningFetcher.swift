import Files
import Foundation
import Glibc

/// One child that runs.
///
/// Sendable: descriptors never change, the sender holds the link's lock, one thread reads, and a
/// lock of its own guards the end.
final class RunningFetcher: @unchecked Sendable {
  /// Bytes of stderr that are kept.
  private static let errorLimit = 4_096

  let processID: Int32
  private let child: ChildProcess
  private let ending = Guarded<ChildProcess.Ending?>(nil)
  private var errorBytes: [UInt8] = []

  init(_ child: ChildProcess) {
    self.child = child
    processID = child.processID
  }

  /// Kills it, if it still runs.
  func end() {
    ending.withLock { ending in ending = ending ?? child.end() }
  }

  /// Sends a whole command; false when the child does not take it within so many milliseconds.
  func send(_ command: FetcherCommand, patience: Int32) -> Bool {
    guard var rest = FetcherFrame.bytes(command) else { return false }
    while !rest.isEmpty {
      switch unsafe rest.withUnsafeBytes({ unsafe child.input.write($0) }) {
      case .success(let count): rest = rest.dropFirst(count)
      // It reads no more: how it ended tells why.
      case .failure(let broken): return broken.code == EPIPE
      case nil:
        var polled = pollfd(fd: child.input.number, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&polled, 1, patience) > 0 else { return false }
      }
    }
    return true
  }

  /// Reads until the child ends, sends nonsense, or `take` returns false; tells how it ended.
  func readAll(_ take: (FetcherEvent, ArraySlice<UInt8>) -> Bool) -> String {
    var frames = FetcherFrames<FetcherEvent>()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var hasErrorOutput = true
    while true {
      // poll skips negative descriptors.
      var polled = [child.output.number, hasErrorOutput ? child.errorOutput.number : -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      _ = unsafe poll(&polled, 2, -1)
      if polled[1].revents != 0 { hasErrorOutput = readErrorOutput(&buffer) }
      if polled[0].revents == 0 { continue }
      switch child.output.read(into: &buffer) {
      case .nothing: continue
      case .end, .failed: return words(&buffer)
      case .bytes(let count): frames.append(buffer[..<count])
      }
      do {
        while let (event, payload) = try frames.next() {
          guard take(event, payload) else { throw FetcherFrames<FetcherEvent>.Malformed() }
        }
      } catch {
        end()
        return "did not speak as one of ours"
      }
    }
  }

  /// False at the end of it.
  private func readErrorOutput(_ buffer: inout [UInt8]) -> Bool {
    switch child.errorOutput.read(into: &buffer) {
    case .bytes(let count):
      errorBytes.append(contentsOf: buffer[..<min(count, Self.errorLimit - errorBytes.count)])
      return true
    case .nothing: return true
    case .end, .failed: return false
    }
  }

  private func words(_ buffer: inout [UInt8]) -> String {
    let ending = ending.withLock { ending in
      ending = ending ?? child.endingByItself(within: 0.5) ?? child.end()
      return ending
    }
    _ = readErrorOutput(&buffer)
    let line = errorBytes.prefix { $0 >= 0x20 }
    let message = line.isEmpty ? "" : ": \(String(decoding: line, as: UTF8.self))"
    return switch ending {
    case .exited(let code): "ended with status \(code)\(message)"
    case .killed(let signal): "was ended by signal \(signal)"
    case .unknown, nil: "ended"
    }
  }
}

/// What somebody waits for.
///
/// Sendable: after it is open, only the thread that reads uses the body.
final class OpenRequest: @unchecked Sendable {
  enum Ending: Sendable {
    case answer(FetchAnswer)
    case service(ServiceRecords.Answer)
  }

  let end: @Sendable (Ending) -> Void
  private var body: BodySink?
  private var failure: FetchFailure?

  init(_ end: @escaping @Sendable (Ending) -> Void) { self.end = end }

  /// Takes a piece of the body, the first one in place of an earlier body; false when it is too long.
  func append(_ piece: ArraySlice<UInt8>, isFirst: Bool, _ settings: FetchSettings) -> Bool {
    var body = isFirst ? nil : self.body.take()
    if body == nil { body = BodySink(folder: settings.spool) }
    guard (body?.count ?? 0) + piece.count <= settings.bytes else { return false }
    do throws(FileError) {
      try unsafe piece.withUnsafeBufferPointer { (bytes) throws(FileError) in
        try unsafe body?.append(UnsafeRawBufferPointer(bytes))
      }
    } catch {
      failure = FetchFailure(.spoolFailed, "cannot put it down here: \(error.explanation)")
    }
    self.body = body.take()
    return true
  }

  /// The outcome of an answer, after the whole body has come.
  func outcome(_ fields: HTTPFields) -> FetchAnswer.Outcome {
    if let failure { return .failed(failure) }
    guard let body = body.take() else { return .failed(FetchFailure(.empty, "no body came")) }
    return .fetched(body.finish(), fields)
  }
}
