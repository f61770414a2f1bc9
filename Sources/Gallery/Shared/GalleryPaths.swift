import Bytes
import Manifest

/// The paths of pages and related files in the output folder; pages are numbered from 1.
enum GalleryPaths {
  static let buttons = "buttons/index.html"
  static let styles = "styles/index.html"
  static let robots = "robots.txt"
  /// The icon is not called `favicon.svg`, because many sites have their own file with that name.
  static let initialsIcon = "icons/initials.svg"
  /// The list of all pages, or the index of a sitemap with several parts.
  static let sitemap = "sitemap.xml"
  /// The part of the search index that contains counts, tags and statuses.
  static let search = "data/search.js"

  static func people(page: Int) -> String { "\(folder(of: page))index.html" }

  /// Returns the path of a page in the tag list; later pages are below `_`, which cannot be a slug.
  static func tags(page: Int = 1) -> String {
    page == 1 ? "tags/index.html" : "tags/_/\(page)/index.html"
  }

  static func tag(_ slug: String, page: Int = 1) -> String {
    "tags/\(slug)/\(folder(of: page))index.html"
  }

  static func person(_ id: String) -> String { "people/\(CSSName.segment(id))/index.html" }

  static func card(_ id: String) -> String { "people/\(CSSName.segment(id))/card.vcf" }

  static func style(_ name: String, page: Int = 1) -> String {
    "styles/\(CSSName.segment(name))/\(folder(of: page))index.html"
  }

  static func sitemap(part: Int) -> String { "sitemap-\(part).xml" }

  static func search(part: Int) -> String { "data/search-\(part).js" }

  static func details(page: Int) -> String { "data/people-\(page).js" }

  /// Returns the relative path from a page to the output folder: `../` for each folder, or empty.
  static func root(of path: String) -> String {
    String(repeating: "../", count: path.utf8.count { $0 == UInt8(ascii: "/") })
  }

  static func anchor(_ kind: String, of id: String) -> String { "\(kind)-\(CSSName.segment(id))" }

  private static func folder(of page: Int) -> String { page == 1 ? "" : "page/\(page)/" }
}

struct SiteAddress: Sendable {
  /// The percent-encoded URL with a trailing `/`.
  private let base: String

  init?(_ site: SiteDescription) {
    guard let url = site.url else { return nil }
    base = Self.encoded(url)
  }

  /// Returns the absolute URL of a file or anchor; for `index.html`, the URL of its folder.
  func of(_ path: String, fragment: String? = nil) -> String {
    let page = "index.html"
    let isPage = path == page || path.hasSuffix("/" + page)
    let address = base + Self.encoded(isPage ? String(path.dropLast(page.count)) : path)
    return fragment.map { "\(address)#\(Self.encoded($0))" } ?? address
  }

  /// Percent-encodes characters that are invalid in a URL, but keeps existing escapes.
  static func encoded(_ text: String) -> String {
    // RFC 3986 allows these characters as well as `%`.
    Percent.encoded(text.utf8, keepingEscapes: true) {
      $0.isASCIILetterOrDigit || "-._~:/?#[]@!$&'()*+,;=".utf8.contains($0)
    }
  }
}
