/// A message for the user: the problem, its position, its cause, and a fix.
package struct Diagnostic: Error, Codable, Hashable, Sendable {
  package enum Severity: String, Codable, Hashable, Sendable, Comparable, CaseIterable {
    case note
    case warning
    case error

    package static func < (left: Severity, right: Severity) -> Bool {
      right == .error ? left != .error : right == .warning && left == .note
    }
  }

  package var severity: Severity
  /// A stable id in kebab case, listed in docs/reference/diagnostics.md.
  package var id: String
  /// The problem, followed by the cause, in lowercase and without a full stop.
  package var message: String
  package var location: FileLocation?
  /// The position in the document, such as `users[3].avatar`.
  package var path: String?
  package var note: String?
  package var help: String?

  package init(
    _ severity: Severity, _ id: String, _ message: String, at location: FileLocation? = nil,
    path: String? = nil, note: String? = nil, help: String? = nil
  ) {
    self.severity = severity
    self.id = id
    self.message = message
    self.location = location
    self.path = path
    self.note = note
    self.help = help
  }

  package init(
    _ severity: Severity, _ id: DiagnosticID, _ message: String, at location: FileLocation? = nil,
    path: String? = nil, note: String? = nil, help: String? = nil
  ) {
    self.init(severity, id.rawValue, message, at: location, path: path, note: note, help: help)
  }
}
