package import Diagnostics
package import Files
package import Manifest

/// The interface to the page generator in `Gallery`, a module on which `Build` must not depend.
package protocol PageMaker: Sendable {
  /// Reads the templates, records their files in `inputs`, and warns about unknown names in them.
  func prepare(
    _ folder: TemplatesFolder, _ manifest: Manifest, _ inputs: inout Inputs,
    _ diagnostics: inout Diagnostics
  ) throws -> PreparedPages

  /// Returns a parser for a file's links; nil for file types without links.
  func links(_ path: String) -> (@Sendable ([UInt8]) -> FileLinks)?
}

/// A function that assembles the site from rendered images and checked templates.
package typealias PreparedPages = @Sendable (SiteContent) throws -> Site

package struct FileLinks: Sendable {
  package struct Link: Hashable, Sendable {
    package var path: String
    package var fragment: String?

    package init(path: String, fragment: String? = nil) {
      self.path = path
      self.fragment = fragment
    }
  }

  package var links: Set<Link> = []
  package var anchors: Set<String> = []

  package init() {}
}

/// The user's templates folder; each missing file is replaced by a built-in template.
package struct TemplatesFolder: Hashable, Sendable {
  package var path: String
  /// Whether the user specified the folder, which must then exist.
  package var isNamed: Bool

  package init(_ path: String = "templates", isNamed: Bool = true) {
    self.path = path
    self.isNamed = isNamed
  }

  package init() { self.init(isNamed: false) }
}
