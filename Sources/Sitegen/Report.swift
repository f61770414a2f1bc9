/// What a build did: the figures and reasons that never go into `output`.
package struct Report: Codable, Sendable {
  package var counters = Counters()
  /// Seconds of wall time by stage, in the order of the sentence.
  package var seconds: [String: Double] = [:]
  package var users = UserCounts()
  /// Every source that did not work, also those that a later source of the list replaced.
  package var failures: [Failure] = []
  /// Nothing was read but stamps: the last build still stands.
  package var standing = false
  /// `--dry-run`: nothing was written.
  package var dryRun = false

  package init() {}

  package struct UserCounts: Codable, Sendable, Hashable {
    package var ok = 0
    package var fallback = 0
    package var skipped = 0
    package var failed = 0

    package init() {}

    mutating func count(_ status: UserStatus) {
      switch status {
      case .ok: ok += 1
      case .fallback: fallback += 1
      case .skipped: skipped += 1
      case .failed: failed += 1
      }
    }

    package var total: Int { ok + fallback + skipped + failed }
  }

  package struct Failure: Codable, Sendable, Hashable {
    package var user: String
    /// Index in the user's list of sources.
    package var source: Int
    package var reason: String
    package var detail: String

    package init(user: String, source: Int, reason: String, detail: String) {
      self.user = user
      self.source = source
      self.reason = reason
      self.detail = detail
    }
  }
}

/// Whole numbers that say how much work was done; docs/report.md says what each counts.
package struct Counters: Codable, Sendable, Hashable {
  package var sourcesRead = 0
  package var decodes = 0
  package var renders = 0
  package var cacheHits = 0
  package var deduped = 0
  package var written = 0
  package var unchanged = 0
  package var removed = 0
  package var skipped = 0
  package var superseded = 0
  package var cancelled = 0
  package var failed = 0
  package var peakConcurrency = 0
  package var workersStarted = 0
  package var bytesOut = 0

  package init() {}
}
