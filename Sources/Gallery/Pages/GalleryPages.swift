import Diagnostics
import Manifest
import Mustache
import Plan
import Recipes

/// The gallery's pages, and the values for their templates.
///
/// templates/README.md documents the values and must be kept in sync. This type is a class, so that
/// 100,000 pages share one copy.
final class GalleryPages: Sendable {
  let people: People
  let templates: Templates
  let tags: TagIndex
  let styleUsers: StyleUsers
  let sizes: [PixelSize]
  let cardZooms: [Double]
  private let head: PageHead
  private let counts: Value
  private let hasIcons: Bool

  init(_ people: People, templates: Templates) {
    let content = people.content
    self.people = people
    self.templates = templates
    tags = TagIndex(content.manifest.users)
    styleUsers = StyleUsers(content)
    sizes = content.manifest.styles.indices.map {
      content.manifest.styles[$0].displaySize(inset: content.variants.plans[$0].inset)
    }
    let pages = content.manifest.pages
    let side = pages.pictureSize ?? pages.theme.flatMap { Self.pictureSizes[$0.name] }
    cardZooms = content.manifest.styles.map { style in
      // Do not enlarge pictures beyond the resolution of the style's largest file.
      let most = max(1, style.scales.last ?? 1)
      return side.map { min(most, Double($0) / max(1, style.width, style.height)) } ?? 1
    }
    head = PageHead(people)
    hasIcons = content.icons != nil
    var counts: Record = [
      "people": .number(content.manifest.users.count),
      "peopleText": .text(templates.words.people(content.manifest.users.count)),
      "tags": .number(tags.all.count),
    ]
    for (status, count) in content.statusCounts { counts[status] = .number(count) }
    self.counts = .record(counts)
  }

  var content: SiteContent { people.content }

  private static let pictureSizes = ["team": 96, "wall": 80]
  /// The minimum number of people for which pages offer a search.
  private static let searchedPeople = 30

  var pageSize: Int { content.manifest.pages.size }

  var hasTagPages: Bool { content.manifest.pages.tags && !tags.all.isEmpty }

  /// Whether pages show details for site authors, such as recipes and lists of files.
  var showsFiles: Bool { content.manifest.pages.styles ?? false }

  var hasStylePages: Bool { showsFiles && styleUsers.hasPictures }

  private var hasButtons: Bool { !content.manifest.buttons.isEmpty }

  /// The gallery's pages in publishing order: people's pages, then lists, and `index.html` last.
  ///
  /// Because pages link to each other, a new page may link to a page that is not published yet. All
  /// pages that `index.html` links to are published before it.
  var files: [Site.Page] {
    var pages: [Site.Page] = []
    func add(_ path: String, _ bytes: @escaping @Sendable () throws -> [UInt8]) {
      pages.append(Site.Page(path: path) { try $0(try bytes()) })
    }
    if content.manifest.pages.people {
      for (number, user) in content.manifest.users.enumerated() {
        add(GalleryPaths.person(user.id)) { try self.personPage(number) }
      }
    }
    if hasStylePages {
      for (style, hidden) in styleUsers.hidden.enumerated() where !hidden.isEmpty {
        let name = content.manifest.styles[style].name
        for page in pageNumbers(of: hidden.count) {
          add(GalleryPaths.style(name, page: page)) {
            try self.stylePage(style, page: page)
          }
        }
      }
      add(GalleryPaths.styles) { try self.stylesPage() }
    }
    if hasTagPages {
      for tag in tags.all {
        for page in pageNumbers(of: tag.users.count) {
          add(tagPath(tag.name, page: page)) { try self.tagPage(tag, page: page) }
        }
      }
      for page in pageNumbers(of: tags.all.count, size: Self.tagsOnPage) {
        add(GalleryPaths.tags(page: page)) { try self.tagsPage(page) }
      }
    }
    if hasButtons { add(GalleryPaths.buttons) { try self.buttonsPage() } }
    for page in pageNumbers(of: people.count) {
      add(GalleryPaths.people(page: page)) { try self.peoplePage(page) }
    }
    return pages
  }

  func fill(_ template: String, with values: Record) throws -> [UInt8] {
    try templates.set.render(template, with: .record(values))
  }

  func common(path: String, moreSheets: [String] = []) -> Record {
    let root = GalleryPaths.root(of: path)
    let site = content.manifest.site
    let themeSheets = templates.hasTheme ? [Templates.themeSheetName] : []
    let sheets =
      [Templates.styleSheetName] + themeSheets + ["avatars.css", "buttons.css"] + moreSheets
    return [
      "site": [
        "title": .text(site.title),
        "description": Value(site.description),
        "language": .text(site.language),
        "direction": Value(PageHead.textDirection(of: site.language)),
        "footer": Value(site.footer),
      ],
      "home": site.home == nil && templates.logo == nil
        ? .absent
        : [
          "href": .text(site.home ?? root + GalleryPaths.people(page: 1)),
          "label": .text(site.home.map { ProfileLink($0).label } ?? site.title),
          "logo": Value(templates.logo.map { root + $0 }),
        ],
      "words": templates.words.value,
      "root": .text(root),
      "icons": .bool(hasIcons),
      "head": head.values(for: path),
      "stylesheets": .list(sheets.map { .text(root + $0) }),
      "counts": counts,
      "problems": .bool(content.manifest.pages.problems),
      "files": .bool(showsFiles),
      "find": .bool(people.count >= Self.searchedPeople),
      "links": links(root: root, from: path),
    ]
  }

  private func links(root: String, from path: String) -> Value {
    // Like the style pages, the buttons page is for site authors.
    let linksToButtons =
      hasButtons && (showsFiles || people.count == 0 || path == GalleryPaths.buttons)
    guard hasTagPages || hasStylePages || linksToButtons else { return .absent }
    func link(_ target: String, _ exists: Bool = true) -> Value {
      guard exists else { return .absent }
      let isPeople = target == GalleryPaths.people(page: 1)
      let folders = isPeople ? ["people", "page"] : [target.split(separator: "/").first ?? ""]
      return [
        "href": .text(root + target), "isCurrent": .bool(target == path),
        "isInside": .bool(target != path && folders.contains { path.hasPrefix("\($0)/") }),
      ]
    }
    return [
      "people": link(GalleryPaths.people(page: 1)),
      "tags": link(GalleryPaths.tags(), hasTagPages),
      "styles": link(GalleryPaths.styles, hasStylePages),
      "buttons": link(GalleryPaths.buttons, linksToButtons),
    ]
  }
}

extension AvatarStyle {
  /// Returns the size on a page in CSS pixels, including the inset.
  func displaySize(inset: Margins) -> PixelSize {
    PixelSize(
      width: Int(width.rounded()) + inset.left + inset.right,
      height: Int(height.rounded()) + inset.top + inset.bottom)
  }
}
