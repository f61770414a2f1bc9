import Diagnostics
import Fetch
import Manifest
import Plan
import Recipes

/// Pictures on the network that failed.
extension SiteContent {
  /// One diagnostic for all people with the same status, and those whom `diagnostic(for:)` may skip.
  ///
  /// Offline, pictures that were never fetched are expected to be missing.
  func fetchDiagnostics(isOffline: Bool) -> (diagnostics: [Diagnostic], users: Set<Int>) {
    var failures: [UserStatus: [FailedFetch]] = [:]
    for user in manifest.users.indices {
      let status = assignment.status(of: user)
      guard !(isOffline && status == .ok), let failure = failedFetch(of: user, status) else {
        continue
      }
      failures[status, default: []].append(failure)
    }
    // `diagnostic(for:)` says more about a single one.
    failures = failures.filter { $0.key == .ok || $0.value.count > 1 }
    let users = failures.filter { $0.key != .ok }.values.joined().map(\.user)
    return (failures.map { diagnostic(of: $0.value, $0.key) }, Set(users))
  }

  private struct FailedFetch {
    let user: Int
    /// Into the user's list.
    let candidate: Int
    let kind: AvatarSource.Kind
    let host: String
    let rejection: Rejection
  }

  /// The failure that matters for what a user is shown as.
  private func failedFetch(of user: Int, _ status: UserStatus) -> FailedFetch? {
    let failures = assignment.assignments[user].failures
    func failure(_ candidate: Int, _ rejection: Rejection) -> FailedFetch? {
      guard let kind = manifest.users[user].avatar(candidate)?.kind, let host = kind.host else {
        return nil
      }
      return FailedFetch(
        user: user, candidate: candidate, kind: kind, host: host, rejection: rejection)
    }
    switch status {
    case .ok:
      return failures.enumerated().lazy.compactMap { failure($0, $1) }
        .first { !$0.kind.mayBeMissing || $0.rejection.reason != .notFound }
    case .stale:
      return staleness(of: user).flatMap {
        failure(assignment.assignments[user].candidate, $0.rejection)
      }
    case .fallback: return assignment.failure(of: user).flatMap { failure($0, $1) }
    case .failed:
      let avatars = manifest.users[user].avatars
      // A source in the manifest's `fallback` is reported once anyway, and a colour has no host.
      guard let (candidate, rejection) = assignment.failure(of: user), candidate < avatars.count,
        avatars[candidate].fallback == nil
      else { return nil }
      return failure(candidate, rejection)
    case .skipped: return nil
    }
  }

  private func diagnostic(of failures: [FailedFetch], _ status: UserStatus) -> Diagnostic {
    let causes = causes(of: failures)
    let verbs = Set(failures.map(\.rejection.reason.verb))
    let verb = verbs.count == 1 ? verbs.first ?? "" : "fetch or use"
    let isOne = failures.count == 1
    let shown =
      switch status {
      case .stale: "those of an earlier time are shown"
      case .fallback: "the background colours are shown instead"
      case .failed: "these people have no picture"
      default: isOne ? "another source is shown instead" : "other sources are shown instead"
      }
    let first = declaration(of: failures[0].candidate, of: failures[0].user)
    var places = [first.location]
    for failure in failures where places.count < 3 {
      let place = declaration(of: failure.candidate, of: failure.user).location
      if !places.contains(place) { places.append(place) }
    }
    var notes = causes.prefix(3).map { $0.words(isOnly: isOne) }
    if causes.count > 3 { notes.append("and \(causes.count - 3) more") }
    if status == .failed,
      let note = failures.lazy.compactMap({ fallbackNote(of: $0.user, after: $0.candidate) }).first
    {
      notes.append(note)
    }
    let others = places.dropFirst().map(\.description)
    if !others.isEmpty { notes.append("also at " + others.joined(separator: " and ")) }
    return Diagnostic(
      status == .failed ? .error : .warning,
      status == .stale ? DiagnosticID.sourceStale.rawValue : causes[0].reason.rawValue,
      "cannot \(verb) "
        + (isOne
          ? failures[0].kind.names.source : "the pictures of \(failures.count) people")
        + "; \(shown)",
      at: first.location, path: first.path,
      note: notes.joined(separator: "; "), help: causes[0].reason.help)
  }

  /// Why a host gives no pictures.
  private struct Cause {
    let host: String
    let reason: Reason
    let detail: String
    var count = 1

    func words(isOnly: Bool) -> String {
      // What was fetched and cannot be used says nothing of the host.
      let place = isOnly || detail.hasPrefix(host) ? "" : "\(host): "
      return place + detail + (isOnly ? "" : " [\(reason.rawValue)] (\(count))")
    }
  }

  /// The most frequent first.
  private func causes(of failures: [FailedFetch]) -> [Cause] {
    var causes: [String: [Cause]] = [:]
    for failure in failures {
      let (host, rejection) = (failure.host, failure.rejection)
      let known = causes[host, default: []]
      if let index = known.firstIndex(where: { $0.reason == rejection.reason }) {
        causes[host]?[index].count += 1
      } else {
        causes[host, default: []].append(
          Cause(host: host, reason: rejection.reason, detail: rejection.detail))
      }
    }
    return causes.values.flatMap(Self.beforeGivingUp)
      .sorted { ($1.count, $0.host, $0.detail) < ($0.count, $1.host, $1.detail) }
  }

  /// A host was given up for what came before.
  private static func beforeGivingUp(_ causes: [Cause]) -> [Cause] {
    let earlier = causes.indices.filter { causes[$0].reason != .hostGivenUp }
    guard let main = earlier.max(by: { causes[$0].count < causes[$1].count }) else { return causes }
    var kept = causes
    kept[main].count += causes.reduce(0) { $0 + ($1.reason == .hostGivenUp ? $1.count : 0) }
    return earlier.map { kept[$0] }
  }
}

extension AvatarSource.Kind {
  /// Services are asked for people who may have no picture there.
  fileprivate var mayBeMissing: Bool {
    switch self {
    case .remote(.url): false
    default: true
    }
  }

  /// The host or the service that is asked; nil for what is not on the network.
  fileprivate var host: String? {
    switch self {
    case .remote(.url(let url)): url.split(separator: "/").dropFirst().first.map(String.init)
    case .remote, .faulty: names.kind
    default: nil
    }
  }
}

extension Reason {
  fileprivate static let notFound = Reason(rawValue: FetchReason.notFound.rawValue)
  fileprivate static let hostGivenUp = Reason(rawValue: FetchReason.hostGivenUp.rawValue)
}
