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
      let context = try BuildContext(options, cancellation: cancellation, progress: { _ in })
      let input = try BuildInput(options, context, explains: true)
      var inputs = input.inputs
      let resources = try BuildResources(input.manifest, context, inputs: &inputs)
      var stages = try BuildStages(
        context, manifest: input.manifest, resources: resources, fingerprint: .unasked)
      try stages.gatherAll()
      return stages.result(stages.diagnostics(after: input.diagnostics), clock)
    } catch {
      throw BuildFailure(error, cancellation)
    }
  }
}
