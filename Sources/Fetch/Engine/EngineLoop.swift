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
      // Whoever has ended leaves a place.
      if !hasEnded, inbox.maySleep() { sleep() }
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
    let time = line.due(now: now).map { max($0 - now, .zero) } ?? .seconds(60)
    multi.wait(min(time, .seconds(60)))
  }

  // MARK: - Coming

  private func begin(
    _ id: Int, _ request: FetchRequest, _ tell: @escaping @Sendable (FetchAnswer) -> Void
  ) {
    let errand: Errand
    do throws(FetchFailure) {
      errand = Errand(id, request, try WebAddress(request.url), tell)
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
      try judge.check(
        errand.address, isProxied: proxies.proxy(for: errand.address) != nil)
    } catch {
      return end(errand, .failed(error))
    }
    if line.isGivenUp(host, now: now) { return end(errand, .failed(givenUp(errand))) }
    let until = line.pausedUntil(host)
    if until > errand.limit(now, settings.time) {
      return end(errand, .failed(paused(errand, until - now)))
    }
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
    errand.attempts(
      now: now, pausedUntil: line.pausedUntil(errand.address.authority), time: settings.time)
    let courier = idle.popLast() ?? Courier(settings, judge)
    courier.take(
      errand, proxy: proxies.proxy(for: errand.address), time: errand.deadline - now, settings)
    couriers[courier.key] = courier
    multi.add(courier)
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
    let host = errand.address.authority
    line.leave(host, now: now)
    let seconds = Int64(Date().timeIntervalSince1970)
    switch courier.end(code, settings, now: seconds) {
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
    errand.hops += 1
    errand.isRetry = false
    errand.address = address
    enter(errand, due: now)
  }

  private func retry(_ errand: Errand, _ failure: FetchFailure, _ after: Duration?) {
    let now = now
    let host = errand.address.authority
    if let after, after > .zero { pause(host, after) }
    let pause = max(
      after ?? .zero,
      BackOff.pause(
        before: errand.retries, base: settings.backOff,
        part: .random(in: 0...1, using: &random)))
    guard errand.retries < settings.retries, now + pause < errand.deadline else {
      var failure = failure
      if let after, now + after >= errand.deadline {
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
    line.pause(host, until: now + time, now: now)
    for errand in line.waiting(host).compactMap({ errands[$0] })
    where errand.limit(now, settings.time) < now + time {
      line.remove(errand.id, host, now: now)
      end(errand, .failed(paused(errand, time)))
    }
  }

  // MARK: - Ends

  /// Ends a request with what the last attempt came to, and counts whether its host is there.
  private func fail(_ errand: Errand, _ failure: FetchFailure) {
    let host = errand.address.authority
    switch failure.reason {
    case .timeout, .connectionFailed, .connectionCut, .hostNotFound, .tlsFailed: break
    case .serverFailed where failure.status.map { $0 >= 500 } == true: break
    case .notFound, .httpRefused, .empty, .tooManyBytes, .encodedBody, .redirectRefused:
      line.noteSuccess(host)
      return end(errand, .failed(failure))
    default: return end(errand, .failed(failure))
    }
    end(errand, .failed(failure))
    guard line.noteFailure(host, now: now) else { return }
    for errand in line.waiting(host).compactMap({ errands[$0] }) {
      line.remove(errand.id, host, now: now)
      end(errand, .failed(givenUp(errand)))
    }
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
