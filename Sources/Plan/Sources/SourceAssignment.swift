import Diagnostics
package import Manifest
package import Recipes

/// Who gets which source: each user goes down the list until something works.
package struct SourceAssignment: Sendable {
  /// How far one user has come.
  package struct Assignment: Sendable {
    /// Into the user's list; behind it is the background.
    package var candidate = 0
    /// Whether this is the last good picture of the candidate, which is the next entry of the list.
    package var isStale = false
    /// Into the sources of the `SourceSet`; nil while none is known.
    package var source: Int?
    /// Why earlier entries did not work, the candidate itself included if this is its last good picture.
    package var failures: [Rejection] = []
    /// While it is waited for: making the letters of a name takes time.
    fileprivate var key: SourceKey?
  }

  package private(set) var assignments: [Assignment]
  /// Users whose picture is not settled yet, ascending.
  package private(set) var pending: [Int]
  private let users: [User]

  package init(_ users: [User]) {
    self.users = users
    assignments = Array(repeating: Assignment(), count: users.count)
    pending = Array(users.indices)
  }

  /// What a user can be shown as: the listed avatars, at last a disc of the background.
  package func candidate(of user: Int) -> AvatarSource.Kind? {
    let avatars = users[user].avatars
    let candidate = assignments[user].candidate
    if candidate < avatars.count { return avatars[candidate].kind }
    if candidate == avatars.count, let background = users[user].background {
      return .color(background)
    }
    return nil
  }

  /// What the candidate is looked up by.
  package func key(of user: Int) -> SourceKey? { candidate(of: user).map(users[user].key) }

  /// Gives pending users the sources that were found and moves the others down their lists.
  ///
  /// - Returns: The keys that must be looked up before every pending user has a source or none.
  package mutating func assign(from set: SourceSet) -> [SourceKey] {
    var unknown: [SourceKey] = []
    var asked: Set<SourceKey> = []
    for user in pending where assignments[user].source == nil {
      while let key = assignments[user].key ?? key(of: user) {
        switch set[key] {
        case _ where assignments[user].isStale:
          guard let (source, _) = set.lastGood[key] else {
            moveOn(user)
            continue
          }
          assignments[user].source = source
        case .success(let source):
          assignments[user].source = source
        case .failure(let rejection):
          assignments[user].failures.append(rejection)
          if set.lastGood[key] == nil { moveOn(user) } else { assignments[user].isStale = true }
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

  /// Leaves only the users whose source failed to render pending, one entry further down.
  package mutating func settle(_ rejections: [Int: Rejection]) {
    pending = pending.filter { user in
      guard assignments[user].source != nil, let rejection = rejections[user] else { return false }
      // Of a last good picture the candidate has failed already.
      if !assignments[user].isStale { assignments[user].failures.append(rejection) }
      moveOn(user)
      return true
    }
  }

  /// Puts users of these sources back to looking for the same candidate again.
  package mutating func reconsider(sources: Set<Int>) {
    guard !sources.isEmpty else { return }
    var again = Set(pending)
    for user in assignments.indices {
      guard let source = assignments[user].source, sources.contains(source) else { continue }
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

/// What a user is shown as in the end.
package enum UserStatus: String, Sendable, Codable, Hashable, CaseIterable {
  case ok
  case fallback
  /// As asked for, but as it was at an earlier time.
  case stale
  case skipped
  case failed
}

extension SourceAssignment {
  /// The status at this point; final when all users are settled.
  package func status(of user: Int) -> UserStatus {
    let assignment = assignments[user]
    let avatars = users[user].avatars.count
    if assignment.source != nil {
      if avatars > 0 && assignment.candidate == avatars { return .fallback }
      return assignment.isStale ? .stale : .ok
    }
    return avatars == 0 && users[user].background == nil ? .skipped : .failed
  }

  /// The code of `skipped` and `failed` users.
  package func reason(of user: Int) -> String? {
    switch status(of: user) {
    case .ok: nil
    case .stale: DiagnosticID.sourceStale.rawValue
    case .skipped: DiagnosticID.noAvatar.rawValue
    case .fallback, .failed: failure(of: user)?.rejection.reason.rawValue
    }
  }

  /// Why a user's own last candidate did not work, and which it was; of a user who names none,
  /// why the fallback did not.
  package func failure(of user: Int) -> (candidate: Int, rejection: Rejection)? {
    let failures = assignments[user].failures
    let avatars = users[user].avatars
    let own = failures.indices.last { $0 >= avatars.count || avatars[$0].fallback == nil }
    return (own ?? failures.indices.last).map { ($0, failures[$0]) }
  }
}
