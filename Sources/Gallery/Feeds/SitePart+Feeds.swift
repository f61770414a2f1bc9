import Manifest
import Plan

extension SitePart {
  /// The people for address books; their own pages are named there.
  init(addressCardsOf content: SiteContent) {
    guard content.manifest.pages.cards else { return }
    pages = content.manifest.users.indices.map { PersonCard.page(of: $0, in: content) }
  }

  /// What tells other programs of the people and of the pages.
  ///
  /// - Parameters:
  ///   - content: Who and where.
  ///   - paths: Of all files; those that are pages go into the map of the site.
  init(feedsOf content: SiteContent, pages paths: [String]) {
    let manifest = content.manifest
    if manifest.pages.feed {
      let feed = FeedJSON(content)
      pages.append(Site.Page(path: GalleryPaths.feed) { try feed.write($0) })
    }
    // The first page is the last file.
    let html = paths.reversed().filter { $0.hasSuffix(".html") }
    if let map = Sitemap(manifest.site, pages: html) { pages += map.files }
  }
}
