package import Manifest
package import Recipes

/// One image of a style: what it is called and how it is made.
package struct PlannedImage: Sendable, Hashable {
  package var scale: Double
  package var recipe: Recipe

  package var format: OutputFormat { recipe.encoding.format }

  /// The same, cropped around a point that a user chose; it wins over what the style says.
  func pinned(at focus: Focus) -> PlannedImage {
    var image = self
    image.recipe.frame.focus = focus
    image.recipe.frame.finder = nil
    return image
  }
}

/// What a variant of a style asks of any source: its images in the order of `assets.json`.
package struct StylePlan: Hashable, Sendable {
  /// For pictures.
  package var picture: [PlannedImage] = []
  /// For what is drawn, whose pixels do not depend on how a picture would be fitted.
  package var drawn: [PlannedImage] = []
  /// For plain colours, which have nothing to blur either.
  package var color: [PlannedImage] = []
  /// The style's room around the box, in points.
  package let inset: Margins

  /// Turns points into pixels; everything that does nothing is left out of the recipes.
  ///
  /// `decorations` are the indices of those that are shown, ascending; nil for those of everyone.
  package init(
    _ style: AvatarStyle, decorations: [Int]? = nil, resources: StyleResources = StyleResources()
  ) {
    let layout = StyleLayout(style)
    inset = layout.inset
    guard !style.drawsNothing, let largest = style.scales.max() else { return }
    let shown = (decorations ?? style.decorationsOfEveryone).map { style.decorations[$0] }
    let base = layout.box(at: largest)
    for scale in style.scales.sorted() {
      let box = layout.box(at: scale)
      guard box.width > 0, box.height > 0 else { continue }
      let frame = Frame(style, base: base, box: box, detector: resources.detector)
      let outline = Outline(style.shape, box: box, scale: scale)
      let effects =
        Self.effects(of: style, box: box, scale: scale)
        + shown.compactMap { decoration in
          let spot = Spot(decoration, outline: outline, box: box, scale: scale)
          return Decoration(decoration, at: spot, scale: scale, badges: resources.badges)
            .map(Effect.decoration)
        }
      for format in style.formats {
        var recipe = Recipe(
          frame: frame, filters: Self.filters(of: style, scale: scale), outline: outline,
          margins: layout.margins(at: scale),
          effects: Self.flattened(effects, on: Self.matte(of: style, format: format)),
          encoding: Self.encoding(of: style, as: format))
        picture.append(PlannedImage(scale: scale, recipe: recipe))
        recipe.frame = Frame(base: box, box: box, fit: .stretch)
        drawn.append(PlannedImage(scale: scale, recipe: recipe))
        recipe.filters.removeAll { if case .blur = $0 { true } else { false } }
        color.append(PlannedImage(scale: scale, recipe: recipe))
      }
    }
  }

  package func images(for source: Source) -> [PlannedImage] {
    switch source.pixels {
    case .decoded: picture
    case .drawn: drawn
    case .plain: color
    }
  }

  private static func filters(of style: AvatarStyle, scale: Double) -> [Filter] {
    var filters: [Filter] = []
    // An opaque tint takes all colour away by itself.
    let isDyed = style.tint?.isOpaque == true
    if style.isGrayscale && !isDyed { filters.append(.grayscale) }
    if let tint = style.tint, tint.alpha > 0 { filters.append(.tint(tint)) }
    let blur = style.blur * scale
    if blur >= Filter.smallestBlur { filters.append(.blur(radius: blur)) }
    return filters
  }

  /// All but the decorations and the matte.
  private static func effects(of style: AvatarStyle, box: PixelSize, scale: Double) -> [Effect] {
    var effects: [Effect] = []
    if style.underlay, let background = style.background, background.alpha > 0 {
      effects.append(.underlay(background))
    }
    if let fill = style.overlay?.simplified, !fill.isInvisible {
      effects.append(.overlay(fill))
    }
    let border = Border(style.border, box: box, scale: scale)
    if let border { effects.append(.border(border)) }
    if let shadow = Shadow(style.shadow, around: border, box: box, scale: scale) {
      effects.append(.shadow(shadow))
    }
    return effects
  }

  /// An underlay in the colour of the matte is the matte, unless a shadow lies between the two.
  private static func flattened(_ effects: [Effect], on matte: Color?) -> [Effect] {
    guard let matte else { return effects }
    let hasShadow = effects.contains { if case .shadow = $0 { true } else { false } }
    let seen = effects.filter { hasShadow || $0 != .underlay(matte) }
    return seen + [.matte(matte)]
  }

  /// What everything is flattened on: white, then the background, when the style is opaque.
  private static func matte(of style: AvatarStyle, format: OutputFormat) -> Color? {
    if style.opaque { return style.background?.over(.white) ?? .white }
    guard !format.hasAlpha else { return nil }
    return style.background?.over(.white) ?? .white
  }

  private static func encoding(of style: AvatarStyle, as format: OutputFormat) -> Encoding {
    Encoding(
      format: format, quality: format.defaultQuality.map { style.quality[format] ?? $0 },
      limit: style.maxBytes[format])
  }
}

extension Frame {
  /// Focus and finder are asked for only where something is cropped.
  fileprivate init(
    _ style: AvatarStyle, base: PixelSize, box: PixelSize, detector: String?
  ) {
    self.init(base: base, box: box, fit: style.fit)
    guard style.fit == .fill else { return }
    focus = style.focus
    switch style.finder {
    case nil: break
    case .smart?: finder = .smart
    case .face(let headRoom, let isSmartOtherwise)?:
      if let detector {
        finder = .face(
          FocusFinder.Face(
            detector: detector, headRoom: headRoom, isSmartOtherwise: isSmartOtherwise))
      } else if isSmartOtherwise {
        finder = .smart
      }
    }
  }
}

extension Decoration {
  /// Nil for what is transparent and cuts nothing out, and for a badge that was not read.
  package init?(
    _ decoration: AvatarStyle.Decoration, at spot: Spot, scale: Double, badges: [SourcePath: Badge]
  ) {
    guard decoration.isDrawn else { return nil }
    let content: Content
    switch decoration.content {
    case .dot(let color):
      content = .dot(color.simplified)
    case .badge(let path, _):
      guard let badge = badges[path] else { return nil }
      content = .picture(badge.digest, badge.inspection)
    }
    self.init(
      content: content, x: spot.x, y: spot.y, diameter: spot.diameter,
      gap: decoration.gap * scale)
  }
}
