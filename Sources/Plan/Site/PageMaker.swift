package import Diagnostics
package import Files
package import Manifest

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
