/// One request on its way to an answer, over its redirects, its retries and its pauses.
///
/// It belongs to the thread of the engine.
final class Errand {
  let id: Int
  let request: FetchRequest
  let tell: @Sendable (FetchAnswer) -> Void
  /// Where it goes next.
  var address: WebAddress
  var hops = 0
  var retries = 0
  /// Whether the next attempt asks again for what has failed.
  var isRetry = false
  /// When the first attempt began; nil before.
  var began: Duration?
  /// When it must have ended; later by what it waits in line for a place.
  private(set) var deadline = Duration.zero
  /// Since when nothing holds it back but that others are before it.
  private var ready = Duration.zero
  private(set) var cost = FetchCost()

  init(
    _ id: Int, _ request: FetchRequest, _ address: WebAddress,
    _ tell: @escaping @Sendable (FetchAnswer) -> Void
  ) {
    self.id = id
    self.request = request
    self.address = address
    self.tell = tell
  }

  /// When it must have ended, were it to begin now.
  func limit(_ now: Duration, _ time: Duration) -> Duration {
    began == nil ? now + time : deadline
  }

  /// It goes into line; what it waits there from then on is not its own time.
  func waits(from time: Duration) {
    ready = time
  }

  /// An attempt begins.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - pausedUntil: Until when its host was not to be asked.
  ///   - time: How long all may take.
  func attempts(now: Duration, pausedUntil: Duration, time: Duration) {
    if began == nil {
      began = now
      deadline = now + time
    } else {
      deadline += max(now - max(ready, pausedUntil), .zero)
    }
  }

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
