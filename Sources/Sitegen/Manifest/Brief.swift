/// Everything that the user wrote, read and checked: the templates and the manifest.
struct Brief {
  let templates: Templates
  let manifest: Manifest
  let diagnostics: Diagnostics
  /// The files that were read for it.
  let inputs: Inputs

  /// - Throws: `BuildFailure.usage` with every mistake there is.
  init(_ options: BuildOptions) throws {
    var inputs = Inputs()
    let reading = try ManifestReading(options, inputs: &inputs)
    manifest = reading.manifest
    templates = try Templates(
      named: options.templates, theme: manifest.pages.theme, inputs: &inputs)
    diagnostics = reading.adding(templates.warnings).diagnostics
    self.inputs = inputs
  }
}
