import CCurl
import Files
import Foundation

/// What the thread of an engine does: lets requests begin, follows them, tells what came of them.
final class EngineLoop {
  private let settings: FetchSettings
  private let inbox: Inbox
  private let multi: Multi
  private let judge: AddressJudge
  private let proxies: Proxies
  private var line: Line
  private var names: NameWatch
  /// By their numbers: all that have not ended.
  private var errands: [Int: Errand] = [:]
  /// By their keys: those who carry an attempt.
  private var couriers: [Int: Courier] = [:]
  private var idle: [Courier] = []
  private let origin = ContinuousClock.now
  private var random = SystemRandomNumberGenerator()

  init(_ settings: FetchSettings, _ inbox: Inbox, _ multi: Multi) {
    self.settings = settings
    self.inbox = inbox
    self.multi = multi
    judge = AddressJudge(settings.reach)
    proxies = Proxies(settings.proxy)
    line = Line(
      perHost: settings.perHost, overall: settings.overall, patience: settings.patience)
    names = NameWatch(patience: settings.patience)
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
      while let id = line.next(now: now) { attempt(id) }
      multi.perform()
      var hasEnded = false
      while let (key, code) = multi.ended() {
        hasEnded = true
        finish(key, code)
      }
      let late = late()
      for courier in late { finish(courier.key, CURLE_OPERATION_TIMEDOUT) }
      // Whoever has ended leaves a place.
      if !hasEnded, late.isEmpty, inbox.maySleep() { sleep() }
    }
    for courier in couriers.values { multi.remove(courier) }
    couriers = [:]
    idle = []
    for errand in errands.values { errand.end(.failed(EngineLoop.closed), now: now) }
  }

  /// What is told of requests that an engine does not do any more.
  static let closed = FetchFailure(.cancelled, "nothing is fetched any more")

  private func sleep() {
    let now = now
    let times = couriers.values.map(\.deadline) + [line.due(now: now) ?? now + .seconds(60)]
    multi.wait(max(min(times.min() ?? now, now + .seconds(60)) - now, .zero))
  }

  /// Whose time is over: libcurl does not count that of everybody who waits within it.
  private func late() -> [Courier] {
    let now = now
    return couriers.values.filter { $0.deadline <= now }
  }

  // MARK: - Coming

  private func begin(
    _ id: Int, _ request: FetchRequest, _ tell: @escaping @Sendable (FetchAnswer) -> Void
  ) {
    let errand: Errand
    do throws(FetchFailure) {
      errand = Errand(id, request, try WebAddress(request.url), time: settings.time, tell)
    } catch {
      tell(FetchAnswer(.failed(error)))
      return
    }
    errands[id] = errand
    enter(errand)
  }

  /// Puts a request in line for its host, or ends it where that is of no use.
  private func enter(_ errand: Errand, due: Duration? = nil) {
    let now = now
    let host = errand.address.authority
    do throws(FetchFailure) {
      try judge.check(errand.address, isProxied: isProxied(errand))
    } catch {
      return end(errand, .failed(error))
    }
    if line.isGivenUp(host, now: now) { return end(errand, .failed(givenUp(errand))) }
    if isNameless(errand, now) { return end(errand, .failed(nameless(errand))) }
    let pause = line.pausedUntil(host) - now
    if pause > errand.left { return end(errand, .failed(paused(errand, pause))) }
    errand.waits(from: max(due ?? now, now))
    line.enter(errand.id, host, due: due, now: now)
  }

  private func cancel(_ id: Int) {
    guard let errand = errands.removeValue(forKey: id) else { return }
    if let courier = couriers.values.first(where: { $0.errand === errand }) {
      retire(courier)
      courier.drop()
      line.leave(errand.address.authority, now: now)
    } else {
      line.remove(id, errand.address.authority, now: now)
    }
  }

  // MARK: - Attempts

  private func attempt(_ id: Int) {
    guard let errand = errands[id] else { preconditionFailure("who waits has not ended") }
    let now = now
    let host = errand.address.authority
    errand.count(waitingUntil: now, pausedUntil: line.pausedUntil(host))
    errand.attempts(now: now)
    let courier = idle.popLast() ?? Courier(settings, judge)
    courier.take(errand, proxy: proxies.proxy(for: errand.address), now: now)
    guard multi.add(courier) else {
      courier.drop()
      line.leave(host, now: now)
      let words = "\(errand.address.name): this machine can ask for no more"
      return end(errand, .failed(FetchFailure(.spoolFailed, words)))
    }
    couriers[courier.key] = courier
  }

  /// Takes a courier from the work.
  private func retire(_ courier: Courier) {
    multi.remove(courier)
    couriers[courier.key] = nil
    idle.append(courier)
  }

  private func finish(_ key: Int, _ code: CURLcode) {
    guard let courier = couriers[key], let errand = courier.errand else { return }
    retire(courier)
    let now = now
    let host = errand.address.authority
    line.leave(host, now: now)
    errand.count(attemptUntil: now)
    let (verdict, name) = courier.end(code, now: Int64(Date().timeIntervalSince1970))
    if let name, names.note(name, of: errand.address.host, now: now) { endNameless(now) }
    switch verdict {
    case .ends(.failed(let failure)): fail(errand, failure)
    case .ends(let outcome):
      line.noteSuccess(host)
      end(errand, outcome)
    case .leads(let address):
      line.noteSuccess(host)
      redirect(errand, to: address)
    case .mayRetry(let failure, let after): retry(errand, failure, after)
    }
  }

  private func redirect(_ errand: Errand, to address: WebAddress) {
    guard errand.hops < settings.redirects else {
      let words = "\(errand.address.name): more than \(settings.redirects) redirects"
      return end(errand, .failed(FetchFailure(.tooManyRedirects, words)))
    }
    errand.follow(to: address)
    enter(errand, due: now)
  }

  private func retry(_ errand: Errand, _ failure: FetchFailure, _ after: Duration?) {
    if let after, after > .zero { pause(errand.address.authority, after) }
    let pause = max(
      after ?? .zero,
      BackOff.pause(
        before: errand.retries, base: settings.backOff,
        part: .random(in: 0...1, using: &random)))
    guard errand.retries < settings.retries, pause < errand.left else {
      var failure = failure
      if let after, after >= errand.left {
        failure.detail += ", and wants to be left alone for \(AnswerWords.time(after))"
      }
      return fail(errand, failure)
    }
    errand.retries += 1
    errand.isRetry = true
    enter(errand, due: now + pause)
  }

  /// Nobody asks a host for some time; who cannot wait so long has nothing to wait for.
  private func pause(_ host: String, _ time: Duration) {
    let now = now
    let before = line.pausedUntil(host)
    line.pause(host, until: now + BackOff.rest(time, time: settings.time), now: now)
    func cannotWait(_ errand: Errand) -> Bool {
      errand.count(waitingUntil: now, pausedUntil: before)
      return errand.left < time
    }
    dismiss(host, with: { paused($0, time) }, where: cannotWait)
  }

  // MARK: - Ends

  /// Ends a request with what the last attempt came to, and counts whether its host is there.
  private func fail(_ errand: Errand, _ failure: FetchFailure) {
    let host = errand.address.authority
    switch failure.reason {
    case .timeout, .connectionFailed, .connectionCut, .hostNotFound, .tlsFailed, .serverFailed:
      break
    case .notFound, .httpRefused, .empty, .tooManyBytes, .encodedBody, .redirectRefused:
      line.noteSuccess(host)
      return end(errand, .failed(failure))
    default: return end(errand, .failed(failure))
    }
    end(errand, .failed(failure))
    if line.noteFailure(host, now: now) { dismiss(host, with: givenUp) { _ in true } }
  }

  /// Ends those who wait for a host, all that are meant at once.
  private func dismiss(
    _ host: String, with failure: (Errand) -> FetchFailure, where isMeant: (Errand) -> Bool
  ) {
    let ids = line.remove(host, now: now) { errands[$0].map(isMeant) ?? true }
    for errand in ids.compactMap({ errands[$0] }) { end(errand, .failed(failure(errand))) }
  }

  /// No name server answers: ends all who wait to ask for names that are not known.
  private func endNameless(_ now: Duration) {
    let waiting = Set(errands.values.map(\.address.authority))
    for host in waiting.sorted() {
      dismiss(host, with: nameless) { isNameless($0, now) }
    }
  }

  private func isProxied(_ errand: Errand) -> Bool { proxies.proxy(for: errand.address) != nil }

  private func isNameless(_ errand: Errand, _ now: Duration) -> Bool {
    names.isSilent(about: errand.address.host, now: now) && !isProxied(errand)
  }

  private func nameless(_ errand: Errand) -> FetchFailure {
    FetchFailure(.hostNotFound, "\(errand.address.name): no name server answers")
  }

  private func end(_ errand: Errand, _ outcome: FetchAnswer.Outcome) {
    errands[errand.id] = nil
    errand.end(outcome, now: now)
  }

  private func givenUp(_ errand: Errand) -> FetchFailure {
    FetchFailure(
      .hostGivenUp,
      "\(errand.address.name): \(settings.patience) requests have failed one after the other")
  }

  private func paused(_ errand: Errand, _ time: Duration) -> FetchFailure {
    FetchFailure(
      .serverFailed,
      "\(errand.address.name): it wants to be left alone for \(AnswerWords.time(time))")
  }
}
