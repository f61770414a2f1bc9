import Fetch

/// One request on its way to an answer, over its redirects, retries and pauses.
///
/// Only the engine's thread uses it.
final class FetchTask {
  let id: Int
  let request: FetchRequest
  /// Where a large body goes; nil for a file.
  let forward: BodySink.Forward?
  let tell: Fetcher.Tell
  /// Where the next attempt goes.
  private(set) var address: WebAddress
  private(set) var redirects = 0
  /// Whether a redirect has led to another host or port.
  private var hasChangedHost = false
  var retries = 0
  /// Whether the next attempt repeats a failed one.
  var isRetry = false
  /// When the first attempt began; nil before.
  private var began: Duration?
  /// The time that is left; waiting for other requests does not count.
  private(set) var left: Duration
  /// Until when `left` is counted.
  private var counted = Duration.zero
  /// Since when it waits for other requests, while it is queued; that time does not count.
  var ready = Duration.zero
  private(set) var cost = FetchCost()

  init(
    _ id: Int, _ request: FetchRequest, _ address: WebAddress, time: Duration,
    _ forward: BodySink.Forward?, _ tell: @escaping Fetcher.Tell
  ) {
    self.id = id
    self.request = request
    self.address = address
    self.forward = forward
    self.tell = tell
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

  // MARK: - Time

  /// Counts the wait in the queue, as far as its host was paused until `pausedUntil`.
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

  /// Adds the cost of an attempt.
  func spend(_ attempt: borrowing Attempt, isReused: Bool) {
    var host = cost.hosts[address.name, default: FetchCost.PerHost()]
    host.requests += 1
    host.bytes += attempt.received
    if attempt.isRetry { host.retries += 1 }
    if isReused { host.reused += 1 }
    cost.hosts[address.name] = host
  }

  func end(_ outcome: FetchAnswer.Outcome, now: Duration) {
    cost.seconds = (now - (began ?? now)) / .seconds(1)
    tell(FetchAnswer(outcome, cost: cost))
  }
}
