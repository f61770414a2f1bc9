package import Recipes

/// What this machine and the manifest's folder have for recipes to name.
package struct StyleResources: Sendable {
  package var badges: Badges
  /// The digest of a face detector's data.
  package var detector: String?

  package init(badges: Badges = Badges(), detector: String? = nil) {
    self.badges = badges
    self.detector = detector
  }
}

/// The badge pictures that a manifest names, by path; paths are compared by their bytes.
package struct Badges: Sendable {
  package struct Badge: Hashable, Sendable {
    /// By which workers know the bytes.
    package var digest: String
    package var inspection: Inspection

    package init(digest: String, inspection: Inspection) {
      self.digest = digest
      self.inspection = inspection
    }
  }

  private var badges: [[UInt8]: Badge] = [:]

  package init() {}

  package subscript(path: String) -> Badge? {
    get { badges[Array(path.utf8)] }
    set { badges[Array(path.utf8)] = newValue }
  }
}
