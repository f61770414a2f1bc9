import Dispatch
import Files
package import Foundation

/// Asks for objects through a child process, so that this one opens no socket.
///
/// Threads may ask at once, and each waits for its answer. The process starts with the first request,
/// once more when it has died, and ends by `close` or when nobody holds the link.
package final class ObjectLink: Sendable {
  private typealias Child = RunningFetcher<ObjectEvent>

  /// How often a child is started.
  private static let starts = 2
  /// How much later than it must be an answer may come.
  private static let margin = Duration.seconds(30)
  /// Bytes of bodies that are on their way at once, if it is more than one.
  private static let room = 128 << 20

  private struct State {
    var running: Child?
    var starts = 0
    var isClosed = false
    var last = 0
    var open: [Int: OpenObject] = [:]
    /// Why nothing more is started.
    var words = ""
  }

  private let origin: ObjectOrigin
  private let program: String
  private let state = Guarded(State())
  private let gate = ByteGate(room: ObjectLink.room)
  private let isCancelled: @Sendable () -> Bool

  /// The program is `sitegen-fetcher`; nobody waits for it once it `isCancelled`.
  package init(
    _ origin: ObjectOrigin, program: String, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    ChildProcess.prepareSignals()
    self.origin = origin
    self.isCancelled = isCancelled
    // The child stands in another folder.
    self.program = URL(fileURLWithPath: program).path
  }

  deinit { close() }

  /// The child's process id; nil while there is none.
  package var processID: Int32? { state.withLock { $0.running?.processID } }

  package func ask(_ request: ObjectRequest, body: Data = Data()) -> ObjectAnswer {
    gate.enter(body.count)
    defer { gate.leave(body.count) }
    return answer { id, running in send(request, body, as: id, to: running) }
  }

  /// The layers of the child's jail; starts it.
  package func askForJail() -> ObjectAnswer {
    answer { id, running in running.send(ObjectCommand.jail(id)) }
  }

  private func answer(to send: (Int, Child) -> Bool) -> ObjectAnswer {
    let object = OpenObject()
    let (id, running) = state.withLock { state -> (Int, Child?) in
      state.last += 1
      let running = start(&state)
      if running == nil {
        object.end(.failed(state.words, isLasting: true))
      } else {
        state.open[state.last] = object
      }
      return (state.last, running)
    }
    // Not under the lock, since the child may be slow to take it.
    if let running, !send(id, running) {
      running.end()
      // The reader tells the others.
      if state.withLock({ $0.open.removeValue(forKey: id) }) != nil {
        object.end(.failed("the process that asks the store takes no request", isLasting: false))
      }
    }
    while true {
      if let answer = object.wait(for: .milliseconds(100)) { return answer }
      if isCancelled() {
        _ = state.withLock { $0.open.removeValue(forKey: id) }
        return .failed("nobody waits any more", isLasting: false)
      }
    }
  }

  private func send(_ request: ObjectRequest, _ body: Data, as id: Int, to running: Child) -> Bool {
    var rest = body[...]
    while rest.count > FetcherFrame.piece {
      guard running.send(ObjectCommand.piece(id), payload: rest.prefix(FetcherFrame.piece)) else {
        return false
      }
      rest = rest.dropFirst(FetcherFrame.piece)
    }
    return running.send(ObjectCommand.ask(id, request), payload: rest)
  }

  /// Nil when nothing more is started.
  private func start(_ state: inout State) -> Child? {
    if let running = state.running { return running }
    guard !state.isClosed, state.starts < Self.starts,
      let frame = FetcherFrame.bytes(ObjectCommand.origin(origin))
    else { return nil }
    state.starts += 1
    let running: Child
    do throws(SystemFailure) {
      running = Child(
        try ChildProcess(
          program: program, arguments: [program, Version.current, "objects"],
          // A process that crashed must die at once: the backtracer would hold it for seconds.
          environment: ["SWIFT_BACKTRACE": "enable=no"]),
        settings: frame)
    } catch {
      state.words = "the process that asks the store: \(error.text)"
      return nil
    }
    do throws(FileError) {
      try running.startReading("sitegen.objects") { [weak self] in
        self?.isLate($0) ?? false
      } take: { [weak self] event, payload in
        self?.take(event, payload, from: running) ?? false
      } lost: { [weak self] words in
        self?.lose(running, words)
      }
    } catch {
      state.words = "a thread for the store: \(error.explanation)"
      return nil
    }
    state.running = running
    return running
  }

  // MARK: - Ends

  /// Ends everything at once.
  package func close() {
    let running = state.withLock { state in
      (state.isClosed, state.words) = (true, "the store is closed")
      return state.running
    }
    if let running {
      running.end()
      lose(running, "was closed")
    }
  }

  /// The child is of no more use; all that is open fails.
  private func lose(_ running: Child, _ words: String) {
    let open = state.withLock { state -> [Int: OpenObject] in
      guard state.running === running else { return [:] }
      if !state.isClosed { state.words = "the process that asks the store \(words)" }
      defer { (state.running, state.open) = (nil, [:]) }
      return state.open
    }
    for object in open.values {
      object.end(.failed("the process that asks the store \(words)", isLasting: false))
    }
  }

  // MARK: - On the reader's thread

  /// The child ends each request in its time.
  private func isLate(_ time: Duration) -> Bool {
    state.withLock { state in
      for object in state.open.values { object.age += time }
      return state.open.values.contains { $0.age > origin.time + Self.margin }
    }
  }

  /// False when this child is not the one that is used any more, or breaks its limits.
  private func take(
    _ event: ObjectEvent, _ payload: ArraySlice<UInt8>, from running: Child
  ) -> Bool {
    func end(_ id: Int, _ answer: ObjectAnswer) {
      state.withLock { $0.open.removeValue(forKey: id) }?.end(answer)
    }
    switch event {
    case .piece(let id), .done(let id):
      guard let object = state.withLock({ $0.open[id] }) else { return true }
      object.bytes.append(contentsOf: payload)
      guard object.bytes.count <= origin.bytes else { return false }
      if case .done = event { end(id, .done(object.bytes)) }
    case .none(let id): end(id, .none)
    case .jail(let id, let jail): end(id, .jail(jail))
    case .failed(let id, let words, let isLasting): end(id, .failed(words, isLasting: isLasting))
    }
    return state.withLock { $0.running === running }
  }
}

/// What a thread waits for.
///
/// Sendable: only the thread that reads uses the bytes and the age, and a semaphore is between it and
/// the one that takes the answer.
private final class OpenObject: @unchecked Sendable {
  var bytes = Data()
  /// Since it was asked for, without pauses of this process.
  var age = Duration.zero
  private var answer = ObjectAnswer.none
  private let arrival = DispatchSemaphore(value: 0)

  func end(_ answer: ObjectAnswer) {
    self.answer = answer
    arrival.signal()
  }

  /// Nil when none has come in that time.
  func wait(for time: DispatchTimeInterval) -> ObjectAnswer? {
    arrival.wait(timeout: .now() + time) == .success ? answer : nil
  }
}

/// Lets bodies in as long as there is room, and one that is larger alone.
private final class ByteGate: @unchecked Sendable {
  private let condition = NSCondition()
  private let room: Int
  /// Used only under the condition's lock, which makes the class sendable.
  private var taken = 0

  init(room: Int) { self.room = room }

  func enter(_ count: Int) {
    condition.lock()
    while taken > 0, taken + count > room { condition.wait() }
    taken += count
    condition.unlock()
  }

  func leave(_ count: Int) {
    condition.lock()
    taken -= count
    condition.broadcast()
    condition.unlock()
  }
}
