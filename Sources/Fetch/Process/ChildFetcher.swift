import Bytes
import Dispatch
package import Files
import Foundation
import Workers

/// Fetches in a process of `sitegen-worker`, so that this one opens no socket.
///
/// The process starts with the first request. When it dies, open requests fail, and the next one
/// starts another process, once. It ends by `close`, or with the last reference to the fetcher.
package final class ChildFetcher: Sendable {
  package typealias Report = @Sendable (FetchAnswer) -> Void

  /// Cancels a request: its caller gets no answer from then on.
  package typealias Ticket = @Sendable () -> Void

  /// How long builds that follow each other share a process.
  private static let age = Duration.seconds(120)
  /// How often a process is started.
  private static let starts = 2
  /// How long a process may leave messages in its pipe.
  private static let patience = Duration.seconds(5)
  /// How often the reader checks the time.
  private static let tick = Duration.milliseconds(250)

  private struct State {
    var helper: HelperProcess?
    var starts = 0
    var started = ContinuousClock.now
    var isClosed = false
    var last = 0
    var open: [Int: OpenRequest] = [:]
    /// The ids of open requests, so that equal requests join them.
    var numbers: [FetchRequest: Int] = [:]
    /// How long none of them has ended, less `silencePerAnswer` for each that has.
    var silence = Duration.zero
    /// Why nothing more is started.
    var failure = FetchFailure(.notStarted, "")

    /// Forgets the process; returns the requests that were open.
    mutating func drop() -> [OpenRequest] {
      defer { (helper, open, numbers) = (nil, [:], [:]) }
      return open.keys.sorted().compactMap { open[$0] }
    }
  }

  private let settings: FetchSettings
  private let program: String
  private let environment: [String: String]
  private let state = Locked(State())
  /// Held while a process starts, which can take long; `state` is not, so that `close` ends the start.
  private let starting = Locked(())

  /// The program is `sitegen-worker`.
  package init(
    _ settings: FetchSettings, program: String,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.settings = settings
    self.program = URL(fileURLWithPath: program).path
    self.environment = environment
  }

  deinit { close() }

  /// The process id; nil while there is none.
  package var processID: Int32? { state.withLock { $0.helper?.processID } }

  /// The layers of the process's jail; starts it.
  ///
  /// The kernel gives the same to the next one, if this one dies.
  package func jail(isCancelled: () -> Bool) throws(FetchFailure) -> Jail {
    try running(isCancelled).jail
  }

  /// Whether a new one should take over: it has died too often, or it is idle and so old that the
  /// machine may have other name servers by now.
  package var isOutdated: Bool {
    state.withLock { state in
      if state.starts == 0 || !state.open.isEmpty { return false }
      if state.helper == nil { return state.starts >= Self.starts }
      return ContinuousClock.now - state.started > Self.age
    }
  }

  /// Ends the process at once; all open requests fail as cancelled.
  package func close() {
    let (helper, open) = state.withLock { state in
      state.isClosed = true
      return (state.helper, state.drop())
    }
    helper?.end()
    for request in open { report(request, FetchAnswer(.failed(.closed))) }
  }

  // MARK: - Asking

  /// Begins a request, or joins an equal one that is open; `report` gets the answer once, on any thread.
  ///
  /// The first request waits until the process is ready, unless `isCancelled` returns true.
  package func begin(
    _ request: FetchRequest, isCancelled: () -> Bool = { false }, report: @escaping Report
  ) -> Ticket {
    var request = request
    // It would fit into no message.
    if request.url.utf8.count > FetchRequest.longestAddress { request.url = "" }
    do throws(FetchFailure) {
      let helper = try running(isCancelled)
      let (open, caller) = try state.withLock { (state) throws(FetchFailure) in
        try join(request, report, helper, &state)
      }
      return { [self] in leave(open, caller) }
    } catch {
      report(FetchAnswer(.failed(error)))
      return {}
    }
  }

  private func join(
    _ request: FetchRequest, _ report: @escaping Report, _ helper: HelperProcess,
    _ state: inout State
  ) throws(FetchFailure) -> (OpenRequest, caller: Int) {
    // It may have ended meanwhile.
    guard state.helper === helper else { throw state.isClosed ? .closed : state.failure }
    state.last += 1
    let caller = state.last
    if let id = state.numbers[request], let open = state.open[id] {
      open.callers.append((caller, report))
      return (open, caller)
    }
    if state.open.isEmpty { state.silence = .zero }
    let open = OpenRequest(request, (caller, report))
    state.open[caller] = open
    state.numbers[request] = caller
    helper.send(.request, head: NetworkMessage.head(caller, request))
    return (open, caller)
  }

  /// A caller that leaves gets no answer; when the last one leaves, the request ends.
  private func leave(_ open: OpenRequest, _ caller: Int) {
    state.withLock { state in
      open.callers.removeAll { $0.number == caller }
      guard open.callers.isEmpty, let id = state.numbers[open.request], state.open[id] === open
      else { return }
      remove(id, &state)
      state.helper?.send(.cancel, head: NetworkMessage.head(id))
    }
  }

  /// Answers all callers that have not left, one by one, after the request is no longer open.
  private func report(_ request: OpenRequest, _ answer: FetchAnswer) {
    while let caller = state.withLock({ _ in
      request.callers.isEmpty ? nil : request.callers.removeFirst()
    }) { caller.report(answer) }
  }

  private func remove(_ id: Int, _ state: inout State) {
    guard let request = state.open.removeValue(forKey: id)?.request else { return }
    state.numbers[request] = nil
    state.silence = max(state.silence - settings.silencePerAnswer, .zero)
  }

  /// The process; starts it if there is none.
  private func running(_ isCancelled: () -> Bool) throws(FetchFailure) -> HelperProcess {
    try starting.withLock { _ throws(FetchFailure) in
      let known = try state.withLock { (state) throws(FetchFailure) -> HelperProcess? in
        if state.isClosed { throw .closed }
        if state.helper == nil {
          guard state.starts < Self.starts else { throw state.failure }
          state.starts += 1
          state.started = .now
        }
        return state.helper
      }
      if let known { return known }
      do throws(FetchFailure) {
        let helper = try start { isCancelled() || state.withLock(\.isClosed) }
        try state.withLock { (state) throws(FetchFailure) in
          if state.isClosed { throw .closed }
          state.helper = helper
        }
        read(from: helper)
        return helper
      } catch {
        state.withLock { state in
          state.helper = nil
          state.failure = error
          // It did not fail.
          if error == .closed { state.starts -= 1 }
        }
        throw error
      }
    }
  }

  private func start(_ isCancelled: () -> Bool) throws(FetchFailure) -> HelperProcess {
    var settings = settings
    // The process writes no files, and its working directory is `/`.
    settings.spool = ""
    settings.certificates = settings.certificates.map { URL(fileURLWithPath: $0).path }
    let setup = NetworkMessage.json(settings)
    guard setup.count <= NetworkMessage.limit else {
      throw FetchFailure(.notStarted, "`network` in the manifest takes more than 1 MiB")
    }
    // What libc and our choice of a proxy read.
    let proxies = settings.proxy == .environment ? ProxyChoice.variables : []
    do throws(WorkerFailure) {
      return try HelperProcess(
        .network, program: program, environment: environment,
        variables: proxies.union(["RES_OPTIONS", "LOCALDOMAIN"]), setup: setup,
        within: WorkerLimits.standard.startSeconds, isCancelled: isCancelled)
    } catch .cancelled {
      throw .closed
    } catch {
      throw FetchFailure(.notStarted, "the process that fetches \(error.ending)")
    }
  }

  /// On a private queue, since a thread that waits must not be one of the shared ones.
  private func read(from helper: HelperProcess) {
    DispatchQueue(label: "sitegen.fetch").async { [weak self] in
      var looked = SuspendingClock.now
      while true {
        let received = Result { () throws(WorkerFailure) in
          try helper.receive(
            limit: NetworkMessage.limit, within: Int32(Self.tick.milliseconds))
        }
        let now = SuspendingClock.now
        guard let self, take(received, from: helper, after: now - looked) else { break }
        looked = now
      }
      helper.end()
    }
  }

  // MARK: - On the reader's queue

  /// False if the process cannot be used any longer; then all open requests fail.
  private func take(
    _ received: Result<IncomingMessage?, WorkerFailure>, from helper: HelperProcess,
    after time: Duration
  ) -> Bool {
    var failure: WorkerFailure?
    switch received {
    case .success(let message):
      if let message, (try? understand(message, from: helper)) != true { failure = .garbled }
    case .failure(let error): failure = error
    }
    // Pauses of this process do not count.
    let isStalled = time <= Self.tick * 4 && helper.stalled > Self.patience
    if isLate(min(time, Self.tick * 4)) || isStalled {
      failure = failure ?? .hung
    }
    guard let failure else { return state.withLock { $0.helper === helper } }
    let reason = FetchFailure(.notStarted, "the process that fetches \(failure.ending)")
    let open = state.withLock { state -> [OpenRequest] in
      guard state.helper === helper else { return [] }
      state.failure = reason
      return state.drop()
    }
    helper.end()
    for request in open { report(request, FetchAnswer(.failed(reason))) }
    return false
  }

  /// Whether a healthy process would have answered by now; pieces of bodies do not count as answers.
  private func isLate(_ time: Duration) -> Bool {
    state.withLock { state in
      state.silence += time
      return !state.open.isEmpty
        && state.silence > settings.longestSilence(open: state.open.count)
    }
  }

  /// False when the process breaks its limits.
  private func understand(_ message: IncomingMessage, from helper: HelperProcess) throws -> Bool {
    var head = message.head
    let id = try NetworkMessage.id(&head)
    guard let isFirst = head.popFirst() else { return false }
    let request = state.withLock { $0.helper === helper ? $0.open[id] : nil }
    switch message.header?.kind {
    case .piece:
      guard let request else { return true }
      // No more bodies grow at once than requests run, however many are open.
      return request.append(message.payload, isFirst: isFirst != 0, settings)
        && state.withLock { $0.open.values.reduce(0) { $0 + $1.count } }
          <= settings.bytes * settings.overall
    case .answer:
      let reply = try NetworkMessage.decode(FetchReply.self, head)
      guard reply.isSound else { return false }
      guard let request else { return true }
      let outcome: FetchAnswer.Outcome
      switch reply.outcome {
      case .notModified(let fields): outcome = .notModified(fields)
      case .failed(let failure): outcome = .failed(failure)
      case .fetched(let fields):
        guard request.append(message.payload, isFirst: isFirst != 0, settings) else { return false }
        outcome = request.outcome(fields)
      }
      state.withLock { remove(id, &$0) }
      report(request, FetchAnswer(outcome, cost: reply.cost))
      return true
    default: return false
    }
  }
}

// MARK: - Many at once

extension ChildFetcher {
  /// Fetches many things, and hands out the answers as they come.
  ///
  /// - Parameters:
  ///   - requests: What to fetch.
  ///   - isCancelled: Asked every 50 ms, and while the process starts.
  ///   - receive: Gets all answers that have come meanwhile, by the indices of their requests, on
  ///     this thread; what it throws ends all.
  /// - Throws: `CancellationError`, or what `receive` throws; no request is open any more then.
  package func all(
    _ requests: [FetchRequest], isCancelled: () -> Bool = { false },
    receive: ([(index: Int, answer: FetchAnswer)]) throws -> Void
  ) throws {
    // More than the engine runs at once, so that silent hosts hold up few others; but not all,
    // since their answers wait here in memory.
    let atOnce = 256
    let came = Locked<[(index: Int, answer: FetchAnswer)]>([])
    let arrival = DispatchSemaphore(value: 0)
    var tickets: [Int: Ticket] = [:]
    defer { for cancel in tickets.values { cancel() } }
    var next = 0
    var open = 0
    while next < requests.count || open > 0 {
      if isCancelled() { throw CancellationError() }
      while next < requests.count, open < atOnce {
        let index = next
        tickets[index] = begin(requests[index], isCancelled: isCancelled) { answer in
          came.withLock { $0.append((index, answer)) }
          arrival.signal()
        }
        next += 1
        open += 1
      }
      _ = arrival.wait(timeout: .now() + .milliseconds(50))
      let answers = came.withLock { came in
        defer { came = [] }
        return came
      }
      for (index, _) in answers { tickets[index] = nil }
      open -= answers.count
      if !answers.isEmpty { try receive(answers) }
    }
  }
}

/// A request that callers wait for.
///
/// `@unchecked Sendable`: callers are used under the fetcher's lock, the body only by the thread that
/// reads.
private final class OpenRequest: @unchecked Sendable {
  let request: FetchRequest
  var callers: [(number: Int, report: ChildFetcher.Report)]
  private var body: BodySink?
  private var failure: FetchFailure?
  /// Bytes of the body.
  private(set) var count = 0

  init(_ request: FetchRequest, _ caller: (Int, ChildFetcher.Report)) {
    self.request = request
    callers = [caller]
  }

  /// Takes a piece of the body, the first one in place of an earlier body; false when it is too long.
  func append(_ piece: ArraySlice<UInt8>, isFirst: Bool, _ settings: FetchSettings) -> Bool {
    var body = isFirst ? nil : self.body.take()
    if body == nil { body = BodySink(folder: settings.spool) }
    count = (body?.count ?? 0) + piece.count
    guard count <= settings.bytes else { return false }
    do throws(FileError) {
      try body?.append(piece)
    } catch {
      failure = FetchFailure(.spoolFailed, "cannot write the body to a file: \(error.explanation)")
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
