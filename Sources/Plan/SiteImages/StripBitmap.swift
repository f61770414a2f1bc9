package import Manifest
import Recipes

/// The picture of a shadow along an edge, one pixel wide, at one scale.
package struct StripBitmap: Sendable {
  package let scale: Int
  package let siteImage: SiteImage
}

extension ShadowStrip {
  /// Pixels per point.
  private static let scales = [1, 2, 3]

  /// By scale.
  package var bitmaps: [StripBitmap] {
    let strip = Strip(
      color: color, radius: radius, offset: offset, height: height, isAbove: edge == .above)
    guard let source = try? Source(.strip(strip), kind: "strip") else {
      preconditionFailure("only numbers that are none cannot be written down")
    }
    return Self.scales.map { scale in
      let size = PixelSize(width: 1, height: height * scale)
      let recipe = Recipe(
        frame: Frame(base: size, box: size, fit: .stretch), outline: .square, effects: [],
        encoding: Encoding(format: .png))
      return StripBitmap(
        scale: scale, siteImage: SiteImage(source, recipe, declared: declared))
    }
  }
}
