import Bytes
import Dispatch
package import Files
import Foundation
import Workers

/// A fetcher that uses a `sitegen-worker` process, so that this process does not open sockets.
///
/// The worker starts with the first request. If it dies, open requests fail, and the next request
/// restarts it, but only once. `close` or deinitialization ends the worker.
package final class ChildFetcher: Sendable {
  package typealias Report = @Sendable (FetchAnswer) -> Void

  /// A function that cancels a request; the request's `report` is then not called.
  package typealias Ticket = @Sendable () -> Void

  /// The maximum age of a worker that another build may reuse.
  private static let age = Duration.seconds(120)
  private static let starts = 2
  /// How long a worker may leave its pipe unread.
  private static let patience = Duration.seconds(5)
  private static let tick = Duration.milliseconds(250)

  private struct State {
    var helper: HelperProcess?
    var starts = 0
    var started = ContinuousClock.now
    var isClosed = false
    var last = 0
    var open: [Int: OpenRequest] = [:]
    /// The key in `open` for each request, so that identical requests share one response.
    var numbers: [FetchRequest: Int] = [:]
    /// The time without a response, reduced by `silencePerAnswer` for each response.
    var silence = Duration.zero
    /// The last failure, which is reported if the worker may not be started again.
    var failure = FetchFailure(.notStarted, "")

    mutating func drop() -> [OpenRequest] {
      defer { (helper, open, numbers) = (nil, [:], [:]) }
      return open.keys.sorted().compactMap { open[$0] }
    }
  }

  private let settings: FetchSettings
  private let program: String
  private let environment: [String: String]
  private let state = Locked(State())
  /// Held while a worker starts; `state` stays unlocked so that `close` can cancel the start.
  private let starting = Locked(())

  package init(
    _ settings: FetchSettings, program: String,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.settings = settings
    self.program = URL(fileURLWithPath: program).path
    self.environment = environment
  }

  deinit { close() }

  package var processID: Int32? { state.withLock { $0.helper?.processID } }

  /// Starts the worker if needed, and returns its sandbox layers, which never change.
  package func sandbox(isCancelled: () -> Bool) throws(FetchFailure) -> Sandbox {
    try running(isCancelled).sandbox
  }

  /// Whether the worker died too often, or is idle and so old that DNS settings may have changed.
  package var isOutdated: Bool {
    state.withLock { state in
      if state.starts == 0 || !state.open.isEmpty { return false }
      if state.helper == nil { return state.starts >= Self.starts }
      return ContinuousClock.now - state.started > Self.age
    }
  }

  /// Kills the worker; open requests fail as cancelled.
  package func close() {
    let (helper, open) = state.withLock { state in
      state.isClosed = true
      return (state.helper, state.drop())
    }
    helper?.end()
    for request in open { report(request, FetchAnswer(.failed(.closed))) }
  }

  /// Starts a request or joins an identical open one; `report` is called once, on any thread.
  ///
  /// Waits for the worker to start, unless `isCancelled` returns true.
  package func begin(
    _ request: FetchRequest, isCancelled: () -> Bool = { false }, report: @escaping Report
  ) -> Ticket {
    var request = request
    // Replace a URL that is too long with an empty one, which is reported as invalid.
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
    // The worker may have ended in the meantime.
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

  /// Removes a caller, which then gets no response; a request without callers is cancelled.
  private func leave(_ open: OpenRequest, _ caller: Int) {
    state.withLock { state in
      open.callers.removeAll { $0.number == caller }
      guard open.callers.isEmpty, let id = state.numbers[open.request], state.open[id] === open
      else { return }
      remove(id, &state)
      state.helper?.send(.cancel, head: NetworkMessage.head(id))
    }
  }

  /// Reports to the remaining callers without holding the lock.
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
          // Closing the fetcher while the worker starts does not count as a failed start.
          if error == .closed { state.starts -= 1 }
        }
        throw error
      }
    }
  }

  private func start(_ isCancelled: () -> Bool) throws(FetchFailure) -> HelperProcess {
    var settings = settings
    // The worker cannot write files, and needs absolute paths because it runs in `/`.
    settings.spool = ""
    settings.certificates = settings.certificates.map { URL(fileURLWithPath: $0).path }
    let setup = NetworkMessage.json(settings)
    guard setup.count <= NetworkMessage.limit else {
      throw FetchFailure(.notStarted, "`network` in the manifest exceeds 1 MiB")
    }
    // The additional variables are read by libc's resolver.
    let proxies = settings.proxy == .environment ? ProxyChoice.variables : []
    do throws(WorkerFailure) {
      return try HelperProcess(
        .network, program: program, environment: environment,
        variables: proxies.union(["RES_OPTIONS", "LOCALDOMAIN"]), setup: setup,
        within: WorkerLimits.standard.startSeconds, isCancelled: isCancelled)
    } catch .cancelled {
      throw .closed
    } catch {
      throw FetchFailure(.notStarted, "the network worker \(error.ending)")
    }
  }

  /// Reads messages on a private queue, because reading blocks a thread.
  private func read(from helper: HelperProcess) {
    DispatchQueue(label: "sitegen.fetch").async { [weak self] in
      var looked = SuspendingClock.now
      while true {
        let received = Result { () throws(WorkerFailure) in
          try helper.receive(limit: NetworkMessage.limit, within: Int32(Self.tick.milliseconds))
        }
        let now = SuspendingClock.now
        guard let self, take(received, from: helper, after: now - looked) else { break }
        looked = now
      }
      helper.end()
    }
  }

  /// Handles a message; if the worker is unusable, fails all open requests and returns false.
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
    // Ignore the time during which this process was suspended.
    let isStalled = time <= Self.tick * 4 && helper.stalled > Self.patience
    if isLate(min(time, Self.tick * 4)) || isStalled { failure = failure ?? .hung }
    guard let failure else { return state.withLock { $0.helper === helper } }
    let reason = FetchFailure(.notStarted, "the network worker \(failure.ending)")
    let open = state.withLock { state -> [OpenRequest] in
      guard state.helper === helper else { return [] }
      state.failure = reason
      return state.drop()
    }
    helper.end()
    for request in open { report(request, FetchAnswer(.failed(reason))) }
    return false
  }

  /// Returns whether a healthy worker would have responded by now; body pieces do not count.
  private func isLate(_ time: Duration) -> Bool {
    state.withLock { state in
      state.silence += time
      return !state.open.isEmpty
        && state.silence > settings.longestSilence(open: state.open.count)
    }
  }

  /// Handles a message; returns false if the message is invalid or exceeds a limit.
  private func understand(_ message: IncomingMessage, from helper: HelperProcess) throws -> Bool {
    var head = message.head
    let id = try NetworkMessage.id(&head)
    guard let isFirst = head.popFirst() else { return false }
    let request = state.withLock { $0.helper === helper ? $0.open[id] : nil }
    switch message.header?.kind {
    case .piece:
      guard let request else { return true }
      // Also limit the total size of incomplete bodies, however many requests are open.
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

extension ChildFetcher {
  /// Fetches many requests, and passes the responses to `receive` as they arrive, on this thread.
  ///
  /// `isCancelled` is polled every 50 ms, and while the worker starts. An error from `receive`
  /// cancels the remaining requests.
  ///
  /// - Throws: `CancellationError`, or the error from `receive`, after all requests have ended.
  package func all(
    _ requests: [FetchRequest], isCancelled: () -> Bool = { false },
    receive: ([(index: Int, answer: FetchAnswer)]) throws -> Void
  ) throws {
    // Open more requests than the engine sends at once, so that silent hosts do not delay the rest.
    // Opening all of them would keep too many responses in memory.
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

/// A request with its waiting callers.
///
/// `@unchecked Sendable`: the lock protects `callers`, and only the reader's thread uses the body.
private final class OpenRequest: @unchecked Sendable {
  let request: FetchRequest
  var callers: [(number: Int, report: ChildFetcher.Report)]
  private var body: BodySink?
  private var failure: FetchFailure?
  private(set) var count = 0

  init(_ request: FetchRequest, _ caller: (Int, ChildFetcher.Report)) {
    self.request = request
    callers = [caller]
  }

  /// Appends a piece, or starts a new body; returns false if the body is too long.
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

  func outcome(_ fields: HTTPFields) -> FetchAnswer.Outcome {
    if let failure { return .failed(failure) }
    guard let body = body.take() else { return .failed(FetchFailure(.empty, "the body is empty")) }
    return .fetched(body.finish(), fields)
  }
}
