import Fetch

/// One request on its way to an answer, over its redirects, retries and pauses.
final class FetchTask {
  let id: Int
  let request: FetchRequest
  /// Where the next attempt goes.
  private(set) var address: WebAddress
  private(set) var redirects = 0
  /// Whether a redirect has led to another host or port.
  private var hasChangedHost = false
  var retries = 0
  /// Whether the next attempt repeats a failed one.
  var isRetry = false
  var attempt: Attempt?
  /// When the first attempt began; nil before.
  private var began: Duration?
  /// The time that is left; waiting for other requests does not count.
  private(set) var left: Duration
  /// Until when `left` is counted.
  private var counted = Duration.zero
  /// Since when it waits for other requests, while it is queued; that time does not count.
  var ready = Duration.zero
  private var cost = FetchCost()

  init(_ id: Int, _ request: FetchRequest, _ address: WebAddress, time: Duration) {
    self.id = id
    self.request = request
    self.address = address
    left = time
  }

  /// The validators that the next attempt may send.
  ///
  /// Behind a redirect a date may belong to another resource, so only a tag is sent there; and no
  /// host learns what another one has given.
  var validators: Validators {
    let known = request.validators
    if known.host == nil ? hasChangedHost : known.host != address.authority { return Validators() }
    return redirects == 0 ? known : Validators(etag: known.etag)
  }

  func follow(to next: WebAddress) {
    redirects += 1
    isRetry = false
    if next.authority != address.authority { hasChangedHost = true }
    address = next
  }

  // MARK: - Time and cost

  /// Counts the wait in the queue, as far as its host was paused until `pausedUntil`.
  func count(waitingUntil now: Duration, pausedUntil: Duration) {
    guard began != nil else { return }
    left -= max(min(now, max(ready, pausedUntil)) - counted, .zero)
    counted = now
  }

  func begin(_ attempt: Attempt, now: Duration) {
    if began == nil { began = now }
    counted = now
    self.attempt = attempt
  }

  /// Counts the time and the cost of an attempt that has ended.
  func finish(_ attempt: Attempt, isReused: Bool, now: Duration) {
    left -= now - counted
    counted = now
    self.attempt = nil
    var host = cost.hosts[address.name, default: FetchCost.PerHost()]
    host.requests += 1
    host.bytes += attempt.received
    if isRetry { host.retries += 1 }
    if isReused { host.reused += 1 }
    cost.hosts[address.name] = host
  }

  func cost(now: Duration) -> FetchCost {
    cost.seconds = (now - (began ?? now)) / .seconds(1)
    return cost
  }
}
