import Diagnostics
import Fetch
import Manifest
import Plan
import Recipes

extension SiteContent {
  private struct FailedFetch {
    let user: Int
    let candidate: Int
    let kind: AvatarSource.Kind
    let rejection: Rejection
  }

  /// Returns at most one diagnostic per status, and the users who need no diagnostic of their own.
  ///
  /// In offline mode, pictures that were never fetched are expected to be missing.
  func fetchDiagnostics(isOffline: Bool) -> (diagnostics: [Diagnostic], users: Set<Int>) {
    var failures: [UserStatus: [FailedFetch]] = [:]
    for user in manifest.users.indices {
      let status = self.status(of: user)
      guard !(isOffline && status == .ok), let failure = failedFetch(of: user, status) else {
        continue
      }
      failures[status, default: []].append(failure)
    }
    // `diagnostic(for:)` reports a single failure in more detail.
    failures = failures.filter { $0.key == .ok || $0.value.count > 1 }
    let users = failures.filter { $0.key != .ok }.values.joined().map(\.user)
    return (failures.map { diagnostic(of: $0.value, $0.key) }, Set(users))
  }

  private func failedFetch(of user: Int, _ status: UserStatus) -> FailedFetch? {
    let avatars = manifest.users[user].avatars
    let failures: [(candidate: Int, rejection: Rejection)] =
      switch status {
      case .ok: assignments[user].failures.enumerated().map { ($0, $1) }
      case .stale:
        staleness(of: user).map { [(assignments[user].candidate, $0.rejection)] } ?? []
      case .fallback, .failed: failure(of: user).map { [$0] } ?? []
      case .skipped: []
      }
    return failures.lazy.filter { $0.candidate < avatars.count }.compactMap {
      candidate, rejection in
      let source = avatars[candidate]
      // Skip the manifest's `fallback`: its failure is reported with the user's own source.
      let isExpected =
        status == .ok && source.kind.mayBeMissing && rejection.reason == .notFound
        || status == .failed && source.fallback != nil
      if source.kind.host == nil || isExpected { return nil }
      return FailedFetch(user: user, candidate: candidate, kind: source.kind, rejection: rejection)
    }.first
  }

  private func diagnostic(of failures: [FailedFetch], _ status: UserStatus) -> Diagnostic {
    let first = failures[0]
    let isOne = failures.count == 1
    var causes: [String: (count: Int, reason: Reason)] = [:]
    let answered = failures.filter { $0.rejection.reason.rawValue != "host-given-up" }
    for failure in failures {
      let host = failure.kind.host ?? ""
      // If the build gave up on a host, report the original failure instead.
      let rejection =
        (failure.rejection.reason.rawValue == "host-given-up"
        ? answered.first { $0.kind.host == host } : nil)?.rejection ?? failure.rejection
      // Failures that occur after fetching do not mention the host.
      let place = rejection.detail.hasPrefix(host) ? "" : "\(host): "
      let cause = "\(place)\(rejection.detail) [\(rejection.reason.rawValue)]"
      causes[cause, default: (0, rejection.reason)].count += 1
    }
    let sorted = causes.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    var notes = sorted.prefix(3).map { "\($0.key) (\($0.value.count))" }
    if sorted.count > 3 { notes.append("and \(sorted.count - 3) more") }
    let reason = sorted[0].value.reason
    let shown =
      switch status {
      case .stale: "their earlier pictures are shown"
      case .fallback: "the background colours are shown instead"
      case .failed: "their places stay empty"
      default: isOne ? "the next source is used instead" : "other sources are used instead"
      }
    let fallback = failures.lazy.map {
      fallbackNote(of: $0.user, after: manifest.users[$0.user].avatars[$0.candidate])
    }.first { status == .failed && !$0.isEmpty }
    let declared = declaration(of: first.candidate, of: first.user)
    return Diagnostic(
      status == .failed ? .error : .warning,
      status == .stale ? DiagnosticID.sourceStale.rawValue : reason.rawValue,
      "cannot \(reason.verb) "
        + (isOne ? first.kind.names.source : "the pictures of \(failures.count) people")
        + "; \(shown)",
      at: declared.location, path: declared.path,
      note: (isOne ? first.rejection.detail : notes.joined(separator: "; ")) + (fallback ?? ""),
      help: reason.help)
  }
}

extension AvatarSource.Kind {
  /// Whether the source is a service, on which some users may not have a picture.
  fileprivate var mayBeMissing: Bool { if case .remote(.url) = self { false } else { true } }

  fileprivate var host: String? {
    switch self {
    case .remote(.url(let url)): url.split(separator: "/").dropFirst().first.map(String.init)
    case .remote: names.kind
    default: nil
    }
  }
}

extension Reason {
  fileprivate static let notFound = Reason(rawValue: FetchReason.notFound.rawValue)
}
