package import Manifest
package import Recipes

/// The site's link preview image: the title, and pictures of many people.
///
/// The card shows people in order, in the style in which most of them have a picture.
package struct TeamCard: Sendable {
  package let people: [Int]
  /// The image of the card; nil in a dry run if some of its pictures are not rendered.
  package let siteImage: SiteImage?

  package init?(_ content: SiteContent) {
    let manifest = content.manifest
    guard manifest.site.url != nil, manifest.pages.areMade else { return nil }
    let shown = manifest.pages.show ?? []
    let styles = shown + manifest.styles.indices.filter { !shown.contains($0) }
    let choices = styles.map { ($0, content.people(of: $0, atMost: CardLayout.most)) }
    // The sort is stable, so equal counts keep their order.
    for (style, people) in choices.sorted(by: { $0.1.count > $1.1.count }) where !people.isEmpty {
      if let card = TeamCard(content, style: style, people) {
        self = card
        return
      }
    }
    return nil
  }

  private init?(_ content: SiteContent, style: Int, _ people: [Int]) {
    let images = content.variants.plans[style].picture
    guard let largest = images.map(\.recipe.size).max(by: { $0.width < $1.width }) else {
      return nil
    }
    let manifest = content.manifest
    let title = manifest.cardTitle.flatMap { content.fonts[$0] == nil ? nil : $0 }
    let caption = title.map(Self.caption)
    guard let layout = CardLayout(count: people.count, picture: largest, caption: caption) else {
      return nil
    }
    let assets = content.pictures(of: people, style, images, width: layout.frames[0].width)
    // A worker rejects a collage if the total size of its files exceeds this limit.
    guard (assets ?? []).reduce(0, { $0 + $1.bytes }) <= Collage.bytes else { return nil }
    self.people = people
    let ground = manifest.pages.cardColor
    let appearance: ButtonStyle.Appearance = ground.ink == .white ? .dark : .light
    let words = layout.caption.map {
      Collage.Words(
        lines: caption?.lines ?? [], frame: $0, emPixels: caption?.em ?? 0, ink: appearance.ink,
        fonts: title.flatMap { content.fonts[$0] } ?? [])
    }
    siteImage = assets.map { assets in
      let cells = zip(assets, layout.frames).map {
        Collage.Cell(frame: $1, bytes: Int($0.bytes))
      }
      return SiteImage(
        Collage(
          size: CardLayout.size, ground: ground, cells: cells, words: words.map { [$0] } ?? []),
        of: assets.map(\.digest), declared: manifest.styles[style].declared)
    }
  }

  package static func caption(of title: String) -> Caption {
    let width = CardLayout.size.width - 2 * CardLayout.margin
    let large = Caption(title, em: 56, width: width, lines: 2)
    let isTruncated = large.lines.last?.hasSuffix("…") == true
    return isTruncated ? Caption(title, em: 48, width: width, lines: 2) : large
  }
}

extension SiteContent {
  /// Returns the first `most` people who have a rendered or planned picture in a style.
  fileprivate func people(of style: Int, atMost most: Int) -> [Int] {
    var people: [Int] = []
    for user in manifest.users.indices where manifest.users[user].styles?.contains(style) ?? true {
      guard let slot = slot(of: user, style: style) else { continue }
      if case .failure? = self[slot] { continue }
      people.append(user)
      if people.count == most { break }
    }
    return people
  }

  /// Returns each person's smallest picture of at least this width; nil if any is not rendered.
  fileprivate func pictures(
    of people: [Int], _ style: Int, _ images: [PlannedImage], width: Int
  ) -> [Asset]? {
    let wide = images.indices.filter { images[$0].recipe.size.width >= width }
    // Prefer lossless formats.
    let order: [OutputFormat] = [.png, .webp, .jpeg, .avif]
    let rank = { (number: Int) -> (Int, Int) in
      (images[number].recipe.size.width, order.firstIndex(of: images[number].format) ?? order.count)
    }
    guard let number = wide.min(by: { rank($0) < rank($1) }) else { return nil }
    var assets: [Asset] = []
    for user in people {
      let images = self.images(of: user, style: style)
      guard images.indices.contains(number) else { return nil }
      assets.append(images[number].asset)
    }
    return assets
  }

  package var card: (picture: TeamCard, asset: Asset)? {
    guard let card = TeamCard(self),
      let asset = card.siteImage.flatMap({ asset(of: $0) })
    else { return nil }
    return (card, asset)
  }
}

extension Manifest {
  package var cardTitle: String? {
    site.url == nil || users.isEmpty ? nil : Self.written(site.title)
  }

  package var writtenTexts: [String] {
    let titles = exports.poster?.tiers.compactMap { $0.title.flatMap(Self.written) } ?? []
    return titles + [cardTitle].compactMap(\.self)
  }

  /// Returns the text in NFC; nil for scripts that `Lettering` cannot render, such as Arabic.
  static func written(_ text: String) -> String? {
    let text = Initialism.normalized(text)
    let isSet = text.allSatisfy { character in
      character.isEmoji || character.unicodeScalars.allSatisfy { $0.isEastAsian || $0.isPlain }
    }
    return isSet && !text.isBlank ? text : nil
  }
}

extension Unicode.Scalar {
  /// Whether a scalar is Latin, Greek or Cyrillic, or a mark or sign used in these scripts.
  fileprivate var isPlain: Bool {
    switch value {
    case 0x20..<0x7F, 0xA0..<0xAD, 0xAE..<0x530, 0x1E00..<0x2000, 0x2010..<0x2028,
      0x2030..<0x205F, 0x20A0..<0x20D0, 0x2100..<0x2200:
      true
    default: false
    }
  }
}

/// The layout of a team card: the title, with rows of pictures below it.
///
/// The number of rows is chosen to make the pictures as large as possible without enlarging them.
/// In a tie, the grid with the aspect ratio closest to that of the available space wins.
package struct CardLayout: Hashable, Sendable {
  package static let size = PixelSize(width: 1_200, height: 630)
  /// The maximum number of people; with more, the pictures would be too small to recognize anyone.
  package static let most = 60
  static let margin = 48
  private static let space = 32

  package let frames: [PixelFrame]
  package let caption: PixelFrame?

  /// Returns nil if even one-pixel-wide pictures are too tall; `picture` is the maximum size.
  package init?(count: Int, picture: PixelSize, caption: Caption?) {
    let width = Self.size.width - 2 * Self.margin
    let top = caption.map { $0.size.height + Self.space } ?? 0
    let room = PixelSize(width: width, height: Self.size.height - 2 * Self.margin - top)
    guard let grid = Grid.best(of: count, picture, in: room) else { return nil }
    let flow = FlowLayout(
      [Array(repeating: grid.cell, count: count)], width: grid.width, margin: 0, gap: grid.gap)
    let height = flow.frames.last.map { $0.y + $0.height } ?? 0
    let start = (Self.size.height - top - height) / 2
    let left = (Self.size.width - grid.width) / 2
    frames = flow.frames.map {
      PixelFrame(x: $0.x + left, y: $0.y + start + top, width: $0.width, height: $0.height)
    }
    self.caption = caption.map {
      PixelFrame(
        x: (Self.size.width - $0.size.width) / 2, y: start, width: $0.size.width,
        height: $0.size.height)
    }
  }
}

private struct Grid {
  let columns: Int
  let rows: Int
  let cell: PixelSize
  let gap: Int

  var width: Int { columns * (cell.width + gap) - gap }
  var height: Int { rows * (cell.height + gap) - gap }

  init(columns: Int, rows: Int, width: Int, _ picture: PixelSize) {
    self.columns = columns
    self.rows = rows
    cell = PixelSize(
      width: width, height: max(1, (width * picture.height + picture.width / 2) / picture.width))
    gap = max(4, min(cell.width, cell.height) / 6)
  }

  static func best(of count: Int, _ picture: PixelSize, in room: PixelSize) -> Grid? {
    var best: Grid?
    for rows in 1...max(1, count) {
      let columns = (count + rows - 1) / rows
      guard let grid = largest(columns: columns, rows: rows, picture, in: room) else { continue }
      if best.map({ grid.isBetter(than: $0, in: room) }) ?? true { best = grid }
    }
    return best
  }

  private static func largest(
    columns: Int, rows: Int, _ picture: PixelSize, in room: PixelSize
  ) -> Grid? {
    let widths = stride(from: min(picture.width, room.width), to: 0, by: -1)
    return widths.lazy.map { Grid(columns: columns, rows: rows, width: $0, picture) }.first {
      $0.width <= room.width && $0.height <= room.height
    }
  }

  private func isBetter(than other: Grid, in room: PixelSize) -> Bool {
    cell.width == other.cell.width
      ? bias(in: room) < other.bias(in: room) : cell.width > other.cell.width
  }

  /// Compares the grid's and the room's aspect ratios: larger divided by smaller, in thousandths.
  private func bias(in room: PixelSize) -> Int {
    let (own, other) = (width * room.height, room.width * height)
    return max(own, other) * 1_000 / max(1, min(own, other))
  }
}
