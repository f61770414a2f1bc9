import Diagnostics
import Files
import Manifest
import Plan

/// Everything that the user wrote, read and checked: the manifest and the templates.
struct BuildInput {
  let manifest: Manifest
  let pages: PageMaker.Prepared
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
    pages = try options.pages.prepare(options.templates, manifest.pages, &inputs)
    diagnostics = reading.adding(pages.warnings).diagnostics
    self.inputs = inputs
  }
}
