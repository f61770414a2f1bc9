extension TestSite {
  /// Builds it, which must fail because of the manifest, and returns what is wrong.
  package func mistakes(
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Diagnostic] {
    let failure = try failure()
    guard case .usage(let diagnostics) = failure else { throw failure }
    #expect(failure.exitStatus == 2, sourceLocation: sourceLocation)
    return diagnostics.sorted
  }
}
