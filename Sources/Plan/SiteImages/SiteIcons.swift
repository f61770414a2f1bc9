import Manifest
package import Recipes

/// The icons of the site: one picture in the sizes and on the backgrounds for browsers and home screens.
package struct SiteIcons: Sendable {
  /// Of `favicon.ico`, by size.
  package let favicons: [SiteImage]
  /// Of iOS, which cuts its corners itself and shows what is transparent in black.
  package let touch: SiteImage
  package let small: SiteImage
  package let large: SiteImage
  /// To be cut to any shape that has a circle of four fifths of its side.
  package let maskable: SiteImage
  /// Behind icons that may not be transparent.
  package let ground: Color

  private static let faviconSides = [16, 32, 48]
  private static let touchSide = 180
  package static let smallSide = 192
  package static let largeSide = 512

  /// Free on each side of the maskable icon: its picture's corners lie inside the safe circle,
  /// since 288 · √2 is less than four fifths of 512.
  private static let safeRoom = 112

  /// Nil if no icons are wanted, or their source failed.
  package init?(_ content: SiteContent) {
    guard let style = content.manifest.exports.icons,
      let number = content.sources.shown(for: style.key)
    else { return nil }
    let source = content.sources.sources[number]
    let backdrop = (style.background ?? .white).over(.white)
    // What is drawn goes on to the edge: half-transparent colours must not be laid twice.
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

  /// The whole picture, whatever its sides, in the middle of a square.
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
  /// The same on an opaque ground, and that ground, which goes on around it; nil for pictures.
  fileprivate func solid(on backdrop: Color) -> (source: Source, ground: Color)? {
    switch picture {
    case .color(let color):
      let ground = color.over(backdrop)
      return (Source(color: ground), ground)
    case .generated(.initials(var initials)):
      // Its ground is the backdrop itself, or opaque.
      initials.ground = initials.ground.over(.white)
      return (try? Source(.initials(initials))).map { ($0, initials.ground) }
    case .generated(.identicon(let identicon)):
      return identicon.colors.first.map { (self, $0) }
    default: return nil
    }
  }
}
