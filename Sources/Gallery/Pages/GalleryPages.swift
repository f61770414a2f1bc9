import Diagnostics
import Manifest
import Mustache
import Plan
import Recipes

/// The pages of the gallery: the values that templates get.
///
/// templates/README.md is the contract: a change here is a change there. A class, so that a hundred
/// thousand pages share one copy.
final class GalleryPages: Sendable {
  let people: People
  let templates: Templates
  let tags: TagIndex
  let styleUsers: StyleUsers
  /// How large each style is on a page.
  let sizes: [PixelSize]
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
    head = PageHead(people)
    hasIcons = content.icons != nil
    var counts: Record = [
      "people": .number(content.manifest.users.count),
      "buttons": .number(content.manifest.buttons.count),
      "tags": .number(tags.all.count),
    ]
    for (status, count) in content.statusCounts { counts[status] = .number(count) }
    self.counts = .record(counts)
  }

  var content: SiteContent { people.content }

  var pageSize: Int { content.manifest.pages.size }

  var hasTagPages: Bool { content.manifest.pages.tags && !tags.all.isEmpty }

  var hasStylePages: Bool { content.manifest.pages.styles && styleUsers.hasPictures }

  private var hasButtons: Bool { !content.manifest.buttons.isEmpty }

  // MARK: Files

  /// Every page of the gallery, in the order of publishing.
  ///
  /// People come first, then lists of them, `index.html` last. Pages link to each other in circles, so
  /// a new one may link to a page that is not there yet; `index.html` never does.
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
          add(GalleryPaths.tag(tag.name, page: page)) { try self.tagPage(tag, page: page) }
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
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1 << 16)
    try templates.set.render(template, with: .record(values), into: &bytes)
    return bytes
  }

  // MARK: Values

  /// What every page has; `moreSheets` are style sheets that other pages do not need.
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
      ],
      "words": templates.words,
      "root": .text(root),
      "icons": .bool(hasIcons),
      "head": head.values(for: path),
      "stylesheets": .list(sheets.map { .text(root + $0) }),
      "counts": counts,
      "problems": .bool(content.manifest.pages.problems),
      "find": .bool(people.count > 1),
      "links": links(root: root, from: path),
    ]
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
}

extension AvatarStyle {
  /// How large pictures are on a page: whole CSS pixels, of the canvas with all its room.
  func displaySize(inset: Margins) -> PixelSize {
    PixelSize(
      width: Int(width.rounded()) + inset.left + inset.right,
      height: Int(height.rounded()) + inset.top + inset.bottom)
  }
}
