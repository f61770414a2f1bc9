import Diagnostics
package import Manifest
package import Recipes

/// Who gets which source: each user goes down its own list until something works.
package struct SourceAssignment: Sendable {
  /// How far one user has come.
  package struct Assignment: Sendable {
    /// Into `candidates(of:)`.
    package var candidate = 0
    /// Into the sources of the `SourceSet`; nil while none is known.
    package var source: Int?
    /// The source could not be fetched now; this is the picture of an earlier time.
    package var isStale = false
    /// Why earlier candidates did not work.
    package var failures: [Rejection] = []
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

  /// Gives pending users the sources that were found and moves the others down their lists.
  ///
  /// - Returns: The kinds that must be looked up before every pending user has a source or none.
  package mutating func assign(from set: SourceSet) -> [AvatarSource.Kind] {
    var unknown: [AvatarSource.Kind] = []
    var asked: Set<AvatarSource.Kind> = []
    for user in pending where assignments[user].source == nil {
      while let kind = candidate(of: user) {
        switch set[kind] {
        case .success(let source):
          assignments[user].source = source
          assignments[user].isStale = set.stale[kind] != nil
        case .failure(let rejection):
          reject(user, rejection)
          continue
        case nil:
          if asked.insert(kind).inserted { unknown.append(kind) }
        }
        break
      }
    }
    return unknown
  }

  /// Leaves only the users whose source failed to render pending, one step further down.
  package mutating func settle(rejected: (_ user: Int, _ source: Int) -> Rejection?) {
    pending = pending.filter { user in
      guard let source = assignments[user].source, let rejection = rejected(user, source) else {
        return false
      }
      reject(user, rejection)
      return true
    }
  }

  /// Puts users of these sources back to looking for the same candidate again.
  package mutating func reconsider(sources: Set<Int>) {
    guard !sources.isEmpty else { return }
    for user in assignments.indices {
      guard let source = assignments[user].source, sources.contains(source) else { continue }
      assignments[user].source = nil
      pending.append(user)
    }
    pending.sort()
  }

  /// Makes everyone who has a source pending again, so that a plan covers all of them.
  package mutating func reopen() {
    pending = assignments.indices.filter { assignments[$0].source != nil }
  }

  private mutating func reject(_ user: Int, _ rejection: Rejection) {
    assignments[user].failures.append(rejection)
    assignments[user].candidate += 1
    assignments[user].source = nil
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
  /// The status as the assignments stand; final once nobody is pending.
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
