package import Bytes
package import Diagnostics
package import Files
package import Manifest
package import Recipes

/// The whole folder as it shall be: finished images by digest, and files written on demand.
package struct Site: Sendable {
  /// An image at its path.
  package struct Image: Sendable, Hashable {
    package var path: String
    package var digest: Digest
    package var bytes: Int64
  }

  /// A file that is made when it is wanted; `write` may be called more than once and gives the same
  /// bytes each time.
  package struct Page: Sendable {
    package var path: String
    /// Images whose bytes stand in the file behind what is written, in this order.
    package var contained: [Digest] = []
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
  package var images: [Image]
  /// In the order of publishing: whatever names others comes later.
  package var pages: [Page]

  package init(images: [Image], pages: [Page]) {
    self.images = images
    self.pages = pages
  }
}

extension Asset {
  /// Where an image lies in `output`: for ever the same bytes.
  package func path(as format: OutputFormat) -> String {
    let name = digest.hex
    return "assets/\(name.prefix(2))/\(name).\(format.fileExtension)"
  }
}

extension Site.Image {
  /// An image named by its content.
  package init(_ asset: Asset, _ format: OutputFormat) {
    self.init(asset, at: asset.path(as: format))
  }

  /// An image under a name that a program looks for.
  package init(_ asset: Asset, at path: String) {
    self.init(path: path, digest: asset.digest, bytes: asset.bytes)
  }
}

/// Makes the pages of a site; the gallery is one.
///
/// A build is given it, so that it need not know the gallery.
package struct PageMaker: Sendable {
  /// Pages whose templates are read and checked.
  package struct Prepared: Sendable {
    /// Names in the templates that no value has.
    package var warnings: [Diagnostic]
    package var assemble: @Sendable (SiteContent) throws -> Site

    package init(
      warnings: [Diagnostic], assemble: @escaping @Sendable (SiteContent) throws -> Site
    ) {
      self.warnings = warnings
      self.assemble = assemble
    }
  }

  /// Reads the templates and notes which files it read; throws a `Diagnostic` when they are no good.
  package var prepare:
    @Sendable (_ templates: String?, _ pages: PageSettings, _ inputs: inout Inputs) throws ->
      Prepared

  package init(
    prepare: @escaping @Sendable (String?, PageSettings, inout Inputs) throws -> Prepared
  ) {
    self.prepare = prepare
  }

  /// Where templates are looked for when no folder is named.
  package static let templatesFolder = "templates"
}
