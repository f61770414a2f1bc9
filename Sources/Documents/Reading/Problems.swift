import Diagnostics

extension Diagnostic {
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
      help: "add content, or check the file name")
  }

  static func tooDeep(_ limits: DocumentLimits, file: String, at position: Position) -> Self {
    Diagnostic(
      .documentTooDeep, "values are nested deeper than \(limits.depth) levels", file: file,
      at: position, help: "check for unclosed brackets")
  }

  static func tooManyValues(_ limit: Int, file: String, at position: Position) -> Diagnostic {
    Diagnostic(
      .documentTooManyValues, "there are more than \(limit) values", file: file, at: position,
      help: "split the file; put long lists of users in a separate file")
  }

  static func duplicate(
    _ key: String, file: String, at position: Position, first: Position
  ) -> Diagnostic {
    Diagnostic(
      .duplicateKey, "the key `\(key.brief)` appears more than once", file: file,
      at: position, note: "the first one is at \(first)",
      help: "keep only one of them")
  }
}

extension String {
  var brief: String { count <= 40 ? self : String(prefix(39)) + "…" }
}
