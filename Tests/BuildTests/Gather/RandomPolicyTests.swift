import SiteSupport

/// Random builds against a random server, compared with a model of the documented policy.
struct RandomPolicyTests {
  /// The expected state, independent of the policy's record.
  struct Truth {
    var lastGood: RemoteRecord.Kept?
    var confirmedAt: Int64 = 0
    /// The time at which the server's last response expires.
    var promised: Int64 = 0
    /// The time at which a permanent failure expires, if that was the last response.
    var failedUntil: Int64 = 0
    var tag: String?
    var served = 0
  }

  @Test(arguments: 0..<8)
  func `random builds never show a bad picture or send an extra request`(round: Int) {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    var truth = Truth()
    var record: RemoteRecord?
    var now: Int64 = 1_800_000_000
    for step in 0..<3000 {
      now += [0, 1, 59, 3600, 43_200, 86_400, 700_000, 3_000_000][random.next(upTo: 8)]
      var policy = RemotePolicy()
      policy.mode =
        [.normal, .normal, .normal, .refresh, .ignoringCache, .offline][random.next(upTo: 6)]
      policy.maxStale = [0, 3600, 30 * 86_400][random.next(upTo: 3)]
      let words = "seed \(seed), step \(step)"
      switch policy.plan(for: record, now: now) {
      case .known(let verdict):
        check(verdict, truth, policy, now: now, wasAsked: false, words)
        if case .failed = verdict, policy.mode != .offline {
          #expect(now < truth.failedUntil && policy.mode == .normal, "\(words)")
        }
      case .ask(let validators):
        #expect(policy.mode != .offline, "\(words)")
        if policy.mode == .normal {
          #expect(now >= truth.failedUntil && now >= truth.promised, "\(words)")
        }
        #expect(validators.etag == nil || validators.etag == truth.tag, "\(words)")
        #expect(
          validators.isEmpty || (truth.lastGood != nil && policy.mode != .ignoringCache), "\(words)"
        )
        let answer = answer(validators, &truth, &random, now: now)
        let evaluated = policy.evaluate(record, answer, now: now)
        record = evaluated.record
        check(evaluated.verdict, truth, policy, now: now, wasAsked: true, words)
      }
      #expect(record?.kept == truth.lastGood, "\(words)")
      if record?.kept != truth.lastGood { return }
    }
  }

  private func answer(
    _ validators: Validators, _ truth: inout Truth, _ random: inout SeededRandom, now: Int64
  ) -> RemotePolicy.Outcome {
    let age = [0, 60, 7200, 200_000, 9_000_000][random.next(upTo: 5)]
    var fields = HTTPFields(["Cache-Control": "max-age=\(age)"])
    switch random.next(upTo: validators.isEmpty ? 4 : 6) {
    case 0:
      let reason = [FetchReason.notFound, .tooManyBytes][random.next(upTo: 2)]
      truth.failedUntil = now + RemotePolicy.failureTime
      truth.promised = 0
      return .failed(FetchFailure(reason, "gone"))
    case 1:
      let reason = [FetchReason.timeout, .serverFailed, .hostGivenUp][random.next(upTo: 3)]
      truth.failedUntil = 0
      return .failed(FetchFailure(reason, "later"))
    case 2, 3:
      truth.served += 1
      let kept = RemoteRecord.Kept(digest: Digest(of: "\(truth.served)"), size: truth.served)
      truth.tag = random.next(upTo: 2) == 0 ? "\"\(truth.served)\"" : nil
      if let tag = truth.tag { fields.add("ETag", tag) }
      truth.lastGood = kept
      confirm(&truth, until: now + min(Int64(age), Freshness.longest), now: now)
      return .picture(kept, fields: fields, askedAt: now, answeredAt: now)
    default:
      confirm(&truth, until: now + min(Int64(age), Freshness.longest), now: now)
      return .notModified(fields: fields, askedAt: now, answeredAt: now)
    }
  }

  private func confirm(_ truth: inout Truth, until: Int64, now: Int64) {
    truth.confirmedAt = now
    truth.promised = until
    truth.failedUntil = 0
  }

  private func check(
    _ verdict: RemotePolicy.Verdict, _ truth: Truth, _ policy: RemotePolicy, now: Int64,
    wasAsked: Bool, _ words: String
  ) {
    switch verdict {
    case .picture(let digest, let until):
      #expect(digest == truth.lastGood?.digest, "\(words)")
      #expect(until == 0 || until <= truth.confirmedAt + Freshness.longest, "\(words)")
      if wasAsked {
        #expect(truth.confirmedAt == now, "\(words)")
      } else if policy.mode != .offline {
        #expect(policy.mode == .normal && now < truth.promised, "\(words)")
      }
    case .stale(let digest, let age, let rejection):
      #expect(digest == truth.lastGood?.digest, "\(words)")
      #expect(age == now - truth.confirmedAt, "\(words)")
      if policy.mode == .offline {
        #expect(now < truth.failedUntil, "\(words)")
      } else {
        #expect(policy.maxStale > 0 && age <= policy.maxStale, "\(words)")
      }
      #expect(FetchReason(rawValue: rejection.reason.rawValue) != nil, "\(words)")
    case .failed(_, let isTransient, let until):
      let isKept = truth.lastGood != nil && policy.maxStale > 0
      #expect(!isKept || now - truth.confirmedAt > policy.maxStale, "\(words)")
      #expect(until == nil || (!isTransient && until == truth.failedUntil), "\(words)")
      if policy.mode == .offline { #expect(truth.lastGood == nil, "\(words)") }
    }
  }
}
