/// What a rebuild means for open pages.
package struct LiveUpdate: Sendable, Hashable {
  /// Files of the folder that were written or removed, sorted; nil if it may be any.
  package var paths: [String]?
  /// All that is wrong now.
  package var problems: [LiveProblem]
  /// False if the build failed, and the folder is as it was.
  package var isBuilt: Bool

  package init(paths: [String]?, problems: [LiveProblem] = [], isBuilt: Bool = true) {
    self.paths = paths
    self.problems = problems
    self.isBuilt = isBuilt
  }
}

/// One thing that is wrong, for people.
package struct LiveProblem: Sendable, Hashable, Codable {
  /// `error` or `warning`.
  package var severity: String
  /// One line: what is wrong.
  package var message: String
  /// `content/manifest.yaml:3:5`.
  package var place: String?
  /// Why, and what to do: a line each.
  package var details: [String]

  package init(severity: String, message: String, place: String? = nil, details: [String] = []) {
    self.severity = severity
    self.message = message
    self.place = place
    self.details = details
  }
}
