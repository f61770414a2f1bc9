/// What open pages are told.
package enum LiveEvent: Sendable, Hashable {
  /// Images have other addresses now: paths beneath the folder, old to new.
  case swapped([String: String])
  /// Files of the folder were written or removed: their paths, sorted; nil when it may be any.
  case changed([String]?)
  /// The build failed; the folder is as it was.
  case failed([LiveProblem])
  /// The folder is new, but not all of it is as it was asked for.
  case flawed([LiveProblem])
  /// Nothing is wrong any more.
  case mended
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
