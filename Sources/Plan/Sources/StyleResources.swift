package import Manifest
package import Recipes

/// What this machine and the manifest's folder have for recipes to name.
package struct StyleResources: Sendable {
  package var badges: [SourcePath: Badge]
  /// The digest of a face detector's data.
  package var detector: String?

  package init(badges: [SourcePath: Badge] = [:], detector: String? = nil) {
    self.badges = badges
    self.detector = detector
  }
}

/// The picture of a badge.
package struct Badge: Hashable, Sendable {
  /// By which workers know the bytes.
  package var digest: String
  package var inspection: Inspection

  package init(digest: String, inspection: Inspection) {
    self.digest = digest
    self.inspection = inspection
  }
}
