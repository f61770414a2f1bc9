import Store

/// Where the pages of the gallery lie, and what lies beside them: nothing else writes these down.
///
/// All are relative to the output folder; `root(of:)` leads back there.
enum GalleryPaths {
  /// The people, from page 1.
  static func people(page: Int) -> String { "\(folder(of: page))index.html" }

  static let buttons = "buttons/index.html"

  /// All tags, from page 1; no tag is called `_`, since two digits follow it in every slug.
  static func tags(page: Int = 1) -> String {
    page == 1 ? "tags/index.html" : "tags/_/\(page)/index.html"
  }

  /// The people of a tag.
  static func tag(_ tag: String, page: Int = 1) -> String {
    "tags/\(slug(of: tag))/\(folder(of: page))index.html"
  }

  /// One person.
  static func person(_ id: String) -> String { "people/\(slug(of: id))/index.html" }

  /// The card of a person for address books.
  static func card(_ id: String) -> String { "people/\(slug(of: id))/card.vcf" }

  /// All styles.
  static let styles = "styles/index.html"

  /// Every picture of a style.
  static func style(_ name: String, page: Int = 1) -> String {
    "styles/\(slug(of: name))/\(folder(of: page))index.html"
  }

  static let feed = "feed.json"

  static let robots = "robots.txt"

  /// All pages, or the list of the parts that name them, from 1.
  static let sitemap = "sitemap.xml"
  static func sitemap(part: Int) -> String { "sitemap-\(part).xml" }

  /// What the index for finding is made of, and each part of it, from 1.
  static let search = "data/search.js"
  static func search(part: Int) -> String { "data/search-\(part).js" }

  /// All about the people of a page, for the detail view.
  static func details(page: Int) -> String { "data/people-\(page).js" }

  /// The way from a page to the output folder: empty, or `../` for each folder.
  static func root(of path: String) -> String {
    String(repeating: "../", count: path.utf8.count { $0 == UInt8(ascii: "/") })
  }

  /// Any text as one part of an address, or of an HTML id; different texts are different.
  static func slug(of text: String) -> String {
    let escaped = CSSName.escape(text)
    // `__` is the beginning of no escaped text, so a digest is nobody else's name.
    return escaped.utf8.count <= 64 ? escaped : "__" + Digest(of: Array(text.utf8)).hex
  }

  private static func folder(of page: Int) -> String { page == 1 ? "" : "page/\(page)/" }
}
