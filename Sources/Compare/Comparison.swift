package import Build
package import Diagnostics
import Files
import Gallery
import Plan
import Store

/// `sitegen diff`: a page that shows what two sites have differently, and nothing else.
package struct Comparison: Sendable {
  package struct Options: Sendable, Hashable {
    package var old: String
    package var new: String
    package var to = "diff"
    package var templates: String?

    package init(old: String, new: String) {
      self.old = old
      self.new = new
    }
  }

  /// How many things are different.
  package struct Outcome: Sendable {
    package var changed = 0
    package var added = 0
    package var removed = 0
    package var buttons = 0
    package var strips = 0
    package var others = 0
    /// Whom the new site has.
    package var users = 0
    package var warnings = Diagnostics()

    package var isEqual: Bool {
      changed + added + removed + buttons + strips + others == 0
    }
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
    let look = try PageTemplate(
      ComparePage.templateName, in: options.templates, vocabulary: ComparePage.vocabulary)
    let differences = try Differences(old: old, new: new, cancellation: cancellation)
    let target = try DiffFolder(at: options.to, apartFrom: [old, new])
    defer { target.close() }
    let page = ComparePage(differences, old: old, new: new)
    try publish(try page.site(look), to: target.folder)
    var outcome = Outcome()
    outcome.changed = differences.changedCount
    outcome.added = differences.addedCount
    outcome.removed = differences.removedCount
    outcome.buttons = differences.buttons.count
    outcome.strips = differences.strips.count
    outcome.others = differences.others.count
    outcome.users = differences.newUsers
    for warning in look.warnings { outcome.warnings.add(warning) }
    return outcome
  }

  private static func site(_ path: String) throws -> Folder {
    do throws(FileError) {
      return try Folder(opening: path)
    } catch {
      throw BuildFailure.usage(.unreadableSite(path, error.explanation))
    }
  }

  /// The pictures are pages like any other here: what they are copied from is no store.
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
