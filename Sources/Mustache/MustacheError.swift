/// What is wrong with a template, and where.
package struct MustacheError: Error, Hashable, Sendable {
  /// Stable, kebab-case, listed in docs/diagnostics.md.
  package let code: String
  /// Lower case, no full stop: the thing, then the cause.
  package let message: String
  /// The template's file, as `TemplateSource.file` calls it.
  package let template: String
  /// Counted from 1; nil when the whole file is meant.
  package let line: Int?
  /// Counted from 1, in Unicode scalars; nil when the whole file is meant.
  package let column: Int?
  package let note: String?
  package let help: String?

  package init(
    code: String, message: String, template: String, line: Int? = nil, column: Int? = nil,
    note: String? = nil, help: String? = nil
  ) {
    self.code = code
    self.message = message
    self.template = template
    self.line = line
    self.column = column
    self.note = note
    self.help = help
  }

  /// A file, or the folder of all templates, that cannot be opened or read; the note says why.
  package static func unreadable(_ file: String, note: String) -> MustacheError {
    MustacheError(
      code: "template-unreadable", message: "cannot read this template", template: file,
      note: note)
  }
}
