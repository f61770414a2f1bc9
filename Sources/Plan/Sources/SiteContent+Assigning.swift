package import Bytes
import Diagnostics
package import Files
package import Manifest
package import Recipes

extension SiteContent {
  /// A position in a user's list of sources; the first usable entry is shown.
  package struct Assignment: Sendable {
    /// The index in the user's list of sources; the background is one past the end.
    package var candidate = 0
    /// Whether the candidate's last good picture is used instead of its current one.
    package var isStale = false
    package var source: Int?
    /// The earlier entries' failures, plus the candidate's if its last good picture is shown.
    package var failures: [Rejection] = []
    /// The candidate's key, cached because generating a key for initials takes time.
    fileprivate var key: SourceKey?
  }

  package func candidate(of user: Int) -> AvatarSource.Kind? {
    let avatars = manifest.users[user].avatars
    let candidate = assignments[user].candidate
    if candidate < avatars.count { return avatars[candidate].kind }
    return candidate > avatars.count ? nil : manifest.users[user].background.map { .color($0) }
  }

  package func key(of user: Int) -> SourceKey? { candidate(of: user).map(manifest.users[user].key) }

  /// Assigns known sources, moves users past failed sources, and returns the keys to look up next.
  package mutating func assign() -> [SourceKey] {
    var unknown: [SourceKey] = []
    var asked: Set<SourceKey> = []
    for user in pending where assignments[user].source == nil {
      while let key = assignments[user].key ?? key(of: user) {
        switch sources[key] {
        case _ where assignments[user].isStale:
          assignments[user].source = sources.lastGood[key]?.source
          if assignments[user].source == nil {
            moveOn(user)
            continue
          }
        case .success(let source):
          assignments[user].source = source
        case .failure(let rejection):
          assignments[user].failures.append(rejection)
          if sources.lastGood[key] == nil { moveOn(user) } else { assignments[user].isStale = true }
          continue
        case nil:
          assignments[user].key = key
          if asked.insert(key).inserted { unknown.append(key) }
        }
        break
      }
      if assignments[user].source != nil { assignments[user].key = nil }
    }
    return unknown
  }

  /// If a user's source failed to render, moves the user to the next entry; other users are done.
  package mutating func assignNext(after rejections: [Int: Rejection]) {
    pending = pending.filter { user in
      guard assignments[user].source != nil, let rejection = rejections[user] else { return false }
      // If the last good picture was used, `assign` has already recorded the candidate's failure.
      if !assignments[user].isStale { assignments[user].failures.append(rejection) }
      moveOn(user)
      return true
    }
  }

  /// Makes the users of damaged sources pending again, with the same candidate.
  package mutating func reconsider(sources damaged: Set<Int>) {
    guard !damaged.isEmpty else { return }
    var again = Set(pending)
    for user in assignments.indices {
      guard let source = assignments[user].source, damaged.contains(source) else { continue }
      assignments[user].source = nil
      if assignments[user].isStale {
        assignments[user].isStale = false
        assignments[user].failures.removeLast()
      }
      again.insert(user)
    }
    pending = again.sorted()
  }

  private mutating func moveOn(_ user: Int) {
    assignments[user].candidate += 1
    assignments[user].source = nil
    assignments[user].isStale = false
    assignments[user].key = nil
  }
}

package enum UserStatus: String, Sendable, Codable, Hashable, CaseIterable {
  case ok
  case fallback
  case stale
  case skipped
  case failed
}

extension SiteContent {
  /// Returns the user's status, which may still change while users are pending.
  package func status(of user: Int) -> UserStatus {
    let assignment = assignments[user]
    let avatars = manifest.users[user].avatars.count
    if assignment.source != nil {
      if avatars > 0 && assignment.candidate == avatars { return .fallback }
      return assignment.isStale ? .stale : .ok
    }
    return avatars == 0 && manifest.users[user].background == nil ? .skipped : .failed
  }

  package func reason(of user: Int) -> String? {
    switch status(of: user) {
    case .ok: nil
    case .stale: DiagnosticID.sourceStale.rawValue
    case .skipped: DiagnosticID.noAvatar.rawValue
    case .fallback, .failed: failure(of: user)?.rejection.reason.rawValue
    }
  }

  /// Returns the user's last failed source, or a failed fallback if no other source failed.
  package func failure(of user: Int) -> (candidate: Int, rejection: Rejection)? {
    let failures = assignments[user].failures
    let avatars = manifest.users[user].avatars
    let own = failures.indices.last { $0 >= avatars.count || avatars[$0].fallback == nil }
    return (own ?? failures.indices.last).map { ($0, failures[$0]) }
  }
}

/// The reason for showing an earlier picture, and when it was last checked (seconds since 1970).
package typealias Staleness = (checkedAt: Int64, rejection: Rejection)

package struct SourceSet: Sendable {
  /// The gathered sources, each with a different digest.
  package private(set) var sources: [Source] = []
  private var numbers: [Digest: Int] = [:]
  private var found: [SourceKey: Result<Int, Rejection>] = [:]
  /// The last good pictures for unreadable files and failing URLs.
  package private(set) var lastGood: [SourceKey: (source: Int, checkedAt: Int64)] = [:]
  /// The stamp of each file when its bytes were hashed; nil for a missing file.
  package private(set) var stamps: [SourcePath: FileStamp?] = [:]
  /// Whether all stamps are reliable; the stamp of a file that was modified moments ago is not.
  package private(set) var stampsAreTrustworthy = true
  /// The files whose current bytes are not yet known to be usable.
  package private(set) var unverified: Set<SourcePath> = []
  /// The earliest time at which a fetched picture becomes stale, in seconds since 1970.
  package private(set) var freshUntil = Int64.max

  package init() {}

  package subscript(key: SourceKey) -> Result<Int, Rejection>? { found[key] }

  package func shown(for key: SourceKey) -> Int? {
    (try? found[key]?.get()) ?? lastGood[key]?.source
  }

  package func staleness(of key: SourceKey) -> Staleness? {
    guard case .failure(let rejection) = found[key], let (_, checkedAt) = lastGood[key] else {
      return nil
    }
    return (checkedAt, rejection)
  }

  /// Adds a key's source or rejection; the key must be gathered again at `moment`.
  package mutating func add(
    _ result: Result<Source, Rejection>, for key: SourceKey, until moment: Int64 = .max
  ) {
    found[key] = result.map { number(of: $0) }
    freshUntil = min(freshUntil, moment)
  }

  package mutating func add(lastGood source: Source, for key: SourceKey, checkedAt: Int64) {
    lastGood[key] = (number(of: source), checkedAt)
  }

  package mutating func note(
    _ file: SourcePath, _ stamp: FileStamp?, isTrustworthy: Bool, isVerified: Bool
  ) {
    if !isVerified { unverified.insert(file) }
    stamps[file] = .some(stamp)
    stampsAreTrustworthy = stampsAreTrustworthy && isTrustworthy
  }

  package mutating func add(_ keys: some Sequence<SourceKey>, from other: SourceSet) {
    for key in keys {
      if let result = other.found[key] { add(result.map { other.sources[$0] }, for: key) }
      if let (source, checkedAt) = other.lastGood[key] {
        add(lastGood: other.sources[source], for: key, checkedAt: checkedAt)
      }
    }
    stamps.merge(other.stamps) { $1 }
    unverified.formUnion(other.unverified)
    stampsAreTrustworthy = stampsAreTrustworthy && other.stampsAreTrustworthy
  }

  private mutating func number(of source: Source) -> Int {
    let number = numbers[source.digest] ?? sources.count
    if number == sources.count {
      numbers[source.digest] = number
      sources.append(source)
    } else if sources[number].place == .gone {
      // Prefer a source that still provides these bytes.
      sources[number] = source
    }
    return number
  }

  package mutating func forget(
    _ digests: Set<Digest>
  ) -> (keys: Set<SourceKey>, sources: Set<Int>) {
    let changed = Set(sources.indices.filter { digests.contains(sources[$0].digest) })
    var keys = Set(lastGood.filter { changed.contains($0.value.source) }.keys)
    for case (let key, .success(let source)) in found where changed.contains(source) {
      keys.insert(key)
    }
    for key in keys {
      found[key] = nil
      lastGood[key] = nil
    }
    for digest in digests { numbers[digest] = nil }
    return (keys, changed)
  }
}
