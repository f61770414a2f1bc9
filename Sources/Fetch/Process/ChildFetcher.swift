import Dispatch
package import Files
import Foundation
import Glibc

/// Fetches in a child process, so that this one opens no socket.
///
/// The process starts with the first request. When it dies, what is open fails, and the next
/// request starts another one, once. It ends by `close`, or when nobody holds the fetcher.
package final class ChildFetcher: Sendable {
  private let link: FetcherLink
  /// Fetches each thing once at a time; works until it is closed.
  package let fetcher: Fetcher

  /// The program is `sitegen-worker`.
  ///
  /// Of the environment it gets what tells the way into the network, and `SITEGEN_TEST_` variables.
  package init(
    _ settings: FetchSettings, program: String,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    ChildProcess.prepareSignals()
    let link = FetcherLink(
      settings, program: URL(fileURLWithPath: program).path,
      environment: environment.filter { name, _ in
        FetcherLink.variables(settings).contains(name) || name.hasPrefix("SITEGEN_TEST_")
      })
    self.link = link
    fetcher = .joining(
      Fetcher(
        begin: { request, tell in
          let id = link.begin(request, tell)
          return FetchTicket { link.cancel(id) }
        }))
  }

  /// Ends everything at once: every open request is told that it was cancelled.
  package func close() { link.close() }

  /// The layers of the child's jail; starts it.
  ///
  /// The kernel gives the same to the next one, if this one dies.
  package func jail() throws(FetchFailure) -> Jail { try link.jail() }

  /// The child's process id; nil while there is none.
  package var processID: Int32? { link.processID }

  /// Whether a new one should take over: it has died too often, or it is idle and so old that the
  /// machine may have other name servers by now.
  package var isOutdated: Bool { link.isOutdated }
}

/// The pipes to a child, and what is asked over them.
private final class FetcherLink: Sendable {
  /// A child is used so long by builds that follow each other.
  private static let age = Duration.seconds(120)
  /// How often a child is started.
  private static let starts = 2

  private struct State {
    var running: RunningFetcher<FetcherEvent>?
    var starts = 0
    var started = ContinuousClock.now
    var isClosed = false
    var last = 0
    var open: [Int: OpenRequest] = [:]
    /// How long none of them has ended, less `silencePerAnswer` for each that has.
    var silence = Duration.zero
    let silencePerAnswer: Duration
    /// Why nothing more is started.
    var failure = FetchFailure(.notStarted, "")

    mutating func close(_ id: Int) -> OpenRequest? {
      guard let request = open.removeValue(forKey: id) else { return nil }
      silence = max(silence - silencePerAnswer, .zero)
      return request
    }
  }

  private let settings: FetchSettings
  private let program: String
  private let environment: [String: String]
  private let state: Guarded<State>

  init(_ settings: FetchSettings, program: String, environment: [String: String]) {
    self.settings = settings
    state = Guarded(State(silencePerAnswer: settings.silencePerAnswer))
    self.program = program
    // A process that crashed must die at once: the backtracer would hold it for seconds.
    self.environment = environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
  }

  deinit { close() }

  /// Variables that libc and our choice of a proxy read.
  static func variables(_ settings: FetchSettings) -> Set<String> {
    let resolver: Set = ["RES_OPTIONS", "LOCALDOMAIN"]
    return settings.proxy == .environment ? resolver.union(ProxyChoice.variables) : resolver
  }

  var processID: Int32? { state.withLock { $0.running?.processID } }

  var isOutdated: Bool {
    state.withLock { state in
      if state.starts == 0 || !state.open.isEmpty { return false }
      if state.running == nil { return state.starts >= Self.starts }
      return ContinuousClock.now - state.started > Self.age
    }
  }

  // MARK: - Asking

  /// Takes a request, and returns the number by which it can be cancelled.
  func begin(_ request: FetchRequest, _ tell: @escaping Fetcher.Tell) -> Int {
    // It would fit into no message.
    var request = request
    if request.url.utf8.count > FetchRequest.longestAddress { request.url = "" }
    @Sendable func end(_ ending: OpenRequest.Ending) {
      switch ending {
      case .answer(let answer): tell(answer)
      case .jail:
        tell(FetchAnswer(.failed(FetchFailure(.badAnswer, "another was asked"))))
      }
    }
    return ask({ .begin($0, request) }, end)
  }

  func cancel(_ id: Int) {
    let running = state.withLock { $0.close(id) == nil ? nil : $0.running }
    if let running, !running.send(FetcherCommand.cancel(id)) { running.end() }
  }

  func jail() throws(FetchFailure) -> Jail {
    switch ending(of: { .jail($0) }) {
    case .jail(let jail): return jail
    case .answer(let answer):
      if case .failed(let failure) = answer.outcome { throw failure }
      throw .closed
    case nil: throw FetchFailure(.notStarted, "the process that fetches gave no answer")
    }
  }

  /// Waits for it; nil when none comes.
  private func ending(of command: (Int) -> FetcherCommand) -> OpenRequest.Ending? {
    let found = Guarded(OpenRequest.Ending?.none)
    let arrival = DispatchSemaphore(value: 0)
    @Sendable func end(_ ending: OpenRequest.Ending) {
      found.withLock { $0 = ending }
      arrival.signal()
    }
    let id = ask(command, end)
    if arrival.wait(timeout: .now() + 30) == .timedOut { cancel(id) }
    return found.withLock { $0 }
  }

  private func ask(
    _ command: (Int) -> FetcherCommand, _ end: @escaping @Sendable (OpenRequest.Ending) -> Void
  ) -> Int {
    var running: RunningFetcher<FetcherEvent>?
    var failure: FetchFailure? = .closed
    let id = state.withLock { state in
      state.last += 1
      if state.isClosed { return state.last }
      do throws(FetchFailure) {
        (running, failure) = (try start(&state), nil)
        if state.open.isEmpty { state.silence = .zero }
        state.open[state.last] = OpenRequest(end)
      } catch {
        failure = error
      }
      return state.last
    }
    // Not under the lock, since the child may be slow to take it.
    if let running, !running.send(command(id)) {
      running.end()
      // What it did not take, it will never answer; the reader tells the others.
      if state.withLock({ $0.close(id) }) != nil {
        failure = FetchFailure(.notStarted, "the process that fetches takes no request")
      }
    }
    if let failure { end(.answer(FetchAnswer(.failed(failure)))) }
    return id
  }

  private func start(_ state: inout State) throws(FetchFailure) -> RunningFetcher<FetcherEvent> {
    if let running = state.running { return running }
    guard state.starts < Self.starts else { throw state.failure }
    state.starts += 1
    state.started = ContinuousClock.now
    var settings = settings
    // The child puts nothing down, and stands in another folder.
    settings.spool = ""
    settings.certificates = settings.certificates.map { URL(fileURLWithPath: $0).path }
    guard let frame = FetcherFrame.bytes(FetcherCommand.settings(settings)) else {
      state.failure = FetchFailure(.notStarted, "`network` in the manifest takes more than 1 MiB")
      throw state.failure
    }
    let running: RunningFetcher<FetcherEvent>
    do throws(SystemFailure) {
      running = RunningFetcher<FetcherEvent>(
        try ChildProcess(
          program: program, arguments: [program, Version.current, "network"],
          environment: environment),
        settings: frame)
    } catch {
      state.failure = FetchFailure(.notStarted, "the process that fetches: \(error.text)")
      throw state.failure
    }
    do throws(FileError) {
      try running.startReading("sitegen.fetch") { [weak self] in
        self?.isLate($0) ?? false
      } take: { [weak self] event, payload in
        self?.take(event, payload, from: running) ?? false
      } lost: { [weak self] words in
        self?.lose(running, words)
      }
    } catch {
      state.failure = FetchFailure(.notStarted, "a thread to fetch with: \(error.explanation)")
      throw state.failure
    }
    state.running = running
    return running
  }

  // MARK: - Ends

  func close() {
    let (running, open) = state.withLock { state in
      state.isClosed = true
      defer { (state.running, state.open) = (nil, [:]) }
      return (state.running, state.open)
    }
    running?.end()
    for id in open.keys.sorted() {
      open[id]?.end(.answer(FetchAnswer(.failed(FetchFailure.closed))))
    }
  }

  /// The child is of no more use; all that is open fails.
  private func lose(_ running: RunningFetcher<FetcherEvent>, _ words: String) {
    let (open, failure) = state.withLock { state -> ([Int: OpenRequest], FetchFailure) in
      guard state.running === running else { return ([:], state.failure) }
      state.failure = FetchFailure(.notStarted, "the process that fetches \(words)")
      defer { (state.running, state.open) = (nil, [:]) }
      return (state.open, state.failure)
    }
    for id in open.keys.sorted() { open[id]?.end(.answer(FetchAnswer(.failed(failure)))) }
  }

  // MARK: - On the reader's thread

  /// Whether a child that works would have answered; pieces of bodies are no answers.
  private func isLate(_ time: Duration) -> Bool {
    state.withLock { state in
      state.silence += time
      return !state.open.isEmpty
        && state.silence > settings.longestSilence(open: state.open.count)
    }
  }

  /// False when this child is not the one that is used any more, or breaks its limits.
  private func take(
    _ event: FetcherEvent, _ payload: ArraySlice<UInt8>, from running: RunningFetcher<FetcherEvent>
  ) -> Bool {
    func request(_ id: Int, isEnd: Bool = true) -> OpenRequest? {
      state.withLock { state in
        guard state.running === running else { return nil }
        return isEnd ? state.close(id) : state.open[id]
      }
    }
    func end(_ id: Int, _ outcome: FetchAnswer.Outcome, _ cost: FetchCost) {
      request(id)?.end(.answer(FetchAnswer(outcome, cost: cost)))
    }
    switch event {
    case .piece(let id, let isFirst):
      guard let request = request(id, isEnd: false) else { break }
      // No more bodies grow at once than requests run, however many are open.
      return request.append(payload, isFirst: isFirst, settings)
        && state.withLock { $0.open.values.reduce(0) { $0 + $1.count } }
          <= settings.bytes * settings.overall
    case .fetched(let id, let fields, let cost, let isFirst):
      guard let request = request(id, isEnd: false) else { break }
      // A body that is too long is no answer: the request fails with all others.
      guard request.append(payload, isFirst: isFirst, settings) else { return false }
      end(id, request.outcome(fields), cost)
    case .notModified(let id, let fields, let cost): end(id, .notModified(fields), cost)
    case .failed(let id, let failure, let cost): end(id, .failed(failure), cost)
    case .jail(let id, let jail): request(id)?.end(.jail(jail))
    }
    return state.withLock { $0.running === running }
  }
}
