import Bytes
package import Manifest
package import Plan

/// `robots.txt` and `sitemap.xml`, so that search engines find all pages.
///
/// A sitemap is limited to 50,000 URLs and 50 MB, so a large site gets several sitemaps.
package struct Sitemap: Sendable {
  package static let partSize = 10_000

  private let address: SiteAddress
  private let pages: [String]

  package init?(_ site: SiteDescription, pages: [String]) {
    guard let address = SiteAddress(site) else { return nil }
    self.address = address
    self.pages = pages
  }

  package var files: [Site.Page] {
    let robots = Site.Page(
      GalleryPaths.robots,
      "User-agent: *\nAllow: /\n\nSitemap: \(address.of(GalleryPaths.sitemap))\n")
    let parts = pages.chunks(of: Self.partSize).map(Array.init)
    guard parts.count > 1 else {
      return [page(GalleryPaths.sitemap, "urlset", "url", pages), robots]
    }
    let paths = parts.indices.map { GalleryPaths.sitemap(part: $0 + 1) }
    return zip(paths, parts).map { page($0, "urlset", "url", $1) }
      + [page(GalleryPaths.sitemap, "sitemapindex", "sitemap", paths), robots]
  }

  private func page(
    _ path: String, _ list: String, _ entry: String, _ items: [String]
  ) -> Site.Page {
    Site.Page(path: path) { emit in
      let entries = items.map {
        "<\(entry)><loc>\(Markup.escaped(address.of($0)))</loc></\(entry)>\n"
      }
      let text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        + "<\(list) xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
      try emit(Array("\(text)\(entries.joined())</\(list)>\n".utf8))
    }
  }
}
