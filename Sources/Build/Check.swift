import Diagnostics
import Documents
import Recipes

/// Reads the manifest and the headers of all pictures, renders nothing and writes nothing.
package struct Check: Sendable {
  private let options: BuildOptions
  private let cancellation: Cancellation

  package init(_ options: BuildOptions, cancellation: Cancellation = Cancellation()) {
    self.options = options
    self.cancellation = cancellation
  }

  package func run() throws(BuildFailure) -> BuildResult {
    do {
      var options = options
      options.dryRun = true
      var clock = StageClock { _ in }
      clock.start("check")
      let place = try Workplace(options, cancellation: cancellation, progress: { _ in })
      let brief = try Brief(options)
      var inputs = brief.inputs
      let provisions = try Provisions(brief.manifest, place, inputs: &inputs)
      var studio = try Studio(
        place, manifest: brief.manifest, provisions: provisions, fingerprint: .unasked)
      try studio.gatherEveryone()
      return studio.result(studio.diagnostics(after: brief.diagnostics), clock)
    } catch {
      throw BuildFailure(error, cancellation)
    }
  }
}
