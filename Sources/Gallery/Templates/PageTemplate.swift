package import Diagnostics
package import Mustache
package import Plan

/// A template with its style sheets, for a page that is not part of a site.
package struct PageTemplate: Sendable {
  package let styleSheet: [UInt8]
  /// The gallery's style sheet, which defines colours and spacing.
  package let gallerySheet: [UInt8]
  package let warnings: [Diagnostic]
  private let set: TemplateSet
  private let name: String

  package init(_ name: String, in folder: TemplatesFolder, vocabulary: Set<String>) throws {
    self.name = name
    let files = try TemplateFiles(in: folder)
    styleSheet = try files.read("\(name).css") ?? []
    gallerySheet = try files.read(Templates.styleSheetName) ?? []
    set = try TemplateSet(loading: [name], from: files.template)
    warnings = set.unknownNames(known: vocabulary)
  }

  package func fill(with values: Record) throws -> [UInt8] {
    try set.render(name, with: .record(values))
  }
}
