package import Imaging

/// What a style asks of any picture: its images in the order of `assets.json`.
package struct StylePlan: Sendable {
  /// One image of a style: what it is called and how it is made.
  package struct Variant: Sendable, Hashable {
    package var scale: Double
    package var recipe: Recipe

    package var format: OutputFormat { recipe.encoding.format }
  }

  /// For pictures.
  package var picture: [Variant]
  /// For plain colours, whose pixels do not depend on how a picture would be fitted.
  package var color: [Variant]

  /// Turns points into pixels; everything that does nothing is left out of the recipes.
  package init(_ style: AvatarStyle) {
    picture = []
    color = []
    guard style.width >= 1, style.height >= 1, let largest = style.scales.max() else { return }
    let base = Self.box(of: style, at: largest)
    for scale in style.scales.sorted() {
      let box = Self.box(of: style, at: scale)
      guard box.width > 0, box.height > 0 else { continue }
      let focus = style.fit == .fill ? style.focus : .center
      let frame = Frame(base: base, box: box, fit: style.fit, focus: focus)
      for format in style.formats {
        var recipe = Recipe(
          frame: frame,
          outline: Self.outline(of: style, box: box, scale: scale),
          effects: Self.effects(of: style, box: box, scale: scale, format: format),
          encoding: Encoding(
            format: format,
            quality: format.defaultQuality.map { style.quality[format] ?? $0 }))
        picture.append(Variant(scale: scale, recipe: recipe))
        recipe.frame = Frame(base: box, box: box, fit: .stretch)
        color.append(Variant(scale: scale, recipe: recipe))
      }
    }
  }

  private static func box(of style: AvatarStyle, at scale: Double) -> PixelSize {
    PixelSize(
      width: Int((style.width * scale).rounded()), height: Int((style.height * scale).rounded()))
  }

  private static func outline(of style: AvatarStyle, box: PixelSize, scale: Double) -> Outline {
    switch style.shape {
    case .circle: return .circle(in: box)
    case .square: return .square
    case .rounded(let length, let corners):
      let half = Double(box.shorterSide) / 2
      let asked =
        switch length {
        case .points(let points): points * scale
        case .fraction(let fraction): fraction * Double(box.shorterSide)
        }
      let radius = min(asked, half)
      return Outline(
        topLeft: corners.contains(.topLeft) ? radius : 0,
        topRight: corners.contains(.topRight) ? radius : 0,
        bottomRight: corners.contains(.bottomRight) ? radius : 0,
        bottomLeft: corners.contains(.bottomLeft) ? radius : 0)
    }
  }

  private static func effects(
    of style: AvatarStyle, box: PixelSize, scale: Double, format: OutputFormat
  ) -> [Effect] {
    var effects: [Effect] = []
    if style.underlay, let background = style.background, background.alpha > 0 {
      effects.append(.underlay(Underlay(color: background)))
    }
    if let border = border(of: style, box: box, scale: scale) {
      effects.append(.border(border))
    }
    if let matte = matte(of: style, format: format) {
      effects.append(.matte(Matte(color: matte)))
    }
    return effects
  }

  /// The ring, unless it would paint nothing.
  private static func border(of style: AvatarStyle, box: PixelSize, scale: Double) -> Border? {
    guard let ring = style.border, !ring.hidden, ring.width > 0, let color = ring.color else {
      return nil
    }
    // A transparent ring over the picture paints nothing; an inset one still cuts the picture.
    guard color.alpha > 0 || ring.mode == .inset else { return nil }
    let width = min(ring.width * scale, Double(box.shorterSide) / 2)
    // All transparent colours are one.
    let transparent = Color(red: 0, green: 0, blue: 0, alpha: 0)
    return Border(width: width, color: color.alpha > 0 ? color : transparent, mode: ring.mode)
  }

  /// What everything is flattened on: white, then the background, when the style is opaque.
  private static func matte(of style: AvatarStyle, format: OutputFormat) -> Color? {
    if style.opaque { return style.background?.over(.white) ?? .white }
    guard !format.hasAlpha else { return nil }
    return style.background?.over(.white) ?? .white
  }
}
