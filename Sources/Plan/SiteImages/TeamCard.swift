package import Manifest
import Recipes

/// The picture that other sites show of this one: many people, and the title.
///
/// The first people, in the manifest's order, who have a picture in the style that most of them
/// have; of equally frequent ones in the first that is shown.
package struct TeamCard: Sendable {
  /// Who is on it, by number.
  package let people: [Int]
  package let layout: CardLayout
  /// Nil while a dry run has not rendered all of its pictures; a build makes its site images when each
  /// picture of everybody is there or has failed, and who failed is not on it.
  package let siteImage: SiteImage?

  /// Nil for a site without an address, and for one without any picture that fits.
  package init?(_ content: SiteContent) {
    let manifest = content.manifest
    guard manifest.site.url != nil, manifest.pages.areMade else { return nil }
    let shown = manifest.pages.show ?? []
    let styles = shown + manifest.styles.indices.filter { !shown.contains($0) }
    let choices = styles.map { ($0, content.people(of: $0, atMost: CardLayout.most)) }
    // Equal ones stay in their order.
    for (style, people) in choices.sorted(by: { $0.1.count > $1.1.count }) where !people.isEmpty {
      if let card = TeamCard(content, style: style, people) {
        self = card
        return
      }
    }
    return nil
  }

  private init?(_ content: SiteContent, style: Int, _ everybody: [Int]) {
    let images = content.variants.plans[style].picture
    guard let largest = images.map(\.recipe.size).max(by: { $0.width < $1.width }) else {
      return nil
    }
    var people = everybody
    let manifest = content.manifest
    let title = manifest.cardTitle.flatMap { content.fonts[$0] == nil ? nil : $0 }
    let caption = title.map(Self.caption)
    guard var layout = CardLayout(count: people.count, picture: largest, caption: caption) else {
      return nil
    }
    var assets = content.pictures(of: people, style, images, width: layout.frames[0].width)
    if let known = assets {
      var sum: Int64 = 0
      let fitting = known.prefix {
        sum += $0.bytes
        return sum <= Collage.bytes
      }
      if fitting.isEmpty { return nil }
      // A larger frame might want larger files: these are as good as the others.
      if fitting.count < known.count {
        people = Array(people.prefix(fitting.count))
        let size = layout.frames[0].size
        // Fewer of what fits fit as well.
        layout = CardLayout(count: people.count, picture: size, caption: caption) ?? layout
        assets = Array(fitting)
      }
    }
    self.people = people
    self.layout = layout
    siteImage = assets.map { assets in
      let ground = manifest.pages.cardColor
      let source = Source(
        Collage(
          size: CardLayout.size, ground: ground,
          cells: zip(assets, layout.frames).map {
            Collage.Cell(frame: $1, bytes: Int($0.bytes))
          },
          words: Self.words(
            caption, layout.caption, on: ground, title.flatMap { content.fonts[$0] } ?? [])),
        of: assets.map(\.digest))
      return SiteImage(
        source, size: CardLayout.size, declared: manifest.styles[style].declared)
    }
  }

  /// Pixels of the title's letters.
  private static let em = 56
  /// A title in the lines that it takes on a card.
  package static func caption(of title: String) -> Caption {
    Caption(title, em: em, width: CardLayout.size.width - 2 * CardLayout.margin, lines: 2)
  }

  private static func words(
    _ caption: Caption?, _ frame: PixelFrame?, on ground: Color, _ fonts: [String]
  ) -> [Collage.Words] {
    guard let caption, let frame else { return [] }
    let appearance: ButtonStyle.Appearance = ground.ink == .white ? .dark : .light
    return [
      Collage.Words(
        lines: caption.lines, frame: frame, emPixels: em, ink: appearance.ink, fonts: fonts)
    ]
  }
}

extension SiteContent {
  /// The first people who have a picture of a style, or will have one.
  fileprivate func people(of style: Int, atMost most: Int) -> [Int] {
    var people: [Int] = []
    for user in manifest.users.indices where manifest.users[user].styles?.contains(style) ?? true {
      guard let slot = slot(of: user, style: style) else { continue }
      if case .failure? = rendered[slot] { continue }
      people.append(user)
      if people.count == most { break }
    }
    return people
  }

  /// Of each person the file that is as wide as wanted, or else the next wider one; nil while some
  /// of them are not rendered.
  fileprivate func pictures(
    of people: [Int], _ style: Int, _ images: [PlannedImage], width: Int
  ) -> [Asset]? {
    let wide = images.indices.filter { images[$0].recipe.size.width >= width }
    // Without loss first.
    let order: [OutputFormat] = [.png, .webp, .jpeg, .avif]
    let rank = { (number: Int) -> (Int, Int) in
      (images[number].recipe.size.width, order.firstIndex(of: images[number].format) ?? 0)
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

  /// The card in the store; nil if there is none.
  package var card: (picture: TeamCard, asset: Asset)? {
    guard let card = TeamCard(self),
      let asset = card.siteImage.flatMap({ rendered.asset(of: $0) })
    else { return nil }
    return (card, asset)
  }
}

extension Manifest {
  /// What is written on the card of the team; nil without a card.
  package var cardTitle: String? {
    site.url == nil || users.isEmpty ? nil : Self.written(site.title)
  }

  /// All that is written in pictures of the site.
  package var writtenTexts: [String] {
    let titles = exports.poster?.tiers.compactMap { $0.title.flatMap(Self.written) } ?? []
    return titles + [cardTitle].compactMap(\.self)
  }

  /// A text in NFC; nil if it has other letters than those that `Lettering` sets well in a row.
  ///
  /// These are Latin, Greek, Cyrillic, those of the East, and emoji. Letters of other scripts join
  /// or run leftwards.
  static func written(_ text: String) -> String? {
    let text = Initialism.normalized(text)
    let isSet = text.allSatisfy { character in
      character.isEmoji || character.unicodeScalars.allSatisfy { $0.isEastAsian || $0.isPlain }
    }
    return isSet && !text.isBlank ? text : nil
  }
}

extension Unicode.Scalar {
  /// Of Latin, Greek or Cyrillic, or a sign that goes with any of them; nothing invisible.
  fileprivate var isPlain: Bool {
    switch value {
    case 0x20..<0x7F, 0xA0..<0xAD, 0xAE..<0x530, 0x1E00..<0x2000, 0x2010..<0x2028,
      0x2030..<0x205F, 0x20A0..<0x20D0, 0x2100..<0x2200:
      true
    default: false
    }
  }
}
