import Bytes
import Manifest

/// Paths of pages and related files, relative to the output folder.
enum GalleryPaths {
  // Pages and parts are numbered from 1.

  static let buttons = "buttons/index.html"
  static let styles = "styles/index.html"
  static let robots = "robots.txt"
  /// Not called `favicon.svg`, because many sites already have a file with that name.
  static let initialsIcon = "icons/initials.svg"
  /// Lists all pages, or the parts of a larger sitemap.
  static let sitemap = "sitemap.xml"
  /// The head of the search index, with counts, tags and statuses.
  static let search = "data/search.js"

  static func people(page: Int) -> String { "\(folder(of: page))index.html" }

  /// A page of the tag list, under `_`, which cannot be a tag's slug.
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

  /// The relative path from a page to the output folder: `../` for each folder, or empty.
  static func root(of path: String) -> String {
    String(repeating: "../", count: path.utf8.count { $0 == UInt8(ascii: "/") })
  }

  /// The HTML id for a user's id or another name.
  static func anchor(_ kind: String, of id: String) -> String { "\(kind)-\(CSSName.segment(id))" }

  private static func folder(of page: Int) -> String { page == 1 ? "" : "page/\(page)/" }
}

/// The site's base URL, for absolute URLs.
struct SiteAddress: Sendable {
  /// The percent-encoded URL with a trailing `/`.
  private let base: String

  /// Nil if the manifest does not specify the URL.
  init?(_ site: SiteDescription) {
    guard let url = site.url else { return nil }
    base = Self.encoded(url)
  }

  /// The absolute URL of a file or anchor; for `index.html`, the URL of its folder.
  func of(_ path: String, fragment: String? = nil) -> String {
    let page = "index.html"
    let isPage = path == page || path.hasSuffix("/" + page)
    let address = base + Self.encoded(isPage ? String(path.dropLast(page.count)) : path)
    return fragment.map { "\(address)#\(Self.encoded($0))" } ?? address
  }

  /// Percent-encodes invalid characters, but keeps existing escapes.
  static func encoded(_ text: String) -> String {
    // The characters that RFC 3986 allows, except `%`.
    Percent.encoded(text.utf8, keepingEscapes: true) {
      $0.isASCIILetterOrDigit || "-._~:/?#[]@!$&'()*+,;=".utf8.contains($0)
    }
  }
}
