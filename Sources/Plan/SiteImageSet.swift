package import Recipes
package import Store

/// What became of each site image that was asked for.
package struct SiteImageSet: Sendable {
  private var results: [SiteImage: Result<Asset, Rejection>] = [:]

  package init() {}

  /// Nil for what was never asked for.
  package subscript(siteImage: SiteImage) -> Result<Asset, Rejection>? {
    get { results[siteImage] }
    set { results[siteImage] = newValue }
  }

  /// Nil for what could not be made.
  package func asset(of siteImage: SiteImage) -> Asset? { try? results[siteImage]?.get() }

  /// Why site images are missing, by the places that asked for them.
  package var failures: [(siteImage: SiteImage, rejection: Rejection)] {
    let failures = results.compactMap { siteImage, result in
      if case .failure(let rejection) = result {
        (siteImage: siteImage, rejection: rejection)
      } else {
        nil
      }
    }
    return failures.sorted {
      ($0.siteImage.path, $0.rejection.detail) < ($1.siteImage.path, $1.rejection.detail)
    }
  }

  /// Makes every site image unknown again whose bytes are lost.
  package mutating func forget(_ lost: Set<Digest>) {
    results = results.filter { _, result in
      guard case .success(let asset) = result else { return true }
      return !lost.contains(asset.digest)
    }
  }
}
