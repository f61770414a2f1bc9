import Diagnostics

/// Makes the report page, once all is done.
struct Reporter: Sendable {
  private let trace: Trace
  private let look: PageLook

  /// - Throws: `BuildFailure.usage` when the page's template is no good: before anything is done.
  init(_ trace: Trace, _ options: BuildOptions) throws {
    self.trace = trace
    look = try PageLook(
      ReportPage.templateName, in: options.templates, vocabulary: ReportPage.vocabulary)
  }

  /// What is wrong with the template and can be lived with.
  var warnings: [Diagnostic] { look.warnings }

  func page(
    _ report: Report, isUnpublished: Bool, facts: (Recording) -> ReportFacts
  ) throws -> [UInt8] {
    // What comes now is no part of the build.
    let end = trace.now
    let recording = trace.current
    return try ReportPage(
      report, recording, until: end, facts: facts(recording), isUnpublished: isUnpublished
    ).bytes(look)
  }
}
