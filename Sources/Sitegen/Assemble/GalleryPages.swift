import Imaging
import Mustache
import Store

/// The pages of the gallery: the values that templates get, 200 people a page.
///
/// templates/README.md is the contract; whatever changes here changes there.
struct GalleryPages: Sendable {
  static let peoplePerPage = 200
  /// Pictures of the first people of a page are fetched at once, the others when they come near.
  private static let eagerPeople = 12

  /// Every name that a template can use; any other writes nothing, so it is told as a warning.
  static let vocabulary: Set<String> = [
    "alt", "anchor", "avatars", "buttons", "class", "color", "counts", "current", "dark",
    "description", "direction", "failed", "fallback", "height", "href", "isCurrent", "isFailed",
    "isFallback", "isGap", "isLazy", "isOK", "isSkipped", "isStale", "items", "language", "link",
    "name", "next", "number", "ok", "pages", "people", "placeholder", "placeholders", "previous",
    "reason", "root", "site", "skipped", "sources", "src", "srcset", "stale", "states", "status",
    "style", "stylesheets", "tags", "text", "thumbhash", "title", "total", "type", "width",
  ]

  let content: SiteContent
  let templates: Templates
  private let counts: Value

  init(_ content: SiteContent, templates: Templates) {
    self.content = content
    self.templates = templates
    var byStatus: [UserStatus: Int] = [:]
    for user in content.manifest.users.indices {
      byStatus[content.cast.status(of: user), default: 0] += 1
    }
    counts = [
      "people": .number(content.manifest.users.count),
      "ok": .number(byStatus[.ok, default: 0]),
      "fallback": .number(byStatus[.fallback, default: 0]),
      "stale": 0,
      "skipped": .number(byStatus[.skipped, default: 0]),
      "failed": .number(byStatus[.failed, default: 0]),
    ]
  }

  var pageCount: Int {
    max(1, (content.manifest.users.count + Self.peoplePerPage - 1) / Self.peoplePerPage)
  }

  /// `index.html`, then `page/2/index.html`.
  static func path(of page: Int) -> String {
    page == 1 ? "index.html" : "page/\(page)/index.html"
  }

  func write(page: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1 << 17)
    do throws(MustacheError) {
      try templates.set.render("index", with: values(of: page), into: &bytes)
    } catch {
      throw BuildFailure.usage(Diagnostic(error))
    }
    return bytes
  }

  // MARK: Values

  private func values(of page: Int) -> Value {
    let root = page == 1 ? "" : "../../"
    let site = content.manifest.site
    let first = (page - 1) * Self.peoplePerPage
    let count = min(Self.peoplePerPage, content.manifest.users.count - first)
    let people = Value.lazy(count: count) { person(first + $0, place: $0, root: root) }
    return [
      "site": [
        "title": .text(site.title),
        "description": Value(site.description),
        "language": .text(site.language),
        "direction": Value(Self.direction(of: site.language)),
      ],
      "root": .text(root),
      "stylesheets": .list(
        ["gallery.css", "avatars.css", "buttons.css"].map { .text(root + $0) }),
      "counts": counts,
      "people": count > 0 ? ["items": people] : .absent,
      "buttons": page == 1 && !content.manifest.buttons.isEmpty
        ? ["items": .list(content.manifest.buttons.map(button))] : .absent,
      "pages": pageCount > 1 ? pages(page, root: root) : .absent,
    ]
  }

  private func person(_ user: Int, place: Int, root: String) -> Value {
    let person = content.manifest.users[user]
    let status = content.cast.status(of: user)
    let hasPicture = content.cast.roles[user].source != nil
    let styles = content.styles(of: user)
    return [
      "anchor": .text(Self.anchor(of: person.id)),
      "name": .text(person.name),
      "title": Value(person.title),
      "link": Value(person.link),
      "tags": person.tags.isEmpty
        ? .absent
        : [
          "items": .list(person.tags.map(Value.text)),
          "text": .text(person.tags.joined(separator: ", ")),
        ],
      "status": .text(status.rawValue),
      "isOK": .bool(status == .ok),
      "isFallback": .bool(status == .fallback),
      "isStale": false,
      "isSkipped": .bool(status == .skipped),
      "isFailed": .bool(status == .failed),
      "reason": Value(reason(of: user)),
      "avatars": hasPicture
        ? .list(
          styles.enumerated().map { number, style in
            avatar(
              of: user, style: style, root: root, isFirst: number == 0,
              isLazy: place >= Self.eagerPeople)
          })
        : .absent,
      "placeholders": hasPicture
        ? .absent
        : .list(
          styles.map { style in
            [
              "style": .text(content.manifest.styles[style].name),
              "width": .number(layoutWidth(of: style)),
              "height": .number(layoutHeight(of: style)),
            ]
          }),
    ]
  }

  /// Why a picture is not what was asked for, in words; the codes are in `assets.json`.
  private func reason(of user: Int) -> String? {
    guard let code = content.cast.reason(of: user) else { return nil }
    guard let id = DiagnosticID(rawValue: code) else { return "none was named" }
    let sentence = id.meaning
    return sentence.prefix(1).lowercased() + sentence.dropFirst().dropLast()
  }

  /// One `<picture>`: a `<source>` for each format, the `<img>` for browsers that know none.
  private func avatar(
    of user: Int, style: Int, root: String, isFirst: Bool, isLazy: Bool
  ) -> Value {
    let records = content.records(of: user, style: style)
    let formats = content.manifest.styles[style].formats
    // PNG and JPEG are read everywhere, so one of them is the `<img>` if there is any.
    let last = formats.last { $0 != .webp } ?? formats.last ?? .png
    func set(_ format: OutputFormat) -> String {
      records.filter { $0.variant.format == format }
        .map { "\(root)\($0.path) \(JSONBytes.text(of: $0.variant.scale))x" }
        .joined(separator: ", ")
    }
    let fallback = records.filter { $0.variant.format == last }
    let plain = fallback.first { $0.variant.scale >= 1 } ?? fallback.last
    let name = content.manifest.users[user].name
    return [
      "style": .text(content.manifest.styles[style].name),
      "sources": .list(
        formats.filter { $0 != last }.map {
          ["type": .text($0.mimeType), "srcset": .text(set($0))]
        }),
      "src": .text(plain.map { root + $0.path } ?? ""),
      "srcset": .text(set(last)),
      "width": .number(layoutWidth(of: style)),
      "height": .number(layoutHeight(of: style)),
      "alt": .text(isFirst ? name : ""),
      "isLazy": .bool(isLazy),
      "placeholder": content.placeholder(of: user, style: style).map { placeholder in
        ["color": .text(placeholder.colorText), "thumbhash": .text(placeholder.thumbHashText)]
      } ?? .absent,
    ]
  }

  /// Of the canvas: CSS pixels are points; pages want whole ones.
  private func layoutWidth(of style: Int) -> Int {
    let inset = content.looks.plans[style].inset
    return Int(content.manifest.styles[style].width.rounded()) + inset.left + inset.right
  }

  private func layoutHeight(of style: Int) -> Int {
    let inset = content.looks.plans[style].inset
    return Int(content.manifest.styles[style].height.rounded()) + inset.top + inset.bottom
  }

  private func button(_ button: ButtonStyle) -> Value {
    let name = "btn-" + CSSName.escape(button.name)
    let dark = button.dark?.states ?? []
    return [
      "name": .text(button.name),
      "class": .text(name),
      "states": .list(
        button.light.states.map { state in
          [
            "name": .text(state.name),
            "class": .text("\(name) is-\(state.name)"),
            "color": .text(state.color.css),
            "dark": Value(dark.first { $0.name == state.name }?.color.css),
          ]
        }),
    ]
  }

  private func pages(_ current: Int, root: String) -> Value {
    func link(_ page: Int) -> Value {
      [
        "number": .number(page),
        "href": .text(root + Self.path(of: page)),
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

  /// An HTML id for any user id.
  private static func anchor(of id: String) -> String {
    let escaped = CSSName.escape(id)
    return "person-"
      + (escaped.utf8.count <= 64 ? escaped : Digest(of: Array(id.utf8)).hex)
  }

  private static let rightToLeft: Set<String> = [
    "ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi",
  ]

  /// `rtl` for languages that are written from right to left; tags have no case.
  private static func direction(of language: String) -> String? {
    rightToLeft.contains(language.prefix { $0 != "-" }.lowercased()) ? "rtl" : nil
  }
}
