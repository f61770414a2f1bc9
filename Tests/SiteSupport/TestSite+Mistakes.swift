extension TestSite {
  /// Builds the site, which must fail because of the manifest.
  package func mistakes(
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Diagnostic] {
    let failure = try failure()
    guard case .usage(let diagnostics) = failure else { throw failure }
    #expect(failure.exitStatus == 2, sourceLocation: sourceLocation)
    return diagnostics.sorted
  }
}
