package import Manifest
package import Recipes

/// What recipes name besides the picture: files of this machine and of the manifest's folder.
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
  /// Workers know the bytes by it.
  package var digest: String
  package var inspection: Inspection

  package init(digest: String, inspection: Inspection) {
    self.digest = digest
    self.inspection = inspection
  }
}
