import Bytes
import Files
import Foundation
import Glibc

/// What a child says, which a server may have taken over.
protocol FetcherAnswer: Decodable, SendableMetatype {
  /// Whether one that works could say this.
  var isSound: Bool { get }
}

/// One child that runs.
///
/// Sendable: descriptors never change, one thread reads, and locks guard what is sent and the end.
final class RunningFetcher<Answer: FetcherAnswer>: @unchecked Sendable {
  /// Bytes of stderr that are kept.
  private static var errorLimit: Int { 4_096 }

  let processID: Int32
  /// Until a child that does not take a command is given up.
  private static var patience: Duration { .seconds(5) }
  /// So often `readAll` looks at the time.
  private static var tick: Duration { .milliseconds(250) }

  private let child: ChildProcess
  /// What is not sent yet; nil when it cannot be.
  private let unsent: Guarded<Data?>
  private let ending = Guarded<ChildProcess.Ending?>(nil)
  private var errorBytes: [UInt8] = []

  /// The settings, a frame, go before the first command.
  init(_ child: ChildProcess, settings: Data) {
    self.child = child
    unsent = Guarded(settings)
    processID = child.processID
  }

  /// Kills it, if it still runs.
  func end() {
    ending.withLock { ending in ending = ending ?? child.end() }
  }

  /// Sends a whole command; false when the child does not take it, and is of no use any more.
  func send(_ command: some Encodable, payload: Data = Data()) -> Bool {
    unsent.withLock { unsent in
      guard var rest = unsent, let bytes = FetcherFrame.bytes(command, payload: payload) else {
        return false
      }
      rest += bytes
      // Part of it may be sent: nothing can follow.
      unsent = nil
      guard write(rest, until: SuspendingClock.now + Self.patience) else { return false }
      unsent = Data()
      return true
    }
  }

  private func write(_ bytes: Data, until deadline: SuspendingClock.Instant) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      switch unsafe rest.withUnsafeBytes({ unsafe child.input.write($0) }) {
      case .success(let count): rest = rest.dropFirst(count)
      // It reads no more: how it ended tells why.
      case .failure(let broken): return broken.code == EPIPE
      case nil:
        let left = (deadline - SuspendingClock.now).milliseconds
        var polled = pollfd(fd: child.input.number, events: Int16(POLLOUT), revents: 0)
        guard left > 0, unsafe poll(&polled, 1, Int32(left)) != 0 || errno == EINTR else {
          return false
        }
      }
    }
    return true
  }

  /// Reads on a thread of its own, and calls `lost` in the end; the child ends where the system grants none.
  func startReading(
    _ name: String, isLate: @escaping @Sendable (Duration) -> Bool,
    take: @escaping @Sendable (Answer, ArraySlice<UInt8>) -> Bool,
    lost: @escaping @Sendable (_ words: String) -> Void
  ) throws(FileError) {
    do throws(FileError) {
      try OwnThread.start(name) { [self] in lost(readAll(isLate: isLate, take)) }
    } catch {
      end()
      throw error
    }
  }

  /// Reads until the child ends, sends nonsense, `take` returns false, or `isLate` true; tells how it
  /// ended.
  ///
  /// `isLate` gets the time since its last call, without pauses of this process.
  private func readAll(
    isLate: (Duration) -> Bool, _ take: (Answer, ArraySlice<UInt8>) -> Bool
  ) -> String {
    var frames = FetcherFrames<Answer>()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var hasErrorOutput = true
    var looked = SuspendingClock.now
    while true {
      // poll skips negative descriptors.
      var polled = [child.output.number, hasErrorOutput ? child.errorOutput.number : -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      _ = unsafe poll(&polled, 2, Int32(Self.tick.milliseconds))
      if polled[1].revents != 0 { hasErrorOutput = readErrorOutput(&buffer) }
      if polled[0].revents != 0 {
        switch child.output.read(into: &buffer) {
        case .nothing: break
        case .end, .failed: return words(&buffer)
        case .bytes(let count): frames.append(buffer[..<count])
        }
        do {
          while let (event, payload) = try frames.next() {
            guard event.isSound, take(event, payload) else {
              throw FetcherFrames<Answer>.Malformed()
            }
          }
        } catch {
          end()
          return "did not speak as one of ours"
        }
      }
      let now = SuspendingClock.now
      if isLate(min(now - looked, Self.tick * 4)) {
        end()
        return "gave no answer"
      }
      looked = now
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
    let line = String(decoding: errorBytes.prefix { $0 >= 0x20 }, as: UTF8.self).plain
    let message = line.isEmpty ? "" : ": \(line)"
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
    case jail(Jail)
  }

  let end: @Sendable (Ending) -> Void
  private var body: BodySink?
  private var failure: FetchFailure?
  /// Bytes of the body.
  private(set) var count = 0

  init(_ end: @escaping @Sendable (Ending) -> Void) { self.end = end }

  /// Takes a piece of the body, the first one in place of an earlier body; false when it is too long.
  func append(_ piece: ArraySlice<UInt8>, isFirst: Bool, _ settings: FetchSettings) -> Bool {
    var body = isFirst ? nil : self.body.take()
    if body == nil { body = BodySink(folder: settings.spool) }
    count = (body?.count ?? 0) + piece.count
    guard count <= settings.bytes else { return false }
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
