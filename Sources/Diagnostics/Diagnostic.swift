package import Documents

/// One thing worth telling the user: what, where, why, and what to do.
package struct Diagnostic: Error, Hashable, Sendable {
  package enum Severity: String, Hashable, Sendable, Comparable, CaseIterable {
    case note
    case warning
    case error

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }

    package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
  }

  package var severity: Severity
  /// Stable and kebab-case: the code of docs/diagnostics.md.
  package var id: String
  /// Lower case, no full stop: the thing, then the cause.
  package var message: String
  package var place: Place?
  /// Where in the document, `users[3].avatar`.
  package var path: String?
  package var note: String?
  package var help: String?

  package init(
    _ severity: Severity, _ id: String, _ message: String, at place: Place? = nil,
    path: String? = nil, note: String? = nil, help: String? = nil
  ) {
    self.severity = severity
    self.id = id
    self.message = message
    self.place = place
    self.path = path
    self.note = note
    self.help = help
  }
}

/// A file, and where in it.
package struct Place: Hashable, Sendable, Comparable {
  package var file: String
  package var position: Position?

  package init(file: String, position: Position? = nil) {
    self.file = file
    self.position = position
  }

  package static func < (left: Place, right: Place) -> Bool {
    if left.file != right.file { return left.file.utf8.lexicographicallyPrecedes(right.file.utf8) }
    let origin = Position(line: 0, column: 0)
    return (left.position ?? origin) < (right.position ?? origin)
  }
}
