/// One request on its way to an answer, over its redirects, its retries and its pauses.
///
/// It belongs to the thread of the engine.
final class FetchTask {
  let id: Int
  let request: FetchRequest
  let tell: @Sendable (FetchAnswer) -> Void
  /// Where it goes next.
  private(set) var address: WebAddress
  private(set) var hops = 0
  /// Whether it has been sent to another host or port since it began.
  private var hasStrayed = false
  var retries = 0
  /// Whether the next attempt asks again for what has failed.
  var isRetry = false
  /// When the first attempt began; nil before.
  private var began: Duration?
  /// What it may still take; waiting in line for a place takes nothing from it.
  private(set) var left: Duration
  /// Until when `left` is counted.
  private var counted = Duration.zero
  /// From when on nothing holds it back but that others are before it.
  private var ready = Duration.zero
  private(set) var cost = FetchCost()

  init(
    _ id: Int, _ request: FetchRequest, _ address: WebAddress, time: Duration,
    _ tell: @escaping @Sendable (FetchAnswer) -> Void
  ) {
    self.id = id
    self.request = request
    self.address = address
    self.tell = tell
    left = time
  }

  /// What the next attempt may send of what is known already.
  ///
  /// A date may be right for one thing and wrong for another, to which a redirect leads today; and
  /// what one host has given is nobody else's business.
  var validators: Validators {
    let known = request.validators
    if let host = known.host {
      guard host == address.authority else { return Validators() }
      return hops == 0 ? known : Validators(etag: known.etag)
    }
    if hops == 0 { return known }
    return hasStrayed ? Validators() : Validators(etag: request.validators.etag)
  }

  /// Goes elsewhere.
  func follow(to next: WebAddress) {
    hops += 1
    isRetry = false
    if next.authority != address.authority { hasStrayed = true }
    address = next
  }

  // MARK: - Time

  /// It goes into line; what it waits there from then on is not its own time.
  func waits(from time: Duration) {
    ready = time
  }

  /// Counts what it has waited in line.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - pausedUntil: Until when its host was not to be asked; waiting for that is its own time.
  func count(waitingUntil now: Duration, pausedUntil: Duration) {
    guard began != nil else { return }
    left -= max(min(now, max(ready, pausedUntil)) - counted, .zero)
    counted = now
  }

  /// An attempt begins.
  func attempts(now: Duration) {
    if began == nil { began = now }
    counted = now
  }

  /// An attempt has ended.
  func count(attemptUntil now: Duration) {
    left -= now - counted
    counted = now
  }

  // MARK: - Ends

  /// Adds what an attempt took.
  func spend(_ attempt: borrowing Attempt, isReused: Bool) {
    cost.hosts[address.name, default: FetchCost.PerHost()].requests += 1
    cost.hosts[address.name, default: FetchCost.PerHost()].bytes += attempt.received
    if attempt.isRetry { cost.hosts[address.name, default: FetchCost.PerHost()].retries += 1 }
    if isReused { cost.hosts[address.name, default: FetchCost.PerHost()].reused += 1 }
  }

  func end(_ outcome: FetchAnswer.Outcome, now: Duration) {
    let time = (now - (began ?? now)).components
    cost.seconds = Double(time.seconds) + Double(time.attoseconds) / 1e18
    tell(FetchAnswer(outcome, cost: cost))
  }
}
