import Bytes
import Manifest

/// The paths of pages, and of the files beside them, from the output folder.
enum GalleryPaths {
  // Pages and parts are counted from 1.

  static let buttons = "buttons/index.html"
  static let styles = "styles/index.html"
  static let robots = "robots.txt"
  /// In a folder, since many sites have a `favicon.svg`.
  static let initialsIcon = "icons/initials.svg"
  /// All pages, or the list of the parts that name them.
  static let sitemap = "sitemap.xml"
  /// The head of the search index.
  static let search = "data/search.js"

  static func people(page: Int) -> String { "\(folder(of: page))index.html" }

  /// All tags; no tag has the slug `_`, because two digits follow every `_`.
  static func tags(page: Int = 1) -> String {
    page == 1 ? "tags/index.html" : "tags/_/\(page)/index.html"
  }

  static func tag(_ slug: String, page: Int = 1) -> String {
    "tags/\(slug)/\(folder(of: page))index.html"
  }

  static func person(_ id: String) -> String { "people/\(CSSName.segment(id))/index.html" }

  /// The person for address books.
  static func card(_ id: String) -> String { "people/\(CSSName.segment(id))/card.vcf" }

  /// The pictures of a style that no card shows.
  static func style(_ name: String, page: Int = 1) -> String {
    "styles/\(CSSName.segment(name))/\(folder(of: page))index.html"
  }

  static func sitemap(part: Int) -> String { "sitemap-\(part).xml" }

  static func search(part: Int) -> String { "data/search-\(part).js" }

  static func details(page: Int) -> String { "data/people-\(page).js" }

  /// The way from a page to the output folder: empty, or `../` for each folder.
  static func root(of path: String) -> String {
    String(repeating: "../", count: path.utf8.count { $0 == UInt8(ascii: "/") })
  }

  /// An HTML id for the id of a user, or for the name of anything else.
  static func anchor(_ kind: String, of id: String) -> String { "\(kind)-\(CSSName.segment(id))" }

  private static func folder(of page: Int) -> String { page == 1 ? "" : "page/\(page)/" }
}

/// The address of the site, which makes whole addresses of paths.
struct SiteAddress: Sendable {
  /// Encoded, with `/` at its end.
  private let base: String

  /// Nil where the manifest does not say.
  init?(_ site: SiteDescription) {
    guard let url = site.url else { return nil }
    base = Self.encoded(url)
  }

  /// The address of a file, or of an element on a page; a page is named by its folder.
  func of(_ path: String, fragment: String? = nil) -> String {
    let page = "index.html"
    let isPage = path == page || path.hasSuffix("/" + page)
    let address = base + Self.encoded(isPage ? String(path.dropLast(page.count)) : path)
    return fragment.map { "\(address)#\(Self.encoded($0))" } ?? address
  }

  /// Escapes what an address cannot have as it is; escapes that are there stay.
  static func encoded(_ text: String) -> String {
    // Letters, digits and the signs of RFC 3986, without `%`.
    Percent.encoded(text.utf8, keepingEscapes: true) {
      $0.isASCIILetterOrDigit || "-._~:/?#[]@!$&'()*+,;=".utf8.contains($0)
    }
  }
}
