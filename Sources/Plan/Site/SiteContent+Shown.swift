import Manifest

extension SiteContent {
  /// The styles that a user's card shows: of those that the manifest names for it, what the user
  /// has, in its order; else the user's first.
  package func shownStyles(of user: Int) -> [Int] {
    let own = styles(of: user)
    let wanted = manifest.pages.show?.filter(own.contains) ?? []
    return wanted.isEmpty ? Array(own.prefix(1)) : wanted
  }

  /// What a user's pictures are made of; nil for those without any.
  package func source(of user: Int) -> Source? {
    assignment.assignments[user].source.map { sources.sources[$0] }
  }

  /// As which kind the manifest names what a user is shown as: the same bytes may have several.
  package func sourceKind(of user: Int) -> String? {
    guard assignment.assignments[user].source != nil else { return nil }
    return assignment.candidate(of: user)?.names.kind
  }

  /// How many users there are of each status, all of them, in the order in which they are told.
  package var statusCounts: [(status: String, count: Int)] {
    var counts: [UserStatus: Int] = [:]
    for user in manifest.users.indices { counts[assignment.status(of: user), default: 0] += 1 }
    return [
      ("ok", counts[.ok, default: 0]), ("fallback", counts[.fallback, default: 0]),
      ("stale", counts[.stale, default: 0]),
      ("skipped", counts[.skipped, default: 0]), ("failed", counts[.failed, default: 0]),
    ]
  }
}
