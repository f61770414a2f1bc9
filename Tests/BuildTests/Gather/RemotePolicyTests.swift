import SiteSupport

struct RemotePolicyTests {
  static let now: Int64 = 1_800_000_000
  static let day: Int64 = 86_400
  static let first = RemoteRecord.Kept(digest: Digest(of: "first"), size: 5)
  static let second = RemoteRecord.Kept(digest: Digest(of: "second"), size: 6)
  static let validators = Validators(etag: "\"1\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
  static let notFound = FetchFailure(.notFound, "example.org says 404", status: 404)
  static let timeout = FetchFailure(.timeout, "example.org did not answer")

  /// Returns a cached record that was checked some time ago and is fresh for an hour from then.
  func record(checked ago: Int64, failure: RemoteRecord.Failure? = nil) -> RemoteRecord {
    RemoteRecord(
      kept: Self.first, validators: Self.validators, checkedAt: Self.now - ago,
      freshUntil: Self.now - ago + 3600, failure: failure)
  }

  func policy(_ change: (inout RemotePolicy) -> Void = { _ in }) -> RemotePolicy {
    var policy = RemotePolicy()
    change(&policy)
    return policy
  }

  func picture(
    _ kept: RemoteRecord.Kept = first, _ fields: KeyValuePairs<String, String> = [:]
  ) -> RemotePolicy.Outcome {
    .picture(kept, fields: HTTPFields(fields), askedAt: Self.now, answeredAt: Self.now)
  }

  func notModified(_ fields: KeyValuePairs<String, String> = [:]) -> RemotePolicy.Outcome {
    .notModified(fields: HTTPFields(fields), askedAt: Self.now, answeredAt: Self.now)
  }

  @Test func `missing entries are fetched, but fresh ones are not`() {
    let policy = policy()
    #expect(policy.plan(for: nil, now: Self.now) == .ask(Validators()))
    #expect(
      policy.plan(for: record(checked: 3599), now: Self.now)
        == .known(.picture(Self.first.digest, until: Self.now + 1)))
    #expect(policy.plan(for: record(checked: 3600), now: Self.now) == .ask(Self.validators))
  }

  @Test func `setting the clock back does not extend freshness`() {
    let policy = policy()
    #expect(
      policy.plan(for: record(checked: -60), now: Self.now)
        == .known(.picture(Self.first.digest, until: Self.now + 3660)))
    #expect(policy.plan(for: record(checked: -61), now: Self.now) == .ask(Self.validators))
    var promised = record(checked: 8 * Self.day)
    promised.freshUntil = .max
    #expect(policy.plan(for: promised, now: Self.now) == .ask(Self.validators))
    // A failure with a time in the future is ignored.
    let failure = RemoteRecord.Failure(Rejection("not-found", ""), until: Self.now + 2 * Self.day)
    #expect(policy.plan(for: RemoteRecord(failure: failure), now: Self.now) == .ask(Validators()))
  }

  @Test func `a new picture stays fresh as long as the server allows`() {
    let (record, verdict) = policy().evaluate(
      nil,
      picture(
        Self.second, ["ETag": "W/\"2\"", "Cache-Control": "max-age=60", "Last-Modified": "?"]),
      now: Self.now)
    #expect(
      record
        == RemoteRecord(
          kept: Self.second, validators: Validators(etag: "W/\"2\""), checkedAt: Self.now,
          freshUntil: Self.now + 60))
    #expect(verdict == .picture(Self.second.digest, until: Self.now + 60))
    let old = self.record(checked: Self.day)
    let replaced = policy().evaluate(old, picture(Self.second), now: Self.now)
    #expect(replaced.record?.validators == Validators())
    #expect(replaced.verdict == .picture(Self.second.digest, until: 0))
  }

  /// RFC 9111, 4.3.4: new header fields replace old ones, and the others remain.
  @Test func `a 304 revalidates the cached picture`() {
    let old = record(checked: 40 * Self.day)
    let (record, verdict) = policy().evaluate(
      old, notModified(["Cache-Control": "max-age=60", "ETag": "W/\"1\""]), now: Self.now)
    #expect(verdict == .picture(Self.first.digest, until: Self.now + 60))
    #expect(record?.kept == Self.first)
    #expect(record?.checkedAt == Self.now)
    #expect(record?.validators.etag == "W/\"1\"")
    #expect(record?.validators.lastModified == Self.validators.lastModified)
    // Heuristic freshness needs `Last-Modified`, which a 304 may omit.
    let guessed = policy().evaluate(old, notModified(), now: Self.now)
    #expect(guessed.verdict == .picture(Self.first.digest, until: Self.now + Self.day))
  }

  @Test func `after a 304 with a different ETag, the picture is fetched again`() {
    let (record, verdict) = policy().evaluate(
      record(checked: Self.day), notModified(["ETag": "\"2\"", "Cache-Control": "max-age=60"]),
      now: Self.now)
    #expect(verdict == .picture(Self.first.digest, until: 0))
    #expect(policy().plan(for: record, now: Self.now) == .ask(Validators()))
  }

  @Test func `a 304 without a cached picture is a failure`() {
    for old in [nil, RemoteRecord()] {
      let (record, verdict) = policy().evaluate(old, notModified(), now: Self.now)
      #expect(record == nil)
      guard case .failed(let rejection, true, nil) = verdict,
        rejection.reason.rawValue == "bad-answer"
      else {
        Issue.record("\(verdict)")
        continue
      }
    }
  }

  @Test(arguments: [timeout, notFound])
  func `the last good picture is used until it is too old`(failure: FetchFailure) {
    var policy = policy()
    func verdict(_ ago: Int64) -> RemotePolicy.Verdict {
      policy.evaluate(record(checked: ago), .failed(failure), now: Self.now).verdict
    }
    func stale(_ age: Int64) -> RemotePolicy.Verdict {
      .stale(Self.first.digest, ageSeconds: age, Rejection(failure.reason.rawValue, failure.detail))
    }
    let isPermanent = failure.reason.isPermanent
    let failed = RemotePolicy.Verdict.failed(
      Rejection(failure.reason.rawValue, failure.detail), isTransient: !isPermanent,
      until: isPermanent ? Self.now + Self.day : nil)
    #expect(verdict(0) == stale(0))
    #expect(verdict(-500) == stale(0))
    #expect(verdict(30 * Self.day) == stale(30 * Self.day))
    #expect(verdict(30 * Self.day + 1) == failed)
    policy.maxStale = 10
    #expect(verdict(10) == stale(10))
    #expect(verdict(11) == failed)
    policy.maxStale = 0
    #expect(verdict(0) == failed)
  }

  @Test func `a picture past its age limit is kept but not shown`() {
    let old = record(checked: 31 * Self.day)
    #expect(policy().evaluate(old, .failed(Self.timeout), now: Self.now).record == old)
    let gone = policy().evaluate(old, .failed(Self.notFound), now: Self.now).record
    #expect(gone?.kept == old.kept && gone?.failure?.rejection.reason.rawValue == "not-found")
    let lenient = policy { $0.maxStale = 40 * Self.day }
    guard case .known(.stale) = lenient.plan(for: gone, now: Self.now) else {
      Issue.record("\(String(describing: gone))")
      return
    }
  }

  @Test func `a picture past its age limit is used again after a 304`() {
    let old = record(checked: 400 * Self.day)
    #expect(policy().plan(for: old, now: Self.now) == .ask(Self.validators))
    let verdict = policy().evaluate(old, notModified(["Cache-Control": "no-cache"]), now: Self.now)
      .verdict
    #expect(verdict == .picture(Self.first.digest, until: 0))
  }

  /// G25: a 404 is cached until it expires or `--refresh` is used; a timeout is retried.
  @Test func `permanent failures are cached for a day, but temporary ones are not`() {
    let policy = policy()
    let (record, verdict) = policy.evaluate(nil, .failed(Self.notFound), now: Self.now)
    let failed = RemotePolicy.Verdict.failed(
      Rejection("not-found", "example.org says 404"), isTransient: false,
      until: Self.now + Self.day)
    #expect(verdict == failed)
    for later in [0, 1, Self.day - 1] {
      #expect(policy.plan(for: record, now: Self.now + later) == .known(failed))
    }
    #expect(policy.plan(for: record, now: Self.now + Self.day) == .ask(Validators()))
    let retrying = self.policy { $0.mode = .refresh }
    #expect(retrying.plan(for: record, now: Self.now + 1) == .ask(Validators()))

    let temporary = policy.evaluate(nil, .failed(Self.timeout), now: Self.now)
    #expect(temporary.record == nil)
    #expect(
      temporary.verdict
        == .failed(
          Rejection("fetch-timeout", "example.org did not answer"), isTransient: true,
          until: nil))
    #expect(policy.plan(for: temporary.record, now: Self.now) == .ask(Validators()))
  }

  /// G25: a 404 is cached until it expires or `--refresh` is used; a timeout is retried.
  @Test func `a permanent failure is cached alongside a cached picture`() {
    let policy = policy()
    let record = policy.evaluate(record(checked: 100), .failed(Self.notFound), now: Self.now).record
    #expect(
      policy.plan(for: record, now: Self.now + 50)
        == .known(
          .stale(Self.first.digest, ageSeconds: 150, Rejection("not-found", "example.org says 404"))
        ))
    // The earlier response, which made the picture fresh, is ignored.
    #expect(policy.plan(for: record, now: Self.now + Self.day) == .ask(Self.validators))
    let retrying = self.policy { $0.mode = .refresh }
    #expect(retrying.plan(for: record, now: Self.now + 50) == .ask(Self.validators))
    // The picture is too old to be shown, but nothing is requested while the failure is cached.
    let strict = self.policy { $0.maxStale = 120 }
    #expect(
      strict.plan(for: record, now: Self.now + 50)
        == .known(
          .failed(
            Rejection("not-found", "example.org says 404"), isTransient: false,
            until: Self.now + Self.day)))
    let temporary = policy.evaluate(record, .failed(Self.timeout), now: Self.now + 60).record
    #expect(temporary?.failure == nil && temporary?.kept == Self.first)
  }

  /// G23: `--refresh` revalidates fresh pictures.
  @Test func `refresh mode revalidates fresh pictures`() {
    let policy = policy { $0.mode = .refresh }
    #expect(policy.plan(for: record(checked: 0), now: Self.now) == .ask(Self.validators))
    let failure = RemoteRecord.Failure(Rejection("x", ""), until: Self.now + 5)
    #expect(
      policy.plan(for: record(checked: 0, failure: failure), now: Self.now)
        == .ask(Self.validators))
    let failed = policy.evaluate(nil, .failed(Self.notFound), now: Self.now).record
    #expect(policy.plan(for: failed, now: Self.now) == .ask(Validators()))
  }

  /// G23: `--no-cache` sends no validators.
  @Test func `a request that ignores the cache sends no validators`() {
    let policy = policy { $0.mode = .ignoringCache }
    let failure = RemoteRecord.Failure(Rejection("x", ""), until: Self.now + 5)
    #expect(
      policy.plan(for: record(checked: 0, failure: failure), now: Self.now) == .ask(Validators()))
    guard
      case .stale = policy.evaluate(record(checked: 0), .failed(Self.timeout), now: Self.now)
        .verdict
    else {
      Issue.record("the stale copy was not used")
      return
    }
  }

  /// G23: `--offline` sends nothing.
  @Test func `offline mode uses the cache and sends nothing`() {
    let policy = policy { $0.mode = .offline }
    let failure = RemoteRecord.Failure(Rejection("x", "y"), until: Self.now + 5)
    #expect(
      policy.plan(for: record(checked: 900 * Self.day, failure: failure), now: Self.now)
        == .known(
          .stale(Self.first.digest, ageSeconds: 900 * Self.day, Rejection("x", "y"))))
    for record in [record(checked: 0), record(checked: 900 * Self.day)] {
      #expect(
        policy.plan(for: record, now: Self.now)
          == .known(.picture(Self.first.digest, until: record.freshUntil)))
    }
    #expect(
      policy.plan(for: RemoteRecord(failure: failure), now: Self.now)
        == .known(
          .failed(Rejection("x", "y"), isTransient: false, until: Self.now + 5)))
    let offline = RemotePolicy.Plan.known(
      .failed(Rejection("offline", "it is not in the cache"), isTransient: true, until: nil))
    #expect(policy.plan(for: nil, now: Self.now) == offline)
    #expect(policy.plan(for: RemoteRecord(failure: failure), now: Self.now + 5) == offline)
  }
}

extension Rejection {
  fileprivate init(_ reason: String, _ detail: String) {
    self.init(Reason(rawValue: reason), detail)
  }
}
