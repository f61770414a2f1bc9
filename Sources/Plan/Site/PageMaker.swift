package import Diagnostics
package import Files
package import Manifest

/// Makes the pages of a site; `Gallery` has the implementation, which `Build` must not know.
package protocol PageMaker: Sendable {
  /// Reads the templates, and adds their files to `inputs` and a warning for each unknown name in them.
  ///
  /// - Throws: A `Diagnostic` for a bad template.
  func prepare(
    _ folder: TemplatesFolder, _ manifest: Manifest, _ inputs: inout Inputs,
    _ diagnostics: inout Diagnostics
  ) throws -> PreparedPages

  /// A function that reads the links of such a file; nil for files without links.
  func links(_ path: String) -> (@Sendable ([UInt8]) -> FileLinks)?
}

/// Makes the site when its images are there, of templates that are read and checked.
package typealias PreparedPages = @Sendable (SiteContent) throws -> Site

/// The links of a page, a style sheet or a sitemap.
package struct FileLinks: Sendable {
  package struct Link: Hashable, Sendable {
    /// From the output folder.
    package var path: String
    /// Behind `#`.
    package var fragment: String?

    package init(path: String, fragment: String? = nil) {
      self.path = path
      self.fragment = fragment
    }
  }

  /// To files of the same site.
  package var links: Set<Link> = []
  /// What a link can have behind `#`.
  package var anchors: Set<String> = []

  package init() {}
}

/// The folder of the user's templates; a missing template is the built-in one.
package struct TemplatesFolder: Hashable, Sendable {
  package var path: String
  /// A folder that is named must exist.
  package var isNamed: Bool

  package init(_ path: String = "templates", isNamed: Bool = true) {
    self.path = path
    self.isNamed = isNamed
  }

  package init() { self.init(isNamed: false) }
}
