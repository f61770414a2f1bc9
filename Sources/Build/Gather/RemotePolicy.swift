package import Bytes
package import Fetch
package import Recipes
import Store

/// Decides when a URL is requested, and how its response affects the picture.
///
/// Callers pass the time: `now` is in seconds since 1970.
package struct RemotePolicy: Hashable, Sendable {
  package enum Mode: Hashable, Sendable {
    /// Fresh pictures are used without a request.
    case normal
    /// Every URL is revalidated.
    case refresh
    /// Everything is fetched again; cached pictures are only a fallback.
    case ignoringCache
    /// Only cached pictures are used, without any request.
    case offline
  }

  package var mode = Mode.normal
  /// How long a cached picture is shown if its URL fails, in seconds since it was last confirmed.
  package var maxStale: Int64 = 30 * 86_400
  /// Seconds before a permanent failure is retried.
  package static let failureTime: Int64 = 86_400

  package init() {}

  package enum Verdict: Hashable, Sendable {
    /// Usable bytes, and when they stop being fresh; 0 if unknown.
    case picture(Digest, until: Int64)
    /// The last usable bytes, because the URL fails.
    case stale(Digest, ageSeconds: Int64, Rejection)
    /// A failure without a fallback. `until` is when its cache entry expires; nil if not cached.
    case failed(Rejection, isTransient: Bool, until: Int64?)
  }

  package enum Plan: Hashable, Sendable {
    /// A verdict that does not require a request.
    case known(Verdict)
    /// A request with the validators of the cached picture, if any.
    case ask(Validators)
  }

  package enum Outcome: Hashable, Sendable {
    case picture(
      RemoteRecord.Kept, fields: HTTPFields, askedAt: Int64, answeredAt: Int64)
    case notModified(fields: HTTPFields, askedAt: Int64, answeredAt: Int64)
    case failed(Rejection, isPermanent: Bool)

    package static func failed(_ failure: FetchFailure) -> Outcome {
      .failed(Rejection(failure), isPermanent: failure.reason.isPermanent)
    }

    var transient: Rejection? {
      if case .failed(let rejection, isPermanent: false) = self { rejection } else { nil }
    }
  }

  /// Tolerated clock skew; records further in the future were written before a clock correction.
  private static let tolerance: Int64 = 60
}

// MARK: - Before a request

extension RemotePolicy {
  package func plan(for record: RemoteRecord?, now: Int64) -> Plan {
    let record = record ?? RemoteRecord()
    if mode == .offline { return .known(withoutAsking(record, now: now)) }
    if mode == .ignoringCache { return .ask(Validators()) }
    if mode == .normal, let failure = remembered(record, now: now) {
      return .known(verdict(on: record, failure, now: now))
    }
    guard let kept = record.kept else { return .ask(Validators()) }
    if mode == .normal, isFresh(record, now: now) {
      return .known(.picture(kept.digest, until: record.freshUntil))
    }
    return .ask(record.validators)
  }

  private func withoutAsking(_ record: RemoteRecord, now: Int64) -> Verdict {
    let failure = remembered(record, now: now)
    if let kept = record.kept {
      guard let failure else { return .picture(kept.digest, until: record.freshUntil) }
      // In offline mode, stale pictures are used regardless of their age.
      return .stale(
        kept.digest, ageSeconds: max(0, now - record.checkedAt), failure.rejection)
    }
    if let failure { return verdict(on: record, failure, now: now) }
    return .failed(Rejection(.offline, "it is not in the cache"), isTransient: true, until: nil)
  }

  /// Returns a failure with an unexpired cache entry, but ignores dates in the future.
  private func remembered(_ record: RemoteRecord, now: Int64) -> RemoteRecord.Failure? {
    guard let failure = record.failure, now < failure.until,
      failure.until <= now + Self.failureTime + Self.tolerance
    else { return nil }
    return failure
  }

  private func isFresh(_ record: RemoteRecord, now: Int64) -> Bool {
    record.checkedAt <= now + Self.tolerance
      && now < min(record.freshUntil, record.checkedAt + Freshness.longest)
  }

  private func verdict(
    on record: RemoteRecord, _ failure: RemoteRecord.Failure, now: Int64
  ) -> Verdict {
    stale(record, failure.rejection, now: now)
      ?? .failed(failure.rejection, isTransient: false, until: failure.until)
  }

  /// The cached picture, unless it is older than the limit.
  private func stale(_ record: RemoteRecord, _ rejection: Rejection, now: Int64) -> Verdict? {
    guard let kept = record.kept, maxStale > 0 else { return nil }
    let age = max(0, now - record.checkedAt)
    guard age <= maxStale else { return nil }
    return .stale(kept.digest, ageSeconds: age, rejection)
  }
}

// MARK: - After a request

extension RemotePolicy {
  /// Returns the verdict for a response, and the record to keep, if any.
  package func evaluate(
    _ record: RemoteRecord?, _ answer: Outcome, now: Int64
  ) -> (record: RemoteRecord?, verdict: Verdict) {
    switch answer {
    case .picture(let kept, let fields, let askedAt, let answeredAt):
      let until = Freshness.until(fields, askedAt: askedAt, answeredAt: answeredAt)
      let new = RemoteRecord(
        kept: kept, validators: Validators(fields), checkedAt: answeredAt, freshUntil: until)
      return (new, .picture(kept.digest, until: until))
    case .notModified(let fields, let askedAt, let answeredAt):
      guard let record, let kept = record.kept else {
        return failed(
          record, Rejection(.badAnswer, "not modified, but nothing is cached"), isPermanent: false,
          now: now)
      }
      let new = confirmed(record, fields, askedAt: askedAt, answeredAt: answeredAt)
      return (new, .picture(kept.digest, until: new.freshUntil))
    case .failed(let rejection, let isPermanent):
      return failed(record, rejection, isPermanent: isPermanent, now: now)
    }
  }

  /// The record for revalidated bytes (RFC 9111, 4.3.4).
  private func confirmed(
    _ record: RemoteRecord, _ fields: HTTPFields, askedAt: Int64, answeredAt: Int64
  ) -> RemoteRecord {
    var new = record
    new.failure = nil
    new.checkedAt = answeredAt
    let current = Validators(fields)
    if let old = record.validators.etag, let etag = current.etag, !Validators.isSame(old, etag) {
      // A 304 with a different ETag contradicts itself, so the next build fetches the whole picture.
      new.validators = Validators()
      new.freshUntil = 0
      return new
    }
    new.validators.etag = current.etag ?? record.validators.etag
    new.validators.lastModified = current.lastModified ?? record.validators.lastModified
    var fields = fields
    // A 304 may omit Last-Modified, but heuristic freshness needs it.
    if fields["last-modified"] == nil, let changed = record.validators.lastModified {
      fields.add("last-modified", changed)
    }
    new.freshUntil = Freshness.until(fields, askedAt: askedAt, answeredAt: answeredAt)
    return new
  }

  private func failed(
    _ record: RemoteRecord?, _ rejection: Rejection, isPermanent: Bool, now: Int64
  ) -> (record: RemoteRecord?, verdict: Verdict) {
    let failure =
      isPermanent ? RemoteRecord.Failure(rejection, until: now + Self.failureTime) : nil
    let failed = Verdict.failed(rejection, isTransient: !isPermanent, until: failure?.until)
    // Keep even a picture that is too old to show: the limit or the clock may change.
    guard var record, record.kept != nil else {
      return (failure.map { RemoteRecord(failure: $0) }, failed)
    }
    record.failure = failure
    // Without this, the picture would become fresh again when the failure expires.
    if isPermanent { record.freshUntil = 0 }
    return (record, stale(record, rejection, now: now) ?? failed)
  }
}

extension Rejection {
  init(_ failure: FetchFailure) { self.init(failure.reason, failure.detail) }

  init(_ reason: FetchReason, _ detail: String) {
    self.init(Reason(rawValue: reason.rawValue), detail)
  }
}
