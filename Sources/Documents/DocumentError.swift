/// What is wrong with a document as text, before anyone asks what it means.
package struct DocumentError: Error, Hashable, Sendable {
  /// Stable, kebab-case, listed in docs/diagnostics.md.
  package let code: String
  /// Lower case, no full stop: the thing, then the cause.
  package let message: String
  package let file: String
  package let position: Position?
  package let note: String?
  package let help: String?

  package init(
    code: String, message: String, file: String, position: Position?, note: String? = nil,
    help: String? = nil
  ) {
    self.code = code
    self.message = message
    self.file = file
    self.position = position
    self.note = note
    self.help = help
  }
}
