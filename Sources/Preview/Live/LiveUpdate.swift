/// A rebuild's result, sent to open pages as JSON.
package struct LiveUpdate: Sendable, Hashable, Encodable {
  var revision = 0
  /// Sorted paths of files that were written or removed; `null` if unknown.
  ///
  /// Absent from the first message in a stream.
  package internal(set) var paths: [String]??
  package internal(set) var problems: [LiveProblem]
  /// False if the build failed and left the folder unchanged.
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
  /// Explanations and help, one item per line.
  package var details: [String]

  package init(severity: String, message: String, place: String? = nil, details: [String] = []) {
    self.severity = severity
    self.message = message
    self.place = place
    self.details = details
  }
}
