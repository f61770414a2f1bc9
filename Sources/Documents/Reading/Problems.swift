import Diagnostics

// The problems that every syntax has.
extension Diagnostic {
  /// An error in a document as text, whatever the document means.
  init(
    _ id: DiagnosticID, _ message: String, file: String, at position: Position?,
    note: String? = nil, help: String? = nil
  ) {
    self.init(
      .error, id, message, at: FileLocation(file: file, position: position), note: note, help: help)
  }

  static func empty(file: String) -> Diagnostic {
    Diagnostic(
      .documentEmpty, "the document is empty", file: file,
      at: Position(line: 1, column: 1),
      help: "write something into it, or check that the right file is named")
  }

  static func tooDeep(_ limits: DocumentLimits, file: String, at position: Position)
    -> Diagnostic
  {
    Diagnostic(
      .documentTooDeep, "values are nested deeper than \(limits.depth) levels", file: file,
      at: position, help: "check for brackets that are never closed")
  }

  static func tooManyValues(_ limit: Int, file: String, at position: Position) -> Diagnostic {
    Diagnostic(
      .documentTooManyValues, "there are more than \(limit) values", file: file, at: position,
      help: "split the file; long lists of users belong in a file of their own")
  }

  static func duplicate(_ key: String, file: String, at position: Position, first: Position)
    -> Diagnostic
  {
    Diagnostic(
      .duplicateKey, "the key `\(key.brief)` is given again", file: file,
      at: position, note: "the first one is at \(first)",
      help: "keep one of the two")
  }

  static func notMapping(_ found: Node, file: String) -> Diagnostic {
    Diagnostic(
      .recordNotMapping, "a record has to be a mapping, but this is \(found.content.kind)",
      file: file, at: found.position, help: "write its values as `key: value`")
  }

  static func notList(_ found: String, file: String, at position: Position) -> Diagnostic {
    Diagnostic(
      .listExpected, "a list of records was expected, but this is \(found)", file: file,
      at: position, help: "the file has to be one list, with a mapping for each record")
  }

  static func tooManyRecords(_ limits: DocumentLimits, file: String, at position: Position)
    -> Diagnostic
  {
    Diagnostic(
      .listTooLong, "the list has more than \(limits.records) records", file: file, at: position,
      help: "split it into several sites")
  }
}

extension Node.Content {
  var kind: String {
    switch self {
    case .scalar: "a single value"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}

extension String {
  /// Short enough for a message.
  var brief: String { count <= 40 ? self : String(prefix(39)) + "…" }
}

extension [Diagnostic] {
  /// Adds a recoverable problem; a limit keeps a hostile file from filling memory.
  mutating func append(_ problem: Diagnostic, limit: Int) {
    if count < limit {
      append(problem)
    } else if count == limit {
      append(
        Diagnostic(
          .error, .documentTooManyProblems, "there are more problems than the \(limit) shown",
          at: problem.location, help: "mend those first"))
    }
  }
}
