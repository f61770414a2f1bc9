extension DocumentError {
  package init(
    _ code: DocumentCode, _ message: String, file: String, at position: Position?,
    note: String? = nil, help: String? = nil
  ) {
    self.init(
      code: code.rawValue, message: message, file: file, position: position, note: note, help: help)
  }
}

// The same refusals in every syntax.
extension DocumentError {
  static func empty(file: String) -> DocumentError {
    DocumentError(
      .documentEmpty, "the document is empty", file: file,
      at: Position(line: 1, column: 1),
      help: "write something into it, or check that the right file is named")
  }

  static func tooDeep(_ limits: DocumentLimits, file: String, at position: Position)
    -> DocumentError
  {
    DocumentError(
      .documentTooDeep, "values are nested deeper than \(limits.depth) levels", file: file,
      at: position, help: "check for brackets that are never closed")
  }

  static func tooManyValues(_ limit: Int, file: String, at position: Position) -> DocumentError {
    DocumentError(
      .documentTooManyValues, "there are more than \(limit) values", file: file, at: position,
      help: "split the file; long lists of users belong in a file of their own")
  }

  static func tooLong(_ count: Int, cap: Int, file: String, at position: Position) -> DocumentError
  {
    DocumentError(
      .scalarTooLong, "a text of \(count) bytes is longer than the \(cap) bytes allowed",
      file: file, at: position, help: "check for a quote that is never closed, or shorten the text")
  }

  static func duplicate(_ key: String, file: String, at position: Position, first: Position)
    -> DocumentError
  {
    DocumentError(
      .duplicateKey, "the key `\(key.brief)` is given again", file: file,
      at: position, note: "the first one is at \(first.line):\(first.column)",
      help: "keep one of the two")
  }

  static func notMapping(_ found: Node, file: String) -> DocumentError {
    DocumentError(
      .recordNotMapping, "a record has to be a mapping, but this is \(found.content.kind)",
      file: file, at: found.position, help: "write its values as `key: value`")
  }

  static func notList(_ found: String, file: String, at position: Position) -> DocumentError {
    DocumentError(
      .listExpected, "a list of records was expected, but this is \(found)", file: file,
      at: position, help: "the file has to be one list, with a mapping for each record")
  }

  static func recordTooLong(_ limits: DocumentLimits, file: String, at position: Position)
    -> DocumentError
  {
    DocumentError(
      .recordTooLong, "a record is longer than \(limits.recordBytes) bytes", file: file,
      at: position, help: "check for a quote or bracket that is never closed")
  }

  static func tooManyRecords(_ limits: DocumentLimits, file: String, at position: Position)
    -> DocumentError
  {
    DocumentError(
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
  /// Short enough for a message, whatever a stranger wrote.
  var brief: String { count <= 40 ? self : String(prefix(39)) + "…" }
}
