package import Build
import Diagnostics
import Gallery

extension ReportPageMaker {
  /// The page of `report.mustache`.
  package static let standard = ReportPageMaker { templates in
    let look = try PageTemplate(
      ReportPage.templateName, in: templates, vocabulary: ReportPage.vocabulary)
    return Prepared(warnings: look.warnings) { try ReportPage($0).bytes(look) }
  }
}
