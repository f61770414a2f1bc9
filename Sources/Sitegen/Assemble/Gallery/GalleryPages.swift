import Imaging
import Mustache
import Store

/// The pages of the gallery: the values that templates get.
///
/// templates/README.md is the contract; whatever changes here changes there.
struct GalleryPages: Sendable {
  /// Every name that a template can use; any other writes nothing, so it is told as a warning.
  static let vocabulary: Set<String> = [
    "alt", "anchor", "appearances", "avatars", "buttons", "bytes", "class", "color", "contrast",
    "counts", "current", "description", "direction", "failed", "fallback", "height", "href",
    "icons", "imageClass", "images", "ink", "isCurrent", "isDark", "isDisabled", "isFailed",
    "isFallback",
    "isGap", "isInherited", "isLazy", "isOK", "isSelected", "isSkipped", "isStale", "items",
    "language", "link", "links", "name", "next", "number", "ok", "pages", "people", "placeholder",
    "placeholders", "previous", "reason", "root", "scale", "scripts", "site", "skipped", "sources",
    "src", "srcset", "stale", "stateClass", "states", "status", "style", "stylesheets", "tags",
    "text", "thumbhash", "title", "total", "type", "width",
  ]

  let content: SiteContent
  let templates: Templates
  private let counts: Value
  private let hasIcons: Bool
  let headValues: GalleryHead

  init(_ content: SiteContent, templates: Templates) {
    self.content = content
    self.templates = templates
    hasIcons = content.icons != nil
    headValues = GalleryHead(content)
    var byStatus: [UserStatus: Int] = [:]
    for user in content.manifest.users.indices {
      byStatus[content.cast.status(of: user), default: 0] += 1
    }
    counts = [
      "people": .number(content.manifest.users.count),
      "buttons": .number(content.manifest.buttons.count),
      "ok": .number(byStatus[.ok, default: 0]),
      "fallback": .number(byStatus[.fallback, default: 0]),
      "stale": 0,
      "skipped": .number(byStatus[.skipped, default: 0]),
      "failed": .number(byStatus[.failed, default: 0]),
    ]
  }

  var pageCount: Int {
    max(1, (content.manifest.users.count + pageSize - 1) / pageSize)
  }

  /// People on a page.
  var pageSize: Int { content.manifest.pages.size }

  /// Where the buttons are, if there are any.
  var buttonsPath: String? {
    content.manifest.buttons.isEmpty ? nil : GalleryPaths.buttons
  }

  func write(page: Int) throws -> [UInt8] {
    try fill("index", with: peopleValues(of: page))
  }

  func writeButtons() throws -> [UInt8] {
    try fill("buttons", with: buttonsValues)
  }

  private func fill(_ template: String, with values: Value) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1 << 17)
    do throws(MustacheError) {
      try templates.set.render(template, with: values, into: &bytes)
    } catch {
      throw BuildFailure.usage(Diagnostic(error))
    }
    return bytes
  }

  // MARK: Values

  /// What every page has.
  private func common(path: String) -> Record {
    let root = GalleryPaths.root(of: path)
    let site = content.manifest.site
    return [
      "site": [
        "title": .text(site.title),
        "description": Value(site.description),
        "language": .text(site.language),
        "direction": Value(Self.direction(of: site.language)),
      ],
      "root": .text(root),
      "icons": .bool(hasIcons),
      "head": head(path),
      "stylesheets": .list(styleSheets.map { .text(root + $0) }),
      "counts": counts,
      "links": links(root: root, from: path),
    ]
  }

  /// The parts of the site, if there is more than one.
  private func links(root: String, from path: String) -> Value {
    guard let buttonsPath else { return .absent }
    func link(_ target: String) -> Value {
      ["href": .text(root + target), "isCurrent": .bool(target == path)]
    }
    return ["people": link(GalleryPaths.people(page: 1)), "buttons": link(buttonsPath)]
  }

  private var styleSheets: [String] {
    let theme = templates.themeSheet.map { _ in Templates.themeSheetName }
    return [Templates.styleSheetName] + [theme].compactMap(\.self)
      + ["avatars.css", "buttons.css"]
  }

  private func peopleValues(of page: Int) -> Value {
    let path = GalleryPaths.people(page: page)
    let root = GalleryPaths.root(of: path)
    let first = (page - 1) * pageSize
    let count = min(pageSize, content.manifest.users.count - first)
    var values = common(path: path)
    values["people"] =
      count > 0
      ? ["items": .lazy(count: count) { person(first + $0, place: $0, root: root) }] : .absent
    values["pages"] = pageCount > 1 ? pages(page, root: root) : .absent
    return .record(values)
  }

  private var buttonsValues: Value {
    let root = GalleryPaths.root(of: GalleryPaths.buttons)
    var values = common(path: GalleryPaths.buttons)
    values["buttons"] = ["items": .list(content.manifest.buttons.map(button))]
    values["scripts"] = .list(
      content.manifest.exports.contains(.touch) ? [.text(root + Templates.touchScriptName)] : [])
    return .record(values)
  }

  private func pages(_ current: Int, root: String) -> Value {
    func link(_ page: Int) -> Value {
      [
        "number": .number(page),
        "href": .text(root + GalleryPaths.people(page: page)),
        "isCurrent": .bool(page == current),
        "isGap": false,
      ]
    }
    var items: [Value] = []
    var last = 0
    for page in 1...pageCount
    where page == 1 || page == pageCount || abs(page - current) <= 2 {
      if page > last + 1 { items.append(["isGap": true]) }
      items.append(link(page))
      last = page
    }
    return [
      "current": .number(current),
      "total": .number(pageCount),
      "previous": current > 1 ? link(current - 1) : .absent,
      "next": current < pageCount ? link(current + 1) : .absent,
      "items": .list(items),
    ]
  }

  private static let rightToLeft: Set<String> = [
    "ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi",
  ]

  /// `rtl` for languages that are written from right to left; tags have no case.
  private static func direction(of language: String) -> String? {
    rightToLeft.contains(language.prefix { $0 != "-" }.lowercased()) ? "rtl" : nil
  }
}
