import Manifest
package import Recipes

/// The site's icons: a picture rendered as favicons and home screen icons in several sizes.
package struct SiteIcons: Sendable {
  package let favicons: [SiteImage]
  /// The icon for iOS, which rounds the corners itself and shows transparent pixels as black.
  package let touch: SiteImage
  package let small: SiteImage
  package let large: SiteImage
  /// The icon that may be cropped to any shape around the safe circle (diameter: 80% of the side).
  package let maskable: SiteImage
  package let ground: Color

  private static let faviconSides = [16, 32, 48]
  private static let touchSide = 180
  package static let smallSide = 192
  package static let largeSide = 512

  /// The maskable icon's margin, which keeps the picture in the safe circle: 288 · √2 < 0.8 · 512.
  private static let safeRoom = 112

  package init?(_ content: SiteContent) {
    guard let style = content.manifest.exports.icons,
      let number = content.sources.shown(for: style.key)
    else { return nil }
    let source = content.sources.sources[number]
    let backdrop = (style.background ?? .white).over(.white)
    // Blend a semitransparent colour with the backdrop once; the result is also the background.
    let (solid, ground) = source.solid(on: backdrop) ?? (source, backdrop)
    func siteImage(
      _ source: Source, _ side: Int, room: Int = 0, on matte: Color? = nil,
      in form: Encoding.PixelForm? = nil
    ) -> SiteImage {
      SiteImage(
        source, Self.recipe(side: side, room: room, matte: matte, form: form),
        declared: style.declared)
    }
    self.ground = ground
    favicons = Self.faviconSides.map { siteImage(source, $0, in: .direct) }
    small = siteImage(source, Self.smallSide)
    large = siteImage(source, Self.largeSide)
    touch = siteImage(solid, Self.touchSide, on: ground)
    maskable = siteImage(solid, Self.largeSide, room: Self.safeRoom, on: ground)
  }

  package var siteImages: [SiteImage] { favicons + [touch, small, large, maskable] }

  private static func recipe(
    side: Int, room: Int, matte: Color?, form: Encoding.PixelForm?
  ) -> Recipe {
    let box = PixelSize(width: side - 2 * room, height: side - 2 * room)
    return Recipe(
      frame: Frame(
        base: PixelSize(width: largeSide, height: largeSide), box: box, fit: .contain),
      outline: .square,
      margins: Margins(top: room, right: room, bottom: room, left: room),
      effects: matte.map { [.matte($0)] } ?? [],
      encoding: Encoding(format: .png, pixels: form))
  }
}

extension Source {
  /// Returns a drawn source without transparency, and its background; nil for pictures.
  fileprivate func solid(on backdrop: Color) -> (source: Source, ground: Color)? {
    switch picture {
    case .color(let color):
      let ground = color.over(backdrop)
      return (Source(color: ground), ground)
    case .generated(.initials(var initials)):
      initials.ground = initials.ground.over(.white)
      return (try? Source(.initials(initials))).map { ($0, initials.ground) }
    case .generated(.identicon(let identicon)):
      return identicon.colors.first.map { (self, $0) }
    default: return nil
    }
  }
}
