package import Documents

extension Diagnostic {
  /// What is wrong with a document as text is an error of the manifest.
  package init(_ error: DocumentError, path: String? = nil) {
    self.init(
      .error, error.code, error.message,
      at: Place(file: error.file, position: error.position), path: path, note: error.note,
      help: error.help)
  }

  package init(
    _ severity: Severity, _ id: DiagnosticID, _ message: String, at place: Place? = nil,
    path: String? = nil, note: String? = nil, help: String? = nil
  ) {
    self.init(
      severity, id.rawValue, message, at: place, path: path, note: note, help: help)
  }
}
