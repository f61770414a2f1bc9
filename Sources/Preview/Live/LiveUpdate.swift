/// The result of a rebuild, which is sent to open pages as JSON.
package struct LiveUpdate: Sendable, Hashable, Encodable {
  var revision = 0
  /// The sorted paths of changed files; null if unknown, and absent from the first message.
  package internal(set) var paths: [String]??
  package internal(set) var problems: [LiveProblem]
  /// Whether the build succeeded; a failed build leaves the folder unchanged.
  package internal(set) var isBuilt: Bool

  package init(paths: [String]?, problems: [LiveProblem] = [], isBuilt: Bool = true) {
    self.paths = .some(paths)
    self.problems = problems
    self.isBuilt = isBuilt
  }
}

package struct LiveProblem: Sendable, Hashable, Codable {
  package var severity: String
  package var message: String
  package var place: String?
  package var details: [String]

  package init(severity: String, message: String, place: String? = nil, details: [String] = []) {
    self.severity = severity
    self.message = message
    self.place = place
    self.details = details
  }
}
