import CCurl
import Files
import Foundation

/// What the thread of an engine does: lets requests begin, follows them, tells what came of them.
final class EngineLoop {
  private let settings: FetchSettings
  private let inbox: CommandQueue
  private let multi: CurlMulti
  private let policy: AddressPolicy
  private let proxies: Proxies
  private var queue: HostQueue
  private var names: ResolverHealth
  /// By their numbers: all that have not ended.
  private var tasks: [Int: FetchTask] = [:]
  /// By their keys: those who carry an attempt.
  private var transfers: [Int: CurlTransfer] = [:]
  private var idle: [CurlTransfer] = []
  private let origin = ContinuousClock.now
  private var random = SystemRandomNumberGenerator()

  init(_ settings: FetchSettings, _ inbox: CommandQueue, _ multi: CurlMulti) {
    self.settings = settings
    self.inbox = inbox
    self.multi = multi
    policy = AddressPolicy(settings.reach)
    proxies = Proxies(settings.proxy)
    queue = HostQueue(
      perHost: settings.perHost, overall: settings.overall, patience: settings.patience)
    names = ResolverHealth(patience: settings.patience)
  }

  private var now: Duration { ContinuousClock.now - origin }

  func run() {
    while let messages = inbox.take() {
      for message in messages {
        switch message {
        case .begin(let id, let request, let tell): begin(id, request, tell)
        case .cancel(let id): cancel(id)
        }
      }
      while let id = queue.next(now: now) { attempt(id) }
      multi.perform()
      var hasEnded = false
      while let (key, code) = multi.ended() {
        hasEnded = true
        finish(key, code)
      }
      let late = late()
      for transfer in late { finish(transfer.key, CURLE_OPERATION_TIMEDOUT) }
      // Whoever has ended leaves a place.
      if !hasEnded, late.isEmpty, inbox.maySleep() { sleep() }
    }
    for transfer in transfers.values { multi.remove(transfer) }
    transfers = [:]
    idle = []
    for task in tasks.values { task.end(.failed(EngineLoop.closed), now: now) }
  }

  /// What is told of requests that an engine does not do any more.
  static let closed = FetchFailure(.cancelled, "nothing is fetched any more")

  private func sleep() {
    let now = now
    let times = transfers.values.map(\.deadline) + [queue.due(now: now) ?? now + .seconds(60)]
    multi.wait(max(min(times.min() ?? now, now + .seconds(60)) - now, .zero))
  }

  /// Whose time is over: libcurl does not count that of everybody who waits within it.
  private func late() -> [CurlTransfer] {
    let now = now
    return transfers.values.filter { $0.deadline <= now }
  }

  // MARK: - Coming

  private func begin(
    _ id: Int, _ request: FetchRequest, _ tell: @escaping @Sendable (FetchAnswer) -> Void
  ) {
    let task: FetchTask
    do throws(FetchFailure) {
      task = FetchTask(id, request, try WebAddress(request.url), time: settings.time, tell)
    } catch {
      tell(FetchAnswer(.failed(error)))
      return
    }
    tasks[id] = task
    enter(task)
  }

  /// Puts a request in line for its host, or ends it where that is of no use.
  private func enter(_ task: FetchTask, due: Duration? = nil) {
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
    task.waits(from: max(due ?? now, now))
    queue.enter(task.id, host, due: due, now: now)
  }

  private func cancel(_ id: Int) {
    guard let task = tasks.removeValue(forKey: id) else { return }
    if let transfer = transfers.values.first(where: { $0.task === task }) {
      retire(transfer)
      transfer.drop()
      queue.leave(task.address.authority, now: now)
    } else {
      queue.remove(id, task.address.authority, now: now)
    }
  }

  // MARK: - Attempts

  private func attempt(_ id: Int) {
    guard let task = tasks[id] else { preconditionFailure("who waits has not ended") }
    let now = now
    let host = task.address.authority
    task.count(waitingUntil: now, pausedUntil: queue.pausedUntil(host))
    task.attempts(now: now)
    let transfer = idle.popLast() ?? CurlTransfer(settings, policy)
    transfer.take(task, proxy: proxies.proxy(for: task.address), now: now)
    guard multi.add(transfer) else {
      transfer.drop()
      queue.leave(host, now: now)
      let words = "\(task.address.name): this machine can ask for no more"
      return end(task, .failed(FetchFailure(.spoolFailed, words)))
    }
    transfers[transfer.key] = transfer
  }

  /// Takes a transfer from the work.
  private func retire(_ transfer: CurlTransfer) {
    multi.remove(transfer)
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
    let (result, name) = transfer.end(code, now: Int64(Date().timeIntervalSince1970))
    if let name, names.note(name, of: task.address.host, now: now) { endNameless(now) }
    switch result {
    case .ends(.failed(let failure)): fail(task, failure)
    case .ends(let outcome):
      queue.noteSuccess(host)
      end(task, outcome)
    case .leads(let address):
      queue.noteSuccess(host)
      redirect(task, to: address)
    case .mayRetry(let failure, let after): retry(task, failure, after)
    }
  }

  private func redirect(_ task: FetchTask, to address: WebAddress) {
    guard task.hops < settings.redirects else {
      let words = "\(task.address.name): more than \(settings.redirects) redirects"
      return end(task, .failed(FetchFailure(.tooManyRedirects, words)))
    }
    task.follow(to: address)
    enter(task, due: now)
  }

  private func retry(_ task: FetchTask, _ failure: FetchFailure, _ after: Duration?) {
    if let after, after > .zero { pause(task.address.authority, after) }
    let pause = max(
      after ?? .zero,
      BackOff.pause(
        before: task.retries, base: settings.backOff,
        part: .random(in: 0...1, using: &random)))
    guard task.retries < settings.retries, pause < task.left else {
      var failure = failure
      if let after, after >= task.left {
        failure.detail += ", and wants to be left alone for \(FetchMessages.time(after))"
      }
      return fail(task, failure)
    }
    task.retries += 1
    task.isRetry = true
    enter(task, due: now + pause)
  }

  /// Nobody asks a host for some time; who cannot wait so long has nothing to wait for.
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

  /// Ends a request with what the last attempt came to, and counts whether its host is there.
  private func fail(_ task: FetchTask, _ failure: FetchFailure) {
    let host = task.address.authority
    switch failure.reason {
    case .timeout, .connectionFailed, .connectionCut, .hostNotFound, .tlsFailed, .serverFailed:
      break
    case .notFound, .httpRefused, .empty, .tooManyBytes, .encodedBody, .redirectRefused:
      queue.noteSuccess(host)
      return end(task, .failed(failure))
    default: return end(task, .failed(failure))
    }
    end(task, .failed(failure))
    if queue.noteFailure(host, now: now) { dismiss(host, with: givenUp) { _ in true } }
  }

  /// Ends those who wait for a host, all that are meant at once.
  private func dismiss(
    _ host: String, with failure: (FetchTask) -> FetchFailure, where isMeant: (FetchTask) -> Bool
  ) {
    let ids = queue.remove(host, now: now) { tasks[$0].map(isMeant) ?? true }
    for task in ids.compactMap({ tasks[$0] }) { end(task, .failed(failure(task))) }
  }

  /// No name server answers: ends all who wait to ask for names that are not known.
  private func endNameless(_ now: Duration) {
    let waiting = Set(tasks.values.map(\.address.authority))
    for host in waiting.sorted() {
      dismiss(host, with: nameless) { isNameless($0, now) }
    }
  }

  private func isProxied(_ task: FetchTask) -> Bool { proxies.proxy(for: task.address) != nil }

  private func isNameless(_ task: FetchTask, _ now: Duration) -> Bool {
    names.isSilent(about: task.address.host, now: now) && !isProxied(task)
  }

  private func nameless(_ task: FetchTask) -> FetchFailure {
    FetchFailure(.hostNotFound, "\(task.address.name): no name server answers")
  }

  private func end(_ task: FetchTask, _ outcome: FetchAnswer.Outcome) {
    tasks[task.id] = nil
    task.end(outcome, now: now)
  }

  private func givenUp(_ task: FetchTask) -> FetchFailure {
    FetchFailure(
      .hostGivenUp,
      "\(task.address.name): \(settings.patience) requests have failed one after the other")
  }

  private func paused(_ task: FetchTask, _ time: Duration) -> FetchFailure {
    FetchFailure(
      .serverFailed,
      "\(task.address.name): it wants to be left alone for \(FetchMessages.time(time))")
  }
}
