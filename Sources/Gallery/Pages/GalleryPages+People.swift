import Diagnostics
import Manifest
import Mustache
import Plan
import Recipes
import Store

extension GalleryPages {
  /// Pictures of the first people of a page are fetched at once, the others when they come near.
  private static let eagerPeople = 12

  /// A page of all people, from 1.
  func write(page: Int) throws -> [UInt8] {
    let path = GalleryPaths.people(page: page)
    var values = common(path: path)
    values["people"] = people(
      content.manifest.users.indices, page: page, spot: CardSpot(on: path, peoplePage: page))
    values["pages"] = pagination(
      of: content.manifest.users.count, page, path: GalleryPaths.people)
    return try fill("index", with: values)
  }

  /// The cards of one page of a list of users; absent without any.
  func people(
    _ users: some RandomAccessCollection<some BinaryInteger> & Sendable, page: Int, spot: CardSpot
  ) -> Value {
    let cards = Array(users.dropFirst((page - 1) * pageSize).prefix(pageSize)).map { Int($0) }
    guard !cards.isEmpty else { return .absent }
    return ["items": .lazy(count: cards.count) { card(of: cards[$0], place: $0, spot) }]
  }

  /// The card of a user; the place is counted from 0, among those of its page.
  func card(of user: Int, place: Int, _ spot: CardSpot) -> Value {
    .record(person(user, place: place, spot))
  }

  func person(_ user: Int, place: Int, _ spot: CardSpot) -> Record {
    let person = content.manifest.users[user]
    let status = content.assignment.status(of: user)
    let hasPicture = content.source(of: user) != nil
    let styles = spot.styles ?? content.shownStyles(of: user)
    return [
      "anchor": .text(Self.anchor("person", of: person.id)),
      "name": .text(person.name),
      "href": .text(href(of: user, from: spot)),
      "title": Value(person.title),
      "link": Value(person.link),
      "vcard": content.manifest.pages.cards
        ? .text(spot.root + GalleryPaths.card(person.id)) : .absent,
      "tags": tags(of: person, root: spot.root),
      "status": .text(status.rawValue),
      "isOK": .bool(status == .ok),
      "isFallback": .bool(status == .fallback),
      "isStale": .bool(status == .stale),
      "isSkipped": .bool(status == .skipped),
      "isFailed": .bool(status == .failed),
      "reason": Value(reason(of: user)),
      "avatars": hasPicture
        ? .list(
          styles.enumerated().map { number, style in
            .record(
              avatar(
                of: user, style: style, root: spot.root, isFirst: number == 0,
                isLazy: place >= Self.eagerPeople))
          })
        : .absent,
      "placeholders": hasPicture
        ? .absent
        : .list(
          styles.map { style in
            [
              "style": .text(content.manifest.styles[style].name),
              "width": .number(layouts[style].width),
              "height": .number(layouts[style].height),
            ]
          }),
    ]
  }

  /// Where a name leads: to the person's page, or else the person's own link, or else to the card
  /// among all people.
  func href(of user: Int, from spot: CardSpot) -> String {
    let id = content.manifest.users[user].id
    if content.manifest.pages.people { return spot.root + GalleryPaths.person(id) }
    if let link = content.manifest.users[user].link { return link }
    let page = user / pageSize + 1
    let address = page == spot.peoplePage ? "" : spot.root + GalleryPaths.people(page: page)
    return "\(address)#\(Self.anchor("person", of: id))"
  }

  private func tags(of person: User, root: String) -> Value {
    guard !person.tags.isEmpty else { return .absent }
    return [
      "items": .list(
        person.tags.map { tag in
          let page = hasTagPages ? tagBook[tag].map { GalleryPaths.tag($0.name) } : nil
          return ["name": .text(tag), "href": Value(page.map { root + $0 })]
        }),
      "text": .text(person.tags.joined(separator: ", ")),
    ]
  }

  /// Why a picture is not what was asked for, in words; the codes are in `assets.json`.
  func reason(of user: Int) -> String? {
    guard let code = content.assignment.reason(of: user) else { return nil }
    if code == DiagnosticID.sourceStale.rawValue { return "it cannot be fetched now" }
    guard let id = DiagnosticID(rawValue: code) else { return "none was named" }
    let sentence = id.meaning
    return sentence.prefix(1).lowercased() + sentence.dropFirst().dropLast()
  }

  /// One `<picture>`: a `<source>` for each format, the `<img>` for browsers that know none.
  func avatar(
    of user: Int, style: Int, root: String, isFirst: Bool = true, isLazy: Bool = false
  ) -> Record {
    let records = content.records(of: user, style: style)
    let formats = content.manifest.styles[style].formats
    // PNG and JPEG are read everywhere, so one of them is the `<img>` if there is any.
    let last = formats.last { $0 != .webp } ?? formats.last ?? .png
    func set(_ format: OutputFormat, without left: Digest? = nil) -> String {
      records.filter { $0.image.format == format && $0.asset.digest != left }
        .map { "\(root)\($0.path) \(JSONBytes.text(of: $0.image.scale))x" }
        .joined(separator: ", ")
    }
    let fallback = records.filter { $0.image.format == last }
    let plain = fallback.first { $0.image.scale >= 1 } ?? fallback.last
    // Browsers take `src` as the file of 1x, so that one need not be named again.
    let others = set(last, without: plain?.image.scale == 1 ? plain?.asset.digest : nil)
    let name = content.manifest.users[user].name
    return [
      "style": .text(content.manifest.styles[style].name),
      "sources": .list(
        formats.filter { $0 != last }.map {
          ["type": .text($0.mimeType), "srcset": .text(set($0))]
        }),
      "src": .text(plain.map { root + $0.path } ?? ""),
      "srcset": Value(others.isEmpty ? nil : others),
      "width": .number(layouts[style].width),
      "height": .number(layouts[style].height),
      "alt": .text(isFirst ? name : ""),
      "isLazy": .bool(isLazy),
      "placeholder": content.placeholder(of: user, style: style).map { placeholder in
        ["color": .text(placeholder.colorText), "thumbhash": .text(placeholder.thumbHashText)]
      } ?? .absent,
    ]
  }

  /// An HTML id for the id of a user, or the name of anything else.
  static func anchor(_ kind: String, of id: String) -> String {
    "\(kind)-\(GalleryPaths.slug(of: id))"
  }
}
