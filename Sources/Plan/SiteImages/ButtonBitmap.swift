package import Manifest
package import Recipes

/// The smallest stretchable bitmap for a button state: four corners, and one pixel between them.
package struct ButtonBitmap: Hashable, Sendable {
  package let appearance: ButtonStyle.Appearance
  package let state: ButtonStyle.State
  package let scale: Double
  /// The number of pixels on each side that must not be stretched; 0 for a plain colour.
  package let cap: Int
  package fileprivate(set) var siteImage: SiteImage
}

extension ButtonStyle {
  /// The scales for web pages and Apple devices, in pixels per point.
  package static let scales = [1.0, 2, 3]

  /// Android's density qualifiers, which are used in folder names, with their pixels per point.
  package static let densities: KeyValuePairs = [
    "mdpi": 1.0, "hdpi": 1.5, "xhdpi": 2, "xxhdpi": 3, "xxxhdpi": 4,
  ]

  /// Returns the bitmaps for all states and appearances; a plain colour needs only one scale.
  package func bitmaps(at scales: [Double] = scales) -> [ButtonBitmap] {
    let scales = isPlain ? Array(scales.prefix(1)) : scales
    return appearances.flatMap { appearance, colors in
      colors.states.flatMap { state, color in
        scales.map { scale in
          let cap = Int((self.cap * scale).rounded(.up))
          let size = PixelSize(width: 2 * cap + 1, height: 2 * cap + 1)
          return ButtonBitmap(
            appearance: appearance, state: state, scale: scale, cap: cap,
            siteImage: SiteImage(
              Source(color: color), recipe(size: size, scale: scale), declared: declared))
        }
      }
    }
  }

  /// The nine-patch bitmaps for each density; empty for plain buttons, which become colours.
  package var ninePatches: [(density: String, bitmap: ButtonBitmap)] {
    guard !isPlain else { return [] }
    return Self.densities.flatMap { density, scale in
      bitmaps(at: [scale]).map { bitmap in
        let side = bitmap.siteImage.recipe.frame.box.width
        let border = Int(((visibleBorder?.width ?? 0) * scale).rounded(.up))
        var patch = bitmap
        // The nine-patch format requires a border of exactly one pixel.
        patch.siteImage.recipe.margins = Margins(top: 1, right: 1, bottom: 1, left: 1)
        patch.siteImage.recipe.effects.append(
          .guides(
            NinePatchGuides(
              stretched: bitmap.cap..<side - bitmap.cap, content: border..<side - border)))
        return (density, patch)
      }
    }
  }

  package func recipe(size: PixelSize, scale: Double) -> Recipe {
    let half = Double(size.shorterSide) / 2
    let radius = min(radius * scale, half)
    // The border is drawn over the colour, along the outline.
    let ring = visibleBorder.map {
      Border.Ring(from: 0, to: min($0.width * scale, half), fill: .solid($0.color), isOver: true)
    }
    return Recipe(
      frame: Frame(base: size, box: size, fit: .stretch),
      outline: Outline(
        topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius,
        curve: radius > 0 && radius < half ? curve : .circular),
      effects: ring.map { [.border(Border(rings: [$0]))] } ?? [],
      encoding: Encoding(format: .png))
  }
}
