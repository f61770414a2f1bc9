import Diagnostics
import Manifest
import Mustache
import Plan
import Recipes

/// The pages of the gallery: the values that templates get.
///
/// templates/README.md is the contract; whatever changes here changes there.
struct GalleryPages: Sendable {
  /// Every name that a template can use; any other writes nothing, so it is told as a warning.
  static let vocabulary: Set<String> = [
    "alt", "anchor", "appearances", "avatars", "buttons", "bytes", "class", "color", "contrast",
    "count", "counts", "current", "description", "direction", "examples", "failed", "fallback",
    "format", "hasSheets", "hash", "height", "href", "icons", "imageClass", "images", "ink",
    "isCurrent", "isDark", "isDisabled", "isFailed", "isFallback", "isGap", "isInherited", "isLazy",
    "isOK", "isSelected", "isSkipped", "isStale", "items", "language", "link", "links", "name",
    "next", "number", "ok", "pages", "people", "person", "placeholder", "placeholders", "previous",
    "reason", "recipe", "root", "scale", "scripts", "site", "skipped", "source", "sources",
    "sprite", "src", "srcset", "stale", "stateClass", "states", "status", "style", "styles",
    "stylesheets", "tag", "tags", "text", "thumbhash", "title", "total", "type", "up", "vcard",
    "width",
  ]

  let content: SiteContent
  let templates: Templates
  let tagBook: TagBook
  let shelves: StyleShelves
  /// How large each style is on a page.
  let layouts: [PageSize]
  private let counts: Value
  private let hasIcons: Bool
  let headValues: GalleryHead

  init(_ content: SiteContent, templates: Templates) {
    self.content = content
    self.templates = templates
    hasIcons = content.icons != nil
    headValues = GalleryHead(content)
    tagBook = TagBook(content.manifest.users)
    shelves = StyleShelves(content)
    layouts = content.manifest.styles.indices.map {
      PageSize(content.manifest.styles[$0], inset: content.variants.plans[$0].inset)
    }
    let statuses = content.statusCounts.map { (Key($0), Value.number($1)) }
    var counts: Record = [
      "people": .number(content.manifest.users.count),
      "buttons": .number(content.manifest.buttons.count),
    ]
    for (status, count) in statuses { counts[status] = count }
    self.counts = .record(counts)
  }

  /// Pages of people.
  var pageCount: Int { Pagination.count(of: content.manifest.users.count, size: pageSize) }

  /// People on a page.
  var pageSize: Int { content.manifest.pages.size }

  var hasTagPages: Bool { content.manifest.pages.tags && !tagBook.tags.isEmpty }

  var hasStylePages: Bool { content.manifest.pages.styles && shelves.hasPictures }

  var hasButtons: Bool { !content.manifest.buttons.isEmpty }

  func fill(_ template: String, with values: Record) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1 << 16)
    do throws(Diagnostic) {
      try templates.set.render(template, with: .record(values), into: &bytes)
    } catch {
      throw error
    }
    return bytes
  }

  // MARK: Values

  /// What every page has.
  func common(path: String) -> Record {
    let root = GalleryPaths.root(of: path)
    let site = content.manifest.site
    return [
      "site": [
        "title": .text(site.title),
        "description": Value(site.description),
        "language": .text(site.language),
        "direction": Value(textDirection(of: site.language)),
      ],
      "root": .text(root),
      "icons": .bool(hasIcons),
      "head": head(path),
      "stylesheets": addresses(of: styleSheets, root: root),
      "counts": counts,
      "links": links(root: root, from: path),
    ]
  }

  /// The links between the pages of a list.
  ///
  /// - Parameters:
  ///   - items: How many the list has.
  ///   - size: How many are on a page; nil for as many as there are people.
  ///   - page: The one that gets the links, from 1.
  ///   - path: Of a page, by number.
  /// - Returns: Absent where there is only one page.
  func pagination(
    of items: Int, size: Int? = nil, _ page: Int, path: (_ page: Int) -> String
  ) -> Value {
    Pagination.value(
      current: page, total: Pagination.count(of: items, size: size ?? pageSize),
      root: GalleryPaths.root(of: path(page)), path: path)
  }

  /// One more style sheet for one page.
  func addStyleSheet(_ name: String, to values: inout Record, path: String) {
    values["stylesheets"] = addresses(of: styleSheets + [name], root: GalleryPaths.root(of: path))
  }

  private func addresses(of names: [String], root: String) -> Value {
    .list(names.map { .text(root + $0) })
  }

  /// The parts of the site, if there is more than one.
  private func links(root: String, from path: String) -> Value {
    guard hasTagPages || hasStylePages || hasButtons else { return .absent }
    func link(_ target: String, _ exists: Bool = true) -> Value {
      guard exists else { return .absent }
      return ["href": .text(root + target), "isCurrent": .bool(target == path)]
    }
    return [
      "people": link(GalleryPaths.people(page: 1)),
      "tags": link(GalleryPaths.tags(), hasTagPages),
      "styles": link(GalleryPaths.styles, hasStylePages),
      "buttons": link(GalleryPaths.buttons, hasButtons),
    ]
  }

  private var styleSheets: [String] {
    let theme = templates.themeSheet.map { _ in Templates.themeSheetName }
    return [Templates.styleSheetName] + [theme].compactMap(\.self)
      + ["avatars.css", "buttons.css"]
  }
}
