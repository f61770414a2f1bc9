package import Manifest
package import Recipes

/// A style with a particular choice of decorations and, optionally, a pinned focus.
package struct Variant: Hashable, Sendable {
  package var plan: Int
  /// The pinned focus; nil if the style's focus or finder applies, or the picture is not cropped.
  package var focus: Focus?

  package init(plan: Int, focus: Focus? = nil) { (self.plan, self.focus) = (plan, focus) }
}

package struct SlotID: Hashable, Sendable {
  package var source: Int
  package var variant: Variant

  package init(source: Int, variant: Variant) {
    (self.source, self.variant) = (source, variant)
  }
}

/// A plan for each style; if a user needs a different choice of decorations, a plan is added.
///
/// Pinned focus points do not get separate plans, because thousands of users may each have one.
package struct StyleVariants: Sendable {
  /// The plans for the styles in order, then a plan for each additional choice of decorations.
  package private(set) var plans: [StylePlan] = []
  private let styles: [AvatarStyle]
  private let resources: StyleResources
  private var planNumbers: [Choice: Int] = [:]
  private let asksSources: Bool

  package init(_ styles: [AvatarStyle], resources: StyleResources = StyleResources()) {
    (self.styles, self.resources) = (styles, resources)
    plans = styles.map { StylePlan($0, resources: resources) }
    asksSources = styles.contains { $0.decorations.contains { $0.condition != nil } }
    for style in styles.indices {
      planNumbers[Choice(style: style, decorations: styles[style].decorationsOfEveryone)] = style
    }
  }

  /// Adds the plans that are needed for a user, and returns the user's variants in style order.
  package mutating func add(_ user: User, _ source: Source) -> [Variant] {
    for style in user.styles ?? Array(styles.indices) where !isPlain(user) {
      let choice = choice(of: user, style: style, source)
      guard planNumbers[choice] == nil else { continue }
      planNumbers[choice] = plans.count
      plans.append(StylePlan(styles[style], decorations: choice.decorations, resources: resources))
    }
    return known(of: user, source)
  }

  package func known(of user: User, _ source: Source) -> [Variant] {
    (user.styles ?? Array(styles.indices)).compactMap { variant(of: user, style: $0, source) }
  }

  /// Returns a user's variant of a style; nil if the variant has not been planned.
  package func variant(
    of user: @autoclosure () -> User, style: Int, _ source: @autoclosure () -> Source
  ) -> Variant? {
    // Autoclosures avoid copying `User`, because pages call this function several times per user.
    if isPlain(user()) { return Variant(plan: style) }
    let (user, source) = (user(), source())
    return planNumbers[choice(of: user, style: style, source)].map {
      let isCropped = styles[style].fit == .fill && source.inspection != nil
      return Variant(plan: $0, focus: isCropped ? user.focus : nil)
    }
  }

  package func images(of variant: Variant, for source: Source) -> [PlannedImage] {
    let images = plans[variant.plan].images(for: source)
    guard let focus = variant.focus, source.inspection != nil else { return images }
    return images.map { $0.pinned(at: focus) }
  }

  private func isPlain(_ user: User) -> Bool { !asksSources && !user.hasWishes }

  private func choice(of user: User, style: Int, _ source: Source) -> Choice {
    let decorations = styles[style].decorations
    guard !decorations.isEmpty else { return Choice(style: style, decorations: []) }
    let shown = decorations.indices.filter { index in
      let decoration = decorations[index]
      let isWanted = decoration.name.map(user.decorations.contains) ?? true
      return isWanted && decoration.condition.map { $0.holds(for: source.inspection) } ?? true
    }
    return Choice(style: style, decorations: shown)
  }

  private struct Choice: Hashable {
    let style: Int
    let decorations: [Int]
  }
}

extension User {
  fileprivate var hasWishes: Bool { focus != nil || !decorations.isEmpty }
}

extension AvatarStyle {
  /// The indices of decorations that apply to every user and source.
  var decorationsOfEveryone: [Int] {
    decorations.indices.filter {
      decorations[$0].name == nil && decorations[$0].condition == nil
    }
  }
}

extension AvatarStyle.Decoration.Condition {
  fileprivate func holds(for inspection: Inspection?) -> Bool {
    guard let inspection else { return false }
    let size = inspection.uprightSize
    return switch self {
    case .animated: inspection.isAnimated
    case .tall: size.height > 3 * size.width
    case .wide: size.width > 3 * size.height
    }
  }
}

package struct PlannedImage: Sendable, Hashable {
  package var scale: Double
  package var recipe: Recipe

  package var format: OutputFormat { recipe.encoding.format }

  func pinned(at focus: Focus) -> PlannedImage {
    var image = self
    image.recipe.frame.focus = focus
    image.recipe.frame.finder = nil
    return image
  }
}

/// The images of a style variant, in the same order as in `assets.json`.
package struct StylePlan: Hashable, Sendable {
  package var picture: [PlannedImage] = []
  /// The images for sources that are drawn at the requested size instead of being scaled.
  package var drawn: [PlannedImage] = []
  package let inset: Margins

  /// Creates a plan by converting points to pixels; steps without a visible effect are omitted.
  ///
  /// `decorations` are ascending indices; nil selects the unconditional decorations.
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
      let outline = Outline(style, box: box, scale: scale)
      let effects =
        Self.effects(of: style, box: box, scale: scale, masks: resources.badges)
        + shown.compactMap { decoration in
          decoration.content(resources.badges).map { content in
            .decoration(Decoration(decoration, content, outline: outline, box: box, scale: scale))
          }
        }
      for format in style.formats {
        var recipe = Recipe(
          frame: frame, filters: Self.filters(of: style, scale: scale), outline: outline,
          margins: layout.margins(at: scale),
          effects: effects + (Self.matte(of: style, format: format).map { [.matte($0)] } ?? []),
          encoding: Encoding(format: format))
        recipe.encoding = Encoding(
          format: format, size: recipe.size, quality: style.quality[format],
          limit: style.maxBytes[format])
        picture.append(PlannedImage(scale: scale, recipe: recipe))
        recipe.frame = Frame(base: box, box: box, fit: .stretch)
        drawn.append(PlannedImage(scale: scale, recipe: recipe))
      }
    }
  }

  package func images(for source: Source) -> [PlannedImage] {
    source.isDrawn ? drawn : picture
  }

  private static func filters(of style: AvatarStyle, scale: Double) -> [Filter] {
    var filters: [Filter] = []
    // An opaque tint replaces all colours, so the greyscale filter would not have an effect.
    let isDyed = style.tint?.isOpaque == true
    if style.isGrayscale && !isDyed { filters.append(.grayscale) }
    if let tint = style.tint, tint.alpha > 0 { filters.append(.tint(tint)) }
    let blur = style.blur * scale
    if blur >= Filter.smallestBlur { filters.append(.blur(radius: blur)) }
    return filters
  }

  private static func effects(
    of style: AvatarStyle, box: PixelSize, scale: Double, masks: [SourcePath: Badge]
  ) -> [Effect] {
    var effects: [Effect] = []
    if style.underlay, let background = style.background, background.alpha > 0 {
      effects.append(.underlay(background))
    }
    if let fill = style.overlay?.simplified, !fill.isInvisible { effects.append(.overlay(fill)) }
    if let mask = style.mask.flatMap({ masks[$0.path] }) {
      effects.append(.mask(mask.digest, mask.inspection))
    }
    let border = Border(style.border, box: box, scale: scale)
    if let border { effects.append(.border(border)) }
    if let shadow = style.shadow?.pixels(around: border, box: box, scale: scale) {
      effects.append(.shadow(shadow))
    }
    return effects
  }

  /// For an opaque style or format, returns the background blended with white; otherwise, nil.
  private static func matte(of style: AvatarStyle, format: OutputFormat) -> Color? {
    guard style.opaque || !format.hasAlpha else { return nil }
    return style.background?.over(.white) ?? .white
  }
}

extension Frame {
  fileprivate init(_ style: AvatarStyle, base: PixelSize, box: PixelSize, detector: String?) {
    self.init(base: base, box: box, fit: style.fit)
    guard style.fit == .fill else { return }
    focus = style.focus
    zoom = style.zoom == 1 ? nil : style.zoom
    let zooms = style.zoom == nil ? true : nil
    switch style.finder {
    case nil: break
    case .smart?: finder = .smart
    case .quickFace?:
      finder = detector.map {
        .face(detector: $0, headRoom: 0.3, isSmartOtherwise: false, isQuick: true, zooms: zooms)
      }
    case .face(let headRoom, let isSmartOtherwise)?:
      if let detector {
        finder = .face(
          detector: detector, headRoom: headRoom, isSmartOtherwise: isSmartOtherwise,
          zooms: zooms)
      } else if isSmartOtherwise {
        finder = .smart
      }
    }
  }
}

extension AvatarStyle.Decoration {
  fileprivate func content(_ badges: [SourcePath: Badge]) -> Decoration.Content? {
    switch content {
    case .dot(let color): isDrawn ? .dot(color.simplified) : nil
    case .badge(let path, _): badges[path].map { .picture($0.digest, $0.inspection) }
    }
  }
}

package struct StyleResources: Sendable {
  /// The pictures that styles use as badges or masks, keyed by path.
  package var badges: [SourcePath: Badge]
  package var detector: String?

  package init(badges: [SourcePath: Badge] = [:], detector: String? = nil) {
    (self.badges, self.detector) = (badges, detector)
  }
}

package typealias Badge = (digest: String, inspection: Inspection)
