import Bytes
import CCurl
package import Fetch
import Files
import Foundation
import Glibc
package import Workers

/// The `network` role of `sitegen-worker`, with network access but without file access.
///
/// A single thread reads requests, runs transfers, and sends responses.
package final class NetworkRole {
  private let settings: FetchSettings
  private let multi: CurlMulti
  private let policy: AddressPolicy
  private let proxies: Proxies
  private var wire: Wire
  private var queue: HostQueue
  private var tasks: [Int: FetchTask] = [:]
  private var attempts: [Int: Attempt] = [:]
  private let origin = ContinuousClock.now
  private let takeOver: (FetchRequest) -> FetchFailure?

  /// Serves one build until it closes the pipe; tests simulate an attack with `takeOver`.
  package static func serve(
    _ wire: consuming Wire,
    atRequest takeOver: @escaping (FetchRequest) -> FetchFailure? = { _ in nil }
  ) throws {
    OwnProcess.useOneArena()
    guard let setup = try wire.read(limit: NetworkMessage.limit) else { return }
    guard setup.kind == .setup else { throw ByteReader.Malformed() }
    let settings = try NetworkMessage.decode(FetchSettings.self, setup.head)
    let sandbox: Sandbox
    do {
      sandbox = try enterSandbox(settings, keeping: wire.numbers)
    } catch {
      let words = (error as? Curl.Unusable)?.message ?? (error as? FileError)?.message
      return try wire.send(.refusal, head: Array((words ?? "\(error)").utf8))
    }
    try wire.send(.hello, head: [sandbox.rawValue])
    try NetworkRole(settings, wire, takeOver).run()
  }

  private init(
    _ settings: FetchSettings, _ wire: consuming Wire,
    _ takeOver: @escaping (FetchRequest) -> FetchFailure?
  ) {
    self.settings = settings
    self.wire = wire
    self.takeOver = takeOver
    multi = CurlMulti(settings)
    policy = AddressPolicy(settings.policy)
    proxies = Proxies(settings.proxy)
    queue = HostQueue(
      perHost: settings.perHost, overall: settings.overall, patience: settings.patience)
  }

  private var now: Duration { ContinuousClock.now - origin }

  private func run() throws {
    while true {
      // `pause(since:)` needs the same time, or requests that become due meanwhile are missed.
      let looked = now
      while let id = queue.next(now: looked) { try attempt(id) }
      multi.perform()
      var hasFinished = false
      while let (key, code) = multi.nextFinished() {
        hasFinished = true
        if let attempt = attempts[key] { try finish(attempt, code) }
      }
      // libcurl's timeout does not cover waiting for another transfer's connection.
      let late = attempts.values.filter { $0.deadline <= now }
      for attempt in late { try finish(attempt, CURLE_OPERATION_TIMEDOUT) }
      // A finished attempt frees its slot, so the queue is checked again before waiting.
      let rest = hasFinished || !late.isEmpty ? .zero : pause(since: looked)
      guard multi.wait(rest, orFor: wire.input.number) else { continue }
      repeat {
        guard let message = try wire.read(limit: NetworkMessage.limit) else { return }
        try obey(message)
      } while wire.hasBytes
    }
  }

  private func pause(since looked: Duration) -> Duration {
    let now = now
    let times = attempts.values.map(\.deadline) + [queue.due(now: looked) ?? now + .seconds(60)]
    return max(min(times.min() ?? now, now + .seconds(60)) - now, .zero)
  }

  private func obey(_ message: Wire.Message) throws {
    var head = message.head
    let id = try NetworkMessage.id(&head)
    switch message.kind {
    case .request: try begin(id, try NetworkMessage.decode(FetchRequest.self, head))
    case .cancel: cancel(id)
    default: throw ByteReader.Malformed()
    }
  }

  private func begin(_ id: Int, _ request: FetchRequest) throws {
    if let failure = takeOver(request) { return try answer(id, .failed(failure), FetchCost()) }
    let task: FetchTask
    do throws(FetchFailure) {
      task = FetchTask(id, request, try WebAddress(request.url), time: settings.time)
    } catch {
      return try answer(id, .failed(error), FetchCost())
    }
    tasks[id] = task
    try enqueue(task)
  }

  private func cancel(_ id: Int) {
    guard let task = tasks.removeValue(forKey: id) else { return }
    if let attempt = task.attempt {
      retire(attempt)
      task.attempt = nil
      queue.leave(task.address.authority)
    } else {
      _ = queue.remove(task.address.authority) { $0 == id }
    }
  }

  private func end(
    _ task: FetchTask, _ outcome: FetchReply.Outcome, body: Data = Data(), isFirst: Bool = true
  ) throws {
    tasks[task.id] = nil
    try answer(task.id, outcome, task.cost(now: now), body: body, isFirst: isFirst)
  }

  private func answer(
    _ id: Int, _ outcome: FetchReply.Outcome, _ cost: FetchCost, body: Data = Data(),
    isFirst: Bool = true
  ) throws {
    var outcome = outcome
    if case .failed(let failure) = outcome { outcome = .failed(failure.plain) }
    var head = NetworkMessage.head(id, isFirst: isFirst, FetchReply(outcome, cost))
    var body = body
    if head.count + body.count > NetworkMessage.limit {
      let failure = FetchFailure(.badAnswer, "the response is too long")
      head = NetworkMessage.head(id, isFirst: true, FetchReply(.failed(failure), cost))
      body = Data()
    }
    try wire.send(.answer, head: head, payload: [body])
  }

  /// Sends a body piece; if the build does not read it, this call blocks and so pauses downloads.
  private func forward(_ id: Int, _ piece: Data, isFirst: Bool) {
    // Ignore errors: if the build is gone, the next message fails too.
    try? wire.send(.piece, head: NetworkMessage.head(id, isFirst: isFirst), payload: [piece])
  }

  /// Queues a request, or fails it if it is not allowed or its host cannot be contacted in time.
  private func enqueue(_ task: FetchTask, due: Duration? = nil) throws {
    let now = now
    let host = task.address.authority
    do throws(FetchFailure) {
      let isProxied = proxies.proxy(for: task.address) != nil
      try policy.check(task.request, to: task.address, isProxied: isProxied)
      try policy.check(task.address, isProxied: isProxied)
    } catch {
      return try end(task, .failed(error))
    }
    if queue.isGivenUp(host, now: now) { return try end(task, .failed(givenUp(task))) }
    let pause = queue.pausedUntil(host) - now
    if pause > task.left { return try end(task, .failed(paused(task, pause))) }
    task.ready = max(due ?? now, now)
    queue.enter(task.id, host, due: due)
  }

  private func attempt(_ id: Int) throws {
    guard let task = tasks[id] else { preconditionFailure("an ended task is still in the queue") }
    let now = now
    let host = task.address.authority
    task.count(waitingUntil: now, pausedUntil: queue.pausedUntil(host))
    let attempt = Attempt(
      task, settings, policy, proxy: proxies.proxy(for: task.address), now: now
    ) { [unowned self] piece, isFirst in forward(id, piece, isFirst: isFirst) }
    task.begin(attempt, now: now)
    guard multi.add(attempt) else {
      task.attempt = nil
      queue.leave(host)
      return try end(task, .failed(failure(task, .notStarted, "cannot start a request")))
    }
    attempts[attempt.key] = attempt
  }

  private func retire(_ attempt: Attempt) {
    multi.remove(attempt)
    attempts[attempt.key] = nil
  }

  private func finish(_ attempt: Attempt, _ code: CURLcode) throws {
    let task = attempt.task
    let host = task.address.authority
    let now = now
    retire(attempt)
    queue.leave(host)
    let isReused = attempt.long(CURLINFO_NUM_CONNECTS) == 0 && attempt.status != 0
    task.finish(attempt, isReused: isReused, now: now)
    switch attempt.result(code, now: Int64(Date().timeIntervalSince1970)) {
    case .finished(.failed(let failure)): try fail(task, failure)
    case .finished(let outcome):
      queue.noteSuccess(host)
      try end(task, outcome, body: attempt.body, isFirst: attempt.isFirst)
    case .redirect(let address):
      queue.noteSuccess(host)
      try redirect(task, to: address)
    case .retry(let failure, let after):
      // An empty first piece makes the build free the received body while the request waits.
      if !attempt.isFirst { forward(task.id, Data(), isFirst: true) }
      try retry(task, failure, after)
    }
  }

  private func redirect(_ task: FetchTask, to address: WebAddress) throws {
    guard task.redirects < settings.redirects else {
      let detail = "more than \(settings.redirects) redirects"
      return try end(task, .failed(failure(task, .tooManyRedirects, detail)))
    }
    task.follow(to: address)
    try enqueue(task, due: now)
  }

  private func retry(_ task: FetchTask, _ failure: FetchFailure, _ after: Duration?) throws {
    if let after, after > .zero { try pause(task.address.authority, after) }
    let pause = max(
      after ?? .zero,
      BackOff.pause(before: task.retries, base: settings.backOff, part: .random(in: 0...1)))
    // Add a tolerance of 20 ms, because libcurl may time out slightly early.
    guard task.retries < settings.retries, pause + .milliseconds(20) < task.left else {
      var failure = failure
      if let after, after >= task.left {
        failure.detail += ", and asks clients to wait \(FetchMessages.time(after))"
      }
      return try fail(task, failure)
    }
    task.retries += 1
    task.isRetry = true
    try enqueue(task, due: now + pause)
  }

  /// Pauses a host; requests that cannot wait that long fail immediately.
  private func pause(_ host: String, _ time: Duration) throws {
    let now = now
    let before = queue.pausedUntil(host)
    queue.pause(host, until: now + BackOff.rest(time, time: settings.time))
    func cannotWait(_ task: FetchTask) -> Bool {
      task.count(waitingUntil: now, pausedUntil: before)
      return task.left < time
    }
    try dismiss(host, with: { paused($0, time) }, where: cannotWait)
  }

  private func fail(_ task: FetchTask, _ failure: FetchFailure) throws {
    let host = task.address.authority
    try end(task, .failed(failure))
    switch failure.reason {
    case .timeout, .connectionFailed, .connectionCut, .hostNotFound, .tlsFailed, .serverFailed:
      if queue.noteFailure(host, now: now) { try dismiss(host, with: givenUp) { _ in true } }
    case .notFound, .httpRefused, .empty, .tooManyBytes, .encodedBody, .redirectRefused:
      queue.noteSuccess(host)
    default: break
    }
  }

  private func dismiss(
    _ host: String, with failure: (FetchTask) -> FetchFailure, where isMeant: (FetchTask) -> Bool
  ) throws {
    let ids = queue.remove(host) { tasks[$0].map(isMeant) ?? true }
    for task in ids.compactMap({ tasks[$0] }) { try end(task, .failed(failure(task))) }
  }

  private func failure(_ task: FetchTask, _ reason: FetchReason, _ detail: String) -> FetchFailure {
    FetchFailure(reason, "\(task.address.name): \(detail)")
  }

  private func givenUp(_ task: FetchTask) -> FetchFailure {
    failure(task, .hostGivenUp, "\(settings.patience) consecutive requests have failed")
  }

  private func paused(_ task: FetchTask, _ time: Duration) -> FetchFailure {
    let time = FetchMessages.time(time)
    return failure(task, .serverFailed, "it asks clients to wait \(time)")
  }
}
