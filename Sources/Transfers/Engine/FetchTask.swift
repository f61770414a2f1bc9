import Fetch

final class FetchTask {
  let id: Int
  let request: FetchRequest
  private(set) var address: WebAddress
  private(set) var redirects = 0
  private var hasChangedHost = false
  var retries = 0
  var isRetry = false
  var attempt: Attempt?
  private var began: Duration?
  /// The remaining time; waiting for other requests does not reduce it.
  private(set) var left: Duration
  private var counted = Duration.zero
  /// The time when the request's pause ends; waiting longer does not reduce `left`.
  var ready = Duration.zero
  private var cost = FetchCost()

  init(_ id: Int, _ request: FetchRequest, _ address: WebAddress, time: Duration) {
    self.id = id
    self.request = request
    self.address = address
    left = time
  }

  /// The validators for the next attempt.
  ///
  /// After a redirect, only the ETag is sent; Last-Modified may belong to a different resource.
  /// Validators are never sent to a different host.
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

  /// Deducts from `left` the time that the request waited in the queue because of a pause.
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
