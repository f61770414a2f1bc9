import Diagnostics
import Manifest
import Plan
import Recipes

extension SiteContent {
  /// Warnings of failed fonts that no user's own diagnostic mentions.
  ///
  /// A later source of a list is what was asked for, but a font that fails changes the picture of
  /// everyone with initials.
  var fontDiagnostics: [Diagnostic] {
    var told: Set<Rejection> = []
    var users: [Rejection: Int] = [:]
    for user in manifest.users.indices {
      let failures = assignment.assignments[user].failures.filter { $0.reason.isOfFonts }
      guard !failures.isEmpty else { continue }
      let isTold = [.failed, .fallback].contains(assignment.status(of: user))
      if isTold, let failure = assignment.failure(of: user)?.rejection { told.insert(failure) }
      for failure in Set(failures) { users[failure, default: 0] += 1 }
    }
    let silent = users.filter { !told.contains($0.key) }
    return [Reason.fontMissing, .fontUnusable].compactMap { reason in
      diagnostic(of: silent.filter { $0.key.reason == reason }, reason)
    }
  }

  /// One for all fonts that fail for the same reason.
  private func diagnostic(of failures: [Rejection: Int], _ reason: Reason) -> Diagnostic? {
    guard !failures.isEmpty else { return nil }
    let count = failures.values.reduce(0, +)
    let details = failures.keys.map(\.detail).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let cause =
      switch (reason, manifest.font) {
      case (.fontUnusable, let font?): "\(font.path.shortened) cannot be drawn from"
      case (.fontUnusable, nil): "a font cannot be drawn from"
      default: "a font is missing"
      }
    let font = reason == .fontUnusable ? manifest.font : nil
    return Diagnostic(
      .warning, reason.rawValue,
      (count == 1 ? "1 user is" : "\(count) users are") + " shown otherwise, since \(cause)",
      at: font?.location, path: font.map { _ in "font" },
      note: details.prefix(3).joined(separator: "; ")
        + (details.count > 3 ? "; and \(details.count - 3) more" : ""),
      help: reason.help)
  }
}

extension Reason {
  fileprivate var isOfFonts: Bool { self == .fontMissing || self == .fontUnusable }
}
