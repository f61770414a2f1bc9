import Bytes
package import Manifest
package import Recipes

/// A picture of all people, in tiers with headings; lengths are in points.
///
/// A person is in the first tier that has the person's tag or does not require a tag. Empty tiers
/// and people without a picture are left out.
package struct Poster: Sendable {
  package struct Picture: Sendable {
    package let user: Int
    package let asset: Asset
    package let frame: PixelFrame
  }

  package struct Heading: Sendable {
    package let text: String
    package let frame: PixelFrame
    /// The digests of the fonts; empty if the text cannot be rendered.
    let fonts: [String]
  }

  package let style: PosterStyle
  package private(set) var size = PixelSize(width: 1, height: 1)
  package private(set) var headings: [Heading] = []
  /// The pictures, sorted by tier and then by manifest order.
  package private(set) var pictures: [Picture] = []
  /// Whether all pictures are rendered; in a dry run, some may be missing.
  package private(set) var isComplete = true

  package static let em = 20
  /// The default width, which is a common text width on web pages.
  private static let width = 800
  private static let headingHeight = 40

  package init?(_ content: SiteContent) {
    guard let style = content.manifest.exports.poster else { return nil }
    self.style = style
    var tiers = style.tiers.map { (title: $0.title, people: [Picture]()) }
    for (user, person) in content.manifest.users.enumerated() {
      let fits = { (tier: PosterStyle.Tier) in tier.tag.map(person.tags.contains) ?? true }
      guard let tier = style.tiers.firstIndex(where: fits) else { continue }
      let width = style.tiers[tier].size
      let styles =
        content.styles(of: user).filter { $0 == style.style } + content.shownStyles(of: user)
      guard let asset = content.picture(of: user, in: styles, width: width * 2) else {
        if styles.contains(where: { content.isPending(user, $0) }) { isComplete = false }
        continue
      }
      let sides = (width: Int(asset.width), height: Int(asset.height))
      let frame = PixelFrame(
        x: 0, y: 0, width: width,
        height: max(1, (width * sides.height + sides.width / 2) / sides.width))
      tiers[tier].people.append(Picture(user: user, asset: asset, frame: frame))
    }
    tiers.removeAll(where: \.people.isEmpty)
    guard !tiers.isEmpty else { return }

    let pitch = style.size + style.gap
    let isOneBlock = tiers.count == 1 && tiers[0].title == nil
    let fitting = max(1, (Self.width - style.gap) / pitch)
    let columns = style.columns ?? (isOneBlock ? min(fitting, tiers[0].people.count) : fitting)
    let widest = tiers.lazy.flatMap(\.people).map(\.frame.width).max() ?? 1
    let inner = max(columns * pitch - style.gap, widest)
    let captions = tiers.map { $0.title.map { Caption($0, em: Self.em, width: inner) } }
    let line = PixelSize(width: inner, height: Self.headingHeight)
    let flow = FlowLayout(
      zip(tiers, captions).flatMap { tier, caption in
        [caption?.lines.isEmpty == false ? [line] : [], tier.people.map(\.frame.size)]
      }, width: inner + 2 * style.gap, margin: style.gap, gap: style.gap)
    size = PixelSize(width: max(1, inner + 2 * style.gap), height: max(1, flow.height - style.gap))
    var frames = flow.frames[...]
    for (tier, caption) in zip(tiers, captions) {
      if let text = caption?.lines.first, let frame = frames.popFirst() {
        let fonts = tier.title.flatMap(Manifest.written).flatMap { content.fonts[$0] }
        headings.append(Heading(text: text, frame: frame, fonts: fonts ?? []))
      }
      pictures += zip(tier.people, frames).map {
        Picture(user: $0.user, asset: $0.asset, frame: $1)
      }
      frames = frames.dropFirst(tier.people.count)
    }
  }
}

extension Poster {
  /// The variants of `poster.png`; an image is nil if some of its pictures are not rendered.
  package var forms: [(path: String, siteImage: SiteImage?)] {
    style.appearances.enumerated().flatMap { number, appearance in
      Self.scales.filter(canBeMade).map { scale in
        let name = number == 0 ? "poster" : "poster-\(appearance.rawValue)"
        return (
          scale == 1 ? "\(name).png" : "\(name)@\(scale)x.png",
          isComplete ? siteImage(scale: scale, appearance) : nil
        )
      }
    }
  }

  package var fits: Bool { Self.scales.allSatisfy(canBeMade) }

  private static let scales = [1, 2]

  private func canBeMade(at scale: Int) -> Bool {
    size.times(scale).fitsCollage
      && pictures.reduce(0) { $0 + $1.asset.bytes } <= Collage.bytes
  }

  private func siteImage(scale: Int, _ appearance: ButtonStyle.Appearance) -> SiteImage {
    let collage = Collage(
      size: size.times(scale), ground: appearance.ground,
      cells: pictures.map {
        Collage.Cell(frame: $0.frame.times(scale), bytes: Int($0.asset.bytes))
      },
      words: headings.filter { !$0.fonts.isEmpty }.map { heading in
        Collage.Words(
          lines: [heading.text], frame: heading.frame.times(scale), emPixels: Self.em * scale,
          ink: appearance.ink, fonts: heading.fonts)
      })
    return SiteImage(collage, of: pictures.map(\.asset.digest), declared: style.declared)
  }
}

extension PixelSize {
  fileprivate func times(_ scale: Int) -> PixelSize {
    PixelSize(width: width * scale, height: height * scale)
  }
}

extension PixelFrame {
  fileprivate func times(_ scale: Int) -> PixelFrame {
    PixelFrame(x: x * scale, y: y * scale, width: width * scale, height: height * scale)
  }
}

extension ButtonStyle.Appearance {
  package var ground: Color { self == .dark ? Self.darkColor : .white }
  /// The text colour: a slightly softened black or white.
  package var ink: Color { self == .dark ? Self.lightColor : Self.darkColor }

  private static let darkColor = Color(red: 0x1D, green: 0x1D, blue: 0x1F)
  private static let lightColor = Color(red: 0xF5, green: 0xF5, blue: 0xF7)
}

extension SiteContent {
  fileprivate func isPending(_ user: Int, _ style: Int) -> Bool {
    slot(of: user, style: style).map { self[$0] == nil } ?? false
  }

  /// Returns the smallest file that is wide enough, or else the widest; avoids AVIF if possible.
  fileprivate func picture(of user: Int, in styles: [Int], width: Int) -> Asset? {
    for style in styles {
      let all = images(of: user, style: style).map(\.asset)
      let usual = all.filter { $0.format != .avif }
      let assets = usual.isEmpty ? all : usual
      let wide = assets.filter { $0.width >= width }
      if let asset = wide.min(by: { $0.bytes < $1.bytes }) { return asset }
      if let asset = assets.max(by: { $0.width < $1.width }) { return asset }
    }
    return nil
  }
}
