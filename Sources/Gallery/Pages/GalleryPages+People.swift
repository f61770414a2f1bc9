import Bytes
import Manifest
import Mustache
import Plan
import Recipes

/// The page that contains a card; the page determines the card's links and pictures.
struct CardContext {
  var root: String
  /// The number of a people page, where links to cards on the same page are just anchors.
  var peoplePage: Int? = nil
  /// The indices of the styles shown on the card; nil for the default styles.
  var styles: [Int]? = nil
  /// The tag of a tag page; cards on the page omit this tag.
  var tag: String? = nil
}

extension GalleryPages {
  /// The number of people at the top of a page whose pictures are loaded eagerly.
  private static let eagerPeople = 12

  func peoplePage(_ page: Int) throws -> [UInt8] {
    let path = GalleryPaths.people(page: page)
    var values = common(path: path)
    let cards = self.cards(
      of: 0..<people.count, page: page,
      CardContext(root: GalleryPaths.root(of: path), peoplePage: page))
    values["people"] = cards
    values["sections"] = sections(of: cards, page: page)
    values["pages"] = pagination(of: people.count, page, path: GalleryPaths.people)
    return try fill("index", with: values)
  }

  func personPage(_ number: Int) throws -> [UInt8] {
    let person = people[number]
    let path = GalleryPaths.person(person.user.id)
    // The card does not show any pictures, because the styles are listed below it with their files.
    let root = GalleryPaths.root(of: path)
    let context = CardContext(root: root, styles: [])
    func neighbor(_ number: Int) -> Value {
      guard (0..<people.count).contains(number) else { return .absent }
      return [
        "name": .text(people[number].user.name),
        "href": .text(place(of: people[number], context)),
      ]
    }
    var card = card(of: person, index: 0, context)
    card["portrait"] = portrait(of: person, root: root)
    card["source"] = Value(person.source?.kind)
    card["styles"] = .list(person.styles.map { files(of: $0, person, root: root) })
    var values = common(path: path)
    values["person"] = .record(card)
    values["up"] = .text("\(root)\(GalleryPaths.people(page: person.listPage))#\(person.anchor)")
    values["previous"] = neighbor(number - 1)
    values["next"] = neighbor(number + 1)
    return try fill("person-page", with: values)
  }

  func cards(
    of users: some RandomAccessCollection<some BinaryInteger> & Sendable, page: Int,
    _ context: CardContext
  ) -> Value {
    let shown = Array(users.dropFirst((page - 1) * pageSize).prefix(pageSize)).map { Int($0) }
    guard !shown.isEmpty else { return .absent }
    return [
      "items": .list(
        shown.enumerated().map { index, user in
          .record(card(of: people[user], index: index, context))
        })
    ]
  }

  private func sections(of people: Value, page: Int) -> Value {
    guard case .record(let record) = people, case .list(let cards)? = record["items"] else {
      return .absent
    }
    let isGrouped = content.manifest.pages.isGroupedByTag && !tags.all.isEmpty
    let first = (page - 1) * pageSize
    var sections: [(tag: String?, cards: [Value])] = []
    for (index, card) in cards.enumerated() {
      let tag = isGrouped ? content.manifest.users[first + index].tags.first : nil
      if let last = sections.indices.last, sections[last].tag == tag {
        sections[last].cards.append(card)
      } else {
        sections.append((tag, [card]))
      }
    }
    return .list(
      sections.map { tag, cards in
        [
          "anchor": .text(tag.map { "tag-" + tags.slug(of: $0) } ?? "people"),
          "title": tag.map { .text($0) }
            ?? Value(isGrouped ? templates.words.texts["others"] : nil),
          "items": .list(cards),
        ]
      })
  }

  private func card(of person: Person, index: Int, _ context: CardContext) -> Record {
    let status = person.status
    let styles = (context.styles ?? person.shownStyles).map(person.style)
    return [
      "anchor": .text(person.anchor),
      "name": .text(person.user.name),
      // If the person lacks a page and JavaScript is off, the name links to the person's `link`.
      "href": .text(
        (person.page == nil && context.peoplePage != nil ? person.user.link : nil)
          ?? place(of: person, context)),
      "title": Value(person.user.title),
      "organisation": Value(person.user.organisation),
      "role": Value(person.role),
      "about": Value(person.user.about),
      "link": Value(person.user.link),
      "profiles": .list(
        person.profiles.map { address, link in
          ["href": .text(address), "label": .text(link.label), "kind": .text(link.kind.rawValue)]
        }),
      "vcard": Value(person.addressCard.map { context.root + $0 }),
      "tags": tags(of: person, context),
      "isFallback": .bool(status == .fallback),
      "isStale": .bool(status == .stale),
      "isSkipped": .bool(status == .skipped),
      "isFailed": .bool(status == .failed),
      "reason": Value(person.reason),
      "avatars": .list(
        (person.hasPicture ? styles : []).map { style in
          .record(
            avatar(
              style, of: person, root: context.root, isLazy: index >= Self.eagerPeople,
              zoom: cardZooms[style.number]))
        }),
      "placeholders": .list(
        (person.hasPicture ? [] : styles).map { style in
          let size = sizes[style.number].zoomed(by: cardZooms[style.number])
          return [
            "style": .text(style.name), "width": .number(size.width),
            "height": .number(size.height),
          ]
        }),
    ]
  }

  /// Returns the URL of a person's page, or else of the person's card.
  func place(of person: Person, _ context: CardContext) -> String {
    if let page = person.page { return context.root + page }
    let page = person.listPage
    let address = page == context.peoplePage ? "" : context.root + GalleryPaths.people(page: page)
    return "\(address)#\(person.anchor)"
  }

  private func tags(of person: Person, _ context: CardContext) -> Value {
    let isInSection = context.peoplePage != nil && content.manifest.pages.isGroupedByTag
    let known = isInSection ? person.user.tags.first : context.tag
    let shown = person.user.tags.filter { $0 != known }
    guard !shown.isEmpty else { return .absent }
    return [
      "items": .list(
        shown.map { tag in
          ["name": .text(tag), "href": Value(hasTagPages ? context.root + tagPath(tag) : nil)]
        })
    ]
  }

  /// Returns the tallest picture, enlarged to 320 CSS pixels as far as its resolution allows.
  private func portrait(of person: Person, root: String) -> Value {
    let images = person.styles.flatMap { style in
      style.images.map { (style: style, scale: $0.scale, height: $0.asset.height) }
    }
    guard let (best, scale, _) = images.max(by: { $0.height < $1.height }) else { return .absent }
    let size = sizes[best.number]
    var zoom = min(scale, 320 / Double(max(size.width, size.height)))
    if case .encoded(let photo, _)? = content.source(of: person.number)?.picture {
      // The image of a small photo is already enlarged, so the photo's size limits the zoom too.
      zoom = min(zoom, 1.5 * Double(photo.size.shorterSide) / Double(size.shorterSide))
    }
    var values = avatar(best, of: person, root: root, scale: scale, zoom: max(1, zoom))
    values["alt"] = .text(person.user.name)
    return .record(values)
  }

  /// Returns the values of a `<picture>`: a `<source>` for each format, and an `<img>` as fallback.
  ///
  /// The alternative text is empty, because the name is usually shown beside the picture.
  func avatar(
    _ style: Person.Style, of person: Person, root: String, isLazy: Bool = false,
    scale: Double? = nil, zoom: Double = 1
  ) -> Record {
    let own = content.manifest.styles[style.number]
    let scales = scale.map { [$0] } ?? own.scales
    let all = style.images.filter { scales.contains($0.scale) }
    // If the picture is enlarged, skip files with fewer than one pixel per CSS pixel.
    let isEnlarged = zoom > 1 && all.contains { $0.scale >= zoom }
    let images = all.filter { !isEnlarged || $0.scale >= zoom }
    let formats = own.formats.filter { format in images.contains { $0.asset.format == format } }
    // The fallback needs a widely supported format; browsers use the first `<source>` they support.
    let last = formats.last { [.png, .jpeg].contains($0) } ?? formats.last { $0 != .avif } ?? .avif
    let others = formats.filter { $0 == .avif } + formats.filter { $0 != .avif }
    func set(_ format: OutputFormat, without left: Digest? = nil) -> String {
      images.filter { $0.asset.format == format && $0.asset.digest != left }
        .map { "\(root)\($0.asset.path) \((($0.scale / zoom * 1e4).rounded() / 1e4).plain)x" }
        .joined(separator: ", ")
    }
    let fallback = images.filter { $0.asset.format == last }
    let plain = fallback.first { $0.scale >= zoom } ?? fallback.last
    // Browsers use `src` as the 1x image, so `srcset` does not repeat the smallest file.
    let isSmallest = plain?.scale == zoom || isEnlarged && fallback.count > 1
    let rest = set(last, without: isSmallest ? plain?.asset.digest : nil)
    let size = sizes[style.number].zoomed(by: zoom)
    return [
      "style": .text(style.name),
      "sources": .list(
        others.filter { $0 != last }.map {
          ["type": .text($0.mimeType), "srcset": .text(set($0))]
        }),
      "src": .text(plain.map { root + $0.asset.path } ?? ""),
      "srcset": Value(rest.isEmpty ? nil : rest),
      "width": .number(size.width),
      "height": .number(size.height),
      "alt": "",
      "isLazy": .bool(isLazy),
      "placeholder": style.placeholder.map { ["color": .text($0.colorText)] } ?? .absent,
    ]
  }

  private func files(of style: Person.Style, _ person: Person, root: String) -> Value {
    var values = avatar(style, of: person, root: root)
    let anchor = GalleryPaths.anchor("style", of: style.name)
    values["name"] = .text(style.name)
    values["anchor"] = .text(anchor)
    values["href"] = Value(hasStylePages ? "\(root)\(GalleryPaths.styles)#\(anchor)" : nil)
    values["images"] = .list(
      style.images.map { image in
        [
          "scale": .text(image.scale.plain + "x"),
          "format": .text(image.asset.format.rawValue),
          "width": .number(Int(image.asset.width)),
          "height": .number(Int(image.asset.height)),
          "bytes": .number(Int(image.asset.bytes)),
          "hash": .text(image.asset.digest.hex),
          "href": .text(root + image.asset.path),
        ]
      })
    return .record(values)
  }
}

extension PixelSize {
  fileprivate func zoomed(by zoom: Double) -> PixelSize {
    PixelSize(
      width: Int((Double(width) * zoom).rounded()), height: Int((Double(height) * zoom).rounded()))
  }
}
