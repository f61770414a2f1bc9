extension TestSite {
  /// Builds the site, expects it to fail because of the manifest, and returns the errors.
  package func mistakes(sourceLocation: SourceLocation = #_sourceLocation) throws -> [Diagnostic] {
    let failure = try failure()
    guard case .usage(let diagnostics) = failure else { throw failure }
    #expect(failure.exitStatus == 2, sourceLocation: sourceLocation)
    return diagnostics.sorted
  }
}
