/// What a rebuild means for open pages; sent to them as JSON.
package struct LiveUpdate: Sendable, Hashable, Encodable {
  /// Rises with each update of a channel.
  var revision = 0
  /// Files of the folder that were written or removed, sorted; `null` if it may be any.
  ///
  /// Missing in the first message of a stream.
  package internal(set) var paths: [String]??
  /// All that is wrong now.
  package internal(set) var problems: [LiveProblem]
  /// False if the build failed, and the folder is as it was.
  package internal(set) var isBuilt: Bool

  package init(paths: [String]?, problems: [LiveProblem] = [], isBuilt: Bool = true) {
    self.paths = .some(paths)
    self.problems = problems
    self.isBuilt = isBuilt
  }
}

/// One thing that is wrong, for people.
package struct LiveProblem: Sendable, Hashable, Codable {
  /// `error`, `warning` or `note`.
  package var severity: String
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
