package import Bytes
package import Fetch
package import Recipes
import Store

/// The rules for when to request a URL, and for how its response affects the picture.
///
/// Points in time, such as `now`, are in seconds since 1970.
package struct RemotePolicy: Hashable, Sendable {
  package enum Mode: Hashable, Sendable {
    case normal
    case refresh
    case ignoringCache
    case offline
  }

  package var mode = Mode.normal
  /// How long to show a cached picture whose URL fails, in seconds since its last confirmation.
  package var maxStale: Int64 = 30 * 86_400
  /// The number of seconds before a permanent failure is retried.
  package static let failureTime: Int64 = 86_400

  package init() {}

  package enum Verdict: Hashable, Sendable {
    /// Usable bytes; `until` is when they stop being fresh, or 0 if unknown.
    case picture(Digest, until: Int64)
    /// The last usable bytes, shown because the URL fails.
    case stale(Digest, ageSeconds: Int64, Rejection)
    /// A failure without a fallback. `until` is when its cache entry expires; nil if it is not
    /// cached.
    case failed(Rejection, isTransient: Bool, until: Int64?)
  }

  package enum Plan: Hashable, Sendable {
    case known(Verdict)
    case ask(Validators)
  }

  package enum Outcome: Hashable, Sendable {
    case picture(RemoteRecord.Kept, fields: HTTPFields, askedAt: Int64, answeredAt: Int64)
    case notModified(fields: HTTPFields, askedAt: Int64, answeredAt: Int64)
    case failed(Rejection, isPermanent: Bool)

    package static func failed(_ failure: FetchFailure) -> Outcome {
      .failed(Rejection(failure), isPermanent: failure.reason.isPermanent)
    }

    var transient: Rejection? {
      if case .failed(let rejection, isPermanent: false) = self { rejection } else { nil }
    }
  }

  /// The tolerated clock skew, in seconds; records dated further in the future are not trusted.
  private static let tolerance: Int64 = 60

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
      return .stale(kept.digest, ageSeconds: max(0, now - record.checkedAt), failure.rejection)
    }
    if let failure { return verdict(on: record, failure, now: now) }
    return .failed(Rejection(.offline, "it is not in the cache"), isTransient: true, until: nil)
  }

  /// Returns the recorded failure unless it has expired or its date is too far in the future.
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

  private func stale(_ record: RemoteRecord, _ rejection: Rejection, now: Int64) -> Verdict? {
    guard let kept = record.kept, maxStale > 0 else { return nil }
    let age = max(0, now - record.checkedAt)
    guard age <= maxStale else { return nil }
    return .stale(kept.digest, ageSeconds: age, rejection)
  }

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
          record, Rejection(.badAnswer, "status 304, but nothing is cached"), isPermanent: false,
          now: now)
      }
      let new = confirmed(record, fields, askedAt: askedAt, answeredAt: answeredAt)
      return (new, .picture(kept.digest, until: new.freshUntil))
    case .failed(let rejection, let isPermanent):
      return failed(record, rejection, isPermanent: isPermanent, now: now)
    }
  }

  /// Returns the record for revalidated bytes (RFC 9111, section 4.3.4).
  private func confirmed(
    _ record: RemoteRecord, _ fields: HTTPFields, askedAt: Int64, answeredAt: Int64
  ) -> RemoteRecord {
    var new = record
    new.failure = nil
    new.checkedAt = answeredAt
    let current = Validators(fields)
    if let old = record.validators.etag, let etag = current.etag, !Validators.isSame(old, etag) {
      // A 304 with a different ETag contradicts itself, so the next build fetches the picture
      // again.
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
    let failure = isPermanent ? RemoteRecord.Failure(rejection, until: now + Self.failureTime) : nil
    let failed = Verdict.failed(rejection, isTransient: !isPermanent, until: failure?.until)
    // Keep even a picture that is too old to show: the limit or the clock may change.
    guard var record, record.kept != nil else {
      return (failure.map { RemoteRecord(failure: $0) }, failed)
    }
    record.failure = failure
    // Mark the picture as stale: it would otherwise be fresh again when the failure expires.
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
