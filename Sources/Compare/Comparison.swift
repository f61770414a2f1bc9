package import Build
package import Diagnostics
import Files
import Gallery
package import Plan
import Store

/// `sitegen diff`: a page that shows what is different between two sites.
package struct Comparison: Sendable {
  package struct Options: Sendable, Hashable {
    package var old: String
    package var new: String
    package var to = "diff"
    package var templates = TemplatesFolder()

    package init(old: String, new: String) {
      self.old = old
      self.new = new
    }
  }

  /// How many things are different.
  package struct Outcome: Sendable {
    package var changed: Int
    package var added: Int
    package var removed: Int
    package var buttons: Int
    package var strips: Int
    package var others: Int
    package var isEqual: Bool
    /// How many users the new site has.
    package var users: Int
    package var warnings = Diagnostics()
  }

  private let options: Options
  private let cancellation: Cancellation

  package init(_ options: Options, cancellation: Cancellation = Cancellation()) {
    self.options = options
    self.cancellation = cancellation
  }

  package func run() throws(BuildFailure) -> Outcome {
    do {
      return try compare()
    } catch {
      throw BuildFailure(error, cancellation)
    }
  }

  private func compare() throws -> Outcome {
    let old = try Self.site(options.old)
    let new = try Self.site(options.new)
    let template = try PageTemplate(
      ComparePage.templateName, in: options.templates, vocabulary: ComparePage.vocabulary)
    let differences = try Differences(old: old, new: new, cancellation: cancellation)
    let target = try DiffFolder(at: options.to, apartFrom: [old, new])
    defer { target.close() }
    let page = ComparePage(differences: differences, old: old, new: new)
    try publish(try page.site(template), to: target.folder)
    var outcome = Outcome(
      changed: differences.changed.count, added: differences.added.count,
      removed: differences.removed.count, buttons: differences.buttons.count,
      strips: differences.strips.count, others: differences.others.count,
      isEqual: differences.isEmpty, users: differences.newUsers)
    for warning in template.warnings { outcome.warnings.add(warning) }
    return outcome
  }

  private static func site(_ path: String) throws -> Folder {
    do throws(FileError) {
      return try Folder(opening: path)
    } catch {
      throw BuildFailure.usage(.unreadableSite(path, error.explanation))
    }
  }

  /// Pictures are published like pages here, since they are copied from a site and not from a store.
  private func publish(_ site: Site, to folder: Folder) throws {
    let scratch = try Scratch()
    defer { withExtendedLifetime(scratch) {} }
    let publisher = Publisher(
      output: folder, store: try BlobStore(in: Folder(opening: scratch.path)),
      queue: WorkQueue(name: "sitegen diff", width: Cores.allowed(), cancellation: cancellation),
      tally: Tally(), cancellation: cancellation, adopt: false)
    try publisher.publish(site)
  }
}
