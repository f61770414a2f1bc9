package import Diagnostics
package import Mustache
package import Plan

/// The template and style sheets for a page outside the site.
package struct PageTemplate: Sendable {
  package let styleSheet: [UInt8]
  /// The gallery's style sheet, which defines the page's colours and distances.
  package let gallerySheet: [UInt8]
  /// One warning for each unknown name in the template.
  package let warnings: [Diagnostic]
  private let set: TemplateSet
  private let name: String

  /// - Throws: A `Diagnostic` for a bad template.
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
