import CCurl
import Fetch
import Files
import Foundation

/// What an engine's thread does: it starts requests, follows them, and reports the answers.
final class EngineLoop {
  private let settings: FetchSettings
  private let commands: CommandQueue
  private let multi: CurlMulti
  private let policy: AddressPolicy
  private let proxies: Proxies
  private var queue: HostQueue
  private var resolver: ResolverHealth
  /// All open requests, by their numbers.
  private var tasks: [Int: FetchTask] = [:]
  /// The transfers that are running, by their keys.
  private var transfers: [Int: CurlTransfer] = [:]
  private var idle: [CurlTransfer] = []
  private let origin = ContinuousClock.now

  init(_ settings: FetchSettings, _ commands: CommandQueue, _ multi: CurlMulti) {
    self.settings = settings
    self.commands = commands
    self.multi = multi
    policy = AddressPolicy(settings.reach)
    proxies = Proxies(settings.proxy)
    queue = HostQueue(
      perHost: settings.perHost, overall: settings.overall, patience: settings.patience)
    resolver = ResolverHealth(patience: settings.patience)
  }

  private var now: Duration { ContinuousClock.now - origin }

  func run() {
    while let commands = commands.take() {
      for command in commands {
        switch command {
        case .begin(let id, let request, let forward, let tell):
          begin(id, request, forward, tell)
        case .cancel(let id): cancel(id)
        }
      }
      while let id = queue.next(now: now) { attempt(id) }
      multi.perform()
      var hasFinished = false
      while let (key, code) = multi.nextFinished() {
        hasFinished = true
        finish(key, code)
      }
      // libcurl does not count the wait for a connection of another transfer.
      let late = transfers.values.filter { $0.deadline <= now }
      for transfer in late { finish(transfer.key, CURLE_OPERATION_TIMEDOUT) }
      // A finished transfer frees its slot, so the queue is asked again before sleeping.
      if !hasFinished, late.isEmpty, self.commands.maySleep() { sleep() }
    }
    for transfer in transfers.values { multi.remove(transfer.easy) }
    transfers = [:]
    idle = []
    for task in tasks.values { task.end(.failed(.closed), now: now) }
  }

  private func sleep() {
    let now = now
    let times = transfers.values.map(\.deadline) + [queue.due(now: now) ?? now + .seconds(60)]
    multi.wait(max(min(times.min() ?? now, now + .seconds(60)) - now, .zero))
  }

  // MARK: - Commands

  private func begin(
    _ id: Int, _ request: FetchRequest, _ forward: BodySink.Forward?, _ tell: @escaping Fetcher.Tell
  ) {
    let task: FetchTask
    do throws(FetchFailure) {
      task = FetchTask(
        id, request, try WebAddress(request.url), time: settings.time, forward, tell)
    } catch {
      return tell(FetchAnswer(.failed(error)))
    }
    tasks[id] = task
    enqueue(task)
  }

  /// Queues a request for its host, or ends it where waiting is of no use.
  private func enqueue(_ task: FetchTask, due: Duration? = nil) {
    let now = now
    let host = task.address.authority
    do throws(FetchFailure) {
      try policy.check(task.address, isProxied: isProxied(task))
    } catch {
      return end(task, .failed(error))
    }
    if queue.isGivenUp(host, now: now) { return end(task, .failed(givenUp(task))) }
    if isNameless(task, now) { return end(task, .failed(nameless(task))) }
    let pause = queue.pausedUntil(host) - now
    if pause > task.left { return end(task, .failed(paused(task, pause))) }
    task.ready = max(due ?? now, now)
    queue.enter(task.id, host, due: due, now: now)
  }

  private func cancel(_ id: Int) {
    guard let task = tasks.removeValue(forKey: id) else { return }
    if let transfer = transfers.values.first(where: { $0.task === task }) {
      retire(transfer)
      transfer.drop()
      queue.leave(task.address.authority, now: now)
    } else {
      _ = queue.remove(task.address.authority, now: now) { $0 == id }
    }
  }

  // MARK: - Attempts

  private func attempt(_ id: Int) {
    guard let task = tasks[id] else { preconditionFailure("an ended task has left the queue") }
    let now = now
    let host = task.address.authority
    task.count(waitingUntil: now, pausedUntil: queue.pausedUntil(host))
    task.attempts(now: now)
    let transfer = idle.popLast() ?? CurlTransfer(settings, policy)
    transfer.prepare(task, proxy: proxies.proxy(for: task.address), now: now)
    guard multi.add(transfer.easy, task.address.text) else {
      transfer.drop()
      queue.leave(host, now: now)
      return end(task, .failed(failure(task, .notStarted, "this machine cannot start a request")))
    }
    transfers[transfer.key] = transfer
  }

  private func retire(_ transfer: CurlTransfer) {
    multi.remove(transfer.easy)
    transfers[transfer.key] = nil
    idle.append(transfer)
  }

  private func finish(_ key: Int, _ code: CURLcode) {
    guard let transfer = transfers[key], let task = transfer.task else { return }
    retire(transfer)
    let now = now
    let host = task.address.authority
    queue.leave(host, now: now)
    task.count(attemptUntil: now)
    let (result, lookup) = transfer.finish(code, now: Int64(Date().timeIntervalSince1970))
    if let lookup, resolver.note(lookup, of: task.address.host, now: now) { endNameless(now) }
    switch result {
    case .finished(.failed(let failure)): fail(task, failure)
    case .finished(let outcome):
      queue.noteSuccess(host)
      end(task, outcome)
    case .redirect(let address):
      queue.noteSuccess(host)
      redirect(task, to: address)
    case .retry(let failure, let after): retry(task, failure, after)
    }
  }

  private func redirect(_ task: FetchTask, to address: WebAddress) {
    guard task.redirects < settings.redirects else {
      let detail = "more than \(settings.redirects) redirects"
      return end(task, .failed(failure(task, .tooManyRedirects, detail)))
    }
    task.follow(to: address)
    enqueue(task, due: now)
  }

  private func retry(_ task: FetchTask, _ failure: FetchFailure, _ after: Duration?) {
    if let after, after > .zero { pause(task.address.authority, after) }
    let pause = max(
      after ?? .zero,
      BackOff.pause(before: task.retries, base: settings.backOff, part: .random(in: 0...1)))
    // libcurl may end a request a little before its time is over.
    guard task.retries < settings.retries, pause + .milliseconds(20) < task.left else {
      var failure = failure
      if let after, after >= task.left {
        failure.detail += ", and wants to be left alone for \(FetchMessages.time(after))"
      }
      return fail(task, failure)
    }
    task.retries += 1
    task.isRetry = true
    // What has come of a body takes no room while its request waits.
    task.forward?(Data(), true)
    enqueue(task, due: now + pause)
  }

  /// Leaves a host alone for some time; requests that cannot wait so long end now.
  private func pause(_ host: String, _ time: Duration) {
    let now = now
    let before = queue.pausedUntil(host)
    queue.pause(host, until: now + BackOff.rest(time, time: settings.time), now: now)
    func cannotWait(_ task: FetchTask) -> Bool {
      task.count(waitingUntil: now, pausedUntil: before)
      return task.left < time
    }
    dismiss(host, with: { paused($0, time) }, where: cannotWait)
  }

  // MARK: - Ends

  /// Ends a request with the failure of its last attempt, and counts whether its host works.
  private func fail(_ task: FetchTask, _ failure: FetchFailure) {
    let host = task.address.authority
    end(task, .failed(failure))
    switch failure.reason {
    case .timeout, .connectionFailed, .connectionCut, .hostNotFound, .tlsFailed, .serverFailed:
      if queue.noteFailure(host, now: now) { dismiss(host, with: givenUp) { _ in true } }
    case .notFound, .httpRefused, .empty, .tooManyBytes, .encodedBody, .redirectRefused:
      queue.noteSuccess(host)
    default: break
    }
  }

  private func end(_ task: FetchTask, _ outcome: FetchAnswer.Outcome) {
    tasks[task.id] = nil
    task.end(outcome, now: now)
  }

  /// Ends the requests that wait for a host and that `isMeant` selects.
  private func dismiss(
    _ host: String, with failure: (FetchTask) -> FetchFailure, where isMeant: (FetchTask) -> Bool
  ) {
    let ids = queue.remove(host, now: now) { tasks[$0].map(isMeant) ?? true }
    for task in ids.compactMap({ tasks[$0] }) { end(task, .failed(failure(task))) }
  }

  /// No name server answers: ends all requests that wait to look up an unknown name.
  private func endNameless(_ now: Duration) {
    for host in Set(tasks.values.map(\.address.authority)).sorted() {
      dismiss(host, with: nameless) { isNameless($0, now) }
    }
  }

  private func isProxied(_ task: FetchTask) -> Bool { proxies.proxy(for: task.address) != nil }

  private func isNameless(_ task: FetchTask, _ now: Duration) -> Bool {
    resolver.isSilent(about: task.address.host, now: now) && !isProxied(task)
  }

  // MARK: - Failures

  private func failure(_ task: FetchTask, _ reason: FetchReason, _ detail: String) -> FetchFailure {
    FetchFailure(reason, "\(task.address.name): \(detail)")
  }

  private func nameless(_ task: FetchTask) -> FetchFailure {
    failure(task, .hostNotFound, "no name server answers")
  }

  private func givenUp(_ task: FetchTask) -> FetchFailure {
    failure(task, .hostGivenUp, "\(settings.patience) requests have failed one after the other")
  }

  private func paused(_ task: FetchTask, _ time: Duration) -> FetchFailure {
    let time = FetchMessages.time(time)
    return failure(task, .serverFailed, "it wants to be left alone for \(time)")
  }
}
