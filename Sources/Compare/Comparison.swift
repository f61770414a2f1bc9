package import Build
package import Diagnostics
import Files
import Gallery
package import Plan
import Store

/// The `sitegen diff` command, which generates a page with the differences between two sites.
package struct Comparison: Sendable {
  package var old, new: String
  package var to = "diff"
  package var templates = TemplatesFolder()

  package struct Outcome: Sendable {
    package let changed, added, removed, buttons, strips: Int
    package let isEqual: Bool
    package let warnings: Diagnostics
  }

  package init(old: String, new: String) {
    (self.old, self.new) = (old, new)
  }

  package func run(_ cancellation: Cancellation = Cancellation()) throws(BuildFailure) -> Outcome {
    try BuildFailure.mapping(cancellation) {
      let differences = Differences(
        try PublishedAssets(in: self.old), try PublishedAssets(in: self.new))
      let (old, new) = (try Folder(opening: self.old), try Folder(opening: self.new))
      let template = try PageTemplate(
        ComparePage.templateName, in: templates, vocabulary: ComparePage.vocabulary)
      let target = try DiffFolder(at: to, apartFrom: [old, new])
      defer { target.close() }
      var page = ComparePage(differences: differences, old: old, new: new)
      try Self.publish(try page.site(template), to: target.folder, cancellation)
      var warnings = Diagnostics()
      for warning in template.warnings { warnings.add(warning) }
      return Outcome(
        changed: differences.users.changed.count, added: differences.users.added.count,
        removed: differences.users.removed.count, buttons: differences.states.all.count,
        strips: differences.strips.all.count, isEqual: differences.isEmpty, warnings: warnings)
    }
  }

  /// Publishes all files as pages, because the pictures are not in a store.
  private static func publish(
    _ site: Site, to folder: Folder, _ cancellation: Cancellation
  ) throws {
    let scratch = try Scratch()
    defer { withExtendedLifetime(scratch) {} }
    let publisher = Publisher(
      output: folder, store: try BlobStore(in: Folder(opening: scratch.path)),
      queue: WorkQueue(name: "sitegen diff", width: Cores.allowed(), cancellation: cancellation),
      tally: Tally(), cancellation: cancellation, adopt: false)
    try publisher.publish(site)
  }
}
