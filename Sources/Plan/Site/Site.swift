package import Bytes
package import Diagnostics
package import Files
package import Manifest
package import Recipes

/// The whole folder as it shall be: finished images by digest, and files written on demand.
package struct Site: Sendable {
  /// A file at its place, and which bytes it has.
  package struct File: Sendable, Hashable {
    package let path: String
    package let size: Int64
    package let digest: Digest

    package init(path: String, size: Int64, digest: Digest) {
      (self.path, self.size, self.digest) = (path, size, digest)
    }

    /// An image named by its content.
    package init(_ asset: Asset) {
      self.init(asset, at: asset.path)
    }

    /// An image under a name that a program looks for.
    package init(_ asset: Asset, at path: String) {
      self.init(path: path, size: asset.bytes, digest: asset.digest)
    }

    /// The folder of pictures under the names of their users.
    package static let aliases = "u/"

    /// Whether it is a second name of a picture.
    package var isAlias: Bool { path.hasPrefix(Self.aliases) }

    /// Whether its path names its bytes.
    package var isNamedByContent: Bool { Digest(assetPath: path) == digest }
  }

  /// A file that is made when it is wanted; `write` may be called more than once and gives the same
  /// bytes each time.
  package struct Page: Sendable {
    package var path: String
    /// Images whose bytes stand in the file behind what is written, in this order.
    package var contained: [Digest] = []
    /// What stands behind each of them; they are in base64 then.
    package var between: [String]?
    package var write: @Sendable (_ emit: ([UInt8]) throws -> Void) throws -> Void

    package init(
      path: String, write: @escaping @Sendable (_ emit: ([UInt8]) throws -> Void) throws -> Void
    ) {
      self.path = path
      self.write = write
    }

    /// A file of one text.
    package init(_ path: String, _ text: String) {
      self.init(path: path) { try $0(Array(text.utf8)) }
    }
  }

  /// Distinct and sorted by path.
  package var images: [File]
  /// In the order of publishing: whatever names others comes later.
  package var pages: [Page]

  package init(images: [File], pages: [Page]) {
    self.images = images
    self.pages = pages
  }
}

extension Digest {
  /// Where an image with these bytes lies in `output`: for ever the same bytes.
  package func path(as format: OutputFormat) -> String {
    let name = hex
    return "assets/\(name.prefix(2))/\(name).\(format.fileExtension)"
  }

  /// Of an image by its path in `output`.
  package init?(assetPath path: String) {
    self.init(hex: path.dropFirst("assets/00/".count).prefix(64))
    guard OutputFormat.allCases.contains(where: { self.path(as: $0) == path }) else { return nil }
  }
}

/// Makes the pages of a site.
///
/// `Gallery` has the one that makes them. A build is given it, so that it need not know `Gallery`.
package protocol PageMaker: Sendable {
  /// Reads the templates, and adds the files that it read to `inputs`.
  ///
  /// - Throws: A `Diagnostic` for a template that cannot be used.
  func prepare(
    _ folder: TemplatesFolder, _ manifest: Manifest, _ inputs: inout Inputs
  ) throws -> any PreparedPages

  /// What reads the links of a file of the site; nil for files without links.
  func links(_ path: String) -> (@Sendable ([UInt8]) -> FileLinks)?
}

/// Pages whose templates are read and checked.
package protocol PreparedPages: Sendable {
  /// One for each name in the templates that no value has.
  var warnings: [Diagnostic] { get }

  func assemble(_ content: SiteContent) throws -> Site
}

/// What a page, a style sheet or a map for programs names.
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

  /// Those to files of the same site.
  package var links: Set<Link> = []
  /// What a link may have behind `#`.
  package var anchors: Set<String> = []

  package init() {}
}

/// Where the user's templates lie; what is not there is as compiled in.
package struct TemplatesFolder: Hashable, Sendable {
  package var path: String
  /// Whoever names a folder means one that is there.
  package var isNamed: Bool

  package init(_ path: String = "templates", isNamed: Bool = true) {
    self.path = path
    self.isNamed = isNamed
  }

  package init() { self.init(isNamed: false) }
}
