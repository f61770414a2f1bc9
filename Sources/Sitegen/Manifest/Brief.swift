import Diagnostics

/// Everything that the user wrote, read and checked: the templates and the manifest.
struct Brief {
  let templates: Templates
  let manifest: Manifest
  let diagnostics: Diagnostics
  /// The files that were read for it.
  let inputs: Inputs

  /// - Parameters:
  ///   - options: Name the files.
  ///   - note: Is told what was read, also when it is no good.
  /// - Throws: `BuildFailure.usage` with every mistake there is.
  init(_ options: BuildOptions, note: (Inputs) -> Void = { _ in }) throws {
    var inputs = Inputs()
    defer { note(inputs) }
    let reading = try ManifestReading(options, inputs: &inputs)
    manifest = reading.manifest
    templates = try Templates(
      named: options.templates, theme: manifest.pages.theme, inputs: &inputs)
    diagnostics = reading.adding(templates.warnings).diagnostics
    self.inputs = inputs
  }
}
