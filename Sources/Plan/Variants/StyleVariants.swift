package import Manifest
package import Recipes

/// A style as some users get it: with their own decorations, cropped around their own point.
package struct Variant: Hashable, Sendable {
  /// Into the plans of the `StyleVariants`.
  package var plan: Int
  /// Nil where the style's own focus or its finder holds, and where there is nothing to crop.
  package var focus: Focus?
}

/// A source in a variant, both by number: what the images of users are known by.
package struct SlotID: Hashable, Sendable {
  package var source: Int
  package var variant: Int

  package init(source: Int, variant: Int) {
    self.source = source
    self.variant = variant
  }
}

/// Every variant of a style that users have got, each added when the source of one of them is known.
///
/// The first variants are the styles, in their order: users without wishes have these, and for them
/// a variant costs nothing. A point that a user pins does not make a plan: thousands of users may
/// each have one.
package struct StyleVariants: Sendable {
  /// The styles, in their order, then one for each other choice of a style's decorations.
  package private(set) var plans: [StylePlan] = []
  private let styles: [AvatarStyle]
  /// Made once: most users want every style.
  private let allStyles: [Int]
  private let crops: [Crop?]
  private let resources: StyleResources
  private var variants: [Variant] = []
  private var known: [Variant: Int] = [:]
  private var planNumbers: [Choice: Int] = [:]
  /// Some style looks different for different sources.
  private let asksSources: Bool

  package init(_ styles: [AvatarStyle], resources: StyleResources = StyleResources()) {
    self.styles = styles
    allStyles = Array(styles.indices)
    self.resources = resources
    plans = styles.map { StylePlan($0, resources: resources) }
    crops = plans.map { Crop($0) }
    asksSources =
      crops.contains { $0?.dependsOnSource == true }
      || styles.contains { $0.decorations.contains { $0.condition != nil } }
    for style in styles.indices {
      planNumbers[Choice(style: style, decorations: styles[style].decorationsOfEveryone)] = style
      add(Variant(plan: style))
    }
  }

  package var count: Int { variants.count }

  package subscript(variant: Int) -> Variant { variants[variant] }

  package func plan(of variant: Int) -> StylePlan { plans[variants[variant].plan] }

  /// Adds what a user with this source needs.
  ///
  /// - Returns: The numbers of the variants, in the order of the styles.
  package mutating func add(_ user: User, _ source: Source) -> [Int] {
    let own = user.styles ?? allStyles
    if isPlain(user) { return own }
    return own.map { style in
      let choice = choice(of: user, style: style, source)
      let plan = planNumbers[choice] ?? plans.count
      if plan == plans.count {
        planNumbers[choice] = plan
        plans.append(
          StylePlan(styles[style], decorations: choice.decorations, resources: resources))
      }
      return add(Variant(plan: plan, focus: focus(of: user, style: style, source)))
    }
  }

  /// The variants of a user with this source that are known, in the order of the styles.
  package func numbers(of user: User, _ source: Source) -> [Int] {
    let own = user.styles ?? allStyles
    if isPlain(user) { return own }
    return own.compactMap { number(of: user, style: $0, source) }
  }

  /// The variant that a user with this source has in a style; nil when it is not known.
  package func number(
    of user: @autoclosure () -> User, style: Int, _ source: @autoclosure () -> Source
  ) -> Int? {
    // Autoclosures avoid copying `User`: pages ask this several times for each one.
    if isPlain(user()) { return style }
    let (user, source) = (user(), source())
    guard let plan = planNumbers[choice(of: user, style: style, source)] else { return nil }
    return known[Variant(plan: plan, focus: focus(of: user, style: style, source))]
  }

  /// The images of a source in a variant, in the order of `assets.json`.
  package func images(of variant: Int, for source: Source) -> [PlannedImage] {
    let images = plan(of: variant).images(for: source)
    guard let focus = variants[variant].focus, source.inspection != nil else { return images }
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

  private func focus(of user: User, style: Int, _ source: Source) -> Focus? {
    guard let crop = crops[style], let size = source.inspection?.uprightSize else { return nil }
    return crop.focus(pinned: user.focus, of: size)
  }

  @discardableResult
  private mutating func add(_ variant: Variant) -> Int {
    if let number = known[variant] { return number }
    known[variant] = variants.count
    variants.append(variant)
    return variants.count - 1
  }

  /// Decorations of a style, as ascending indices.
  private struct Choice: Hashable {
    let style: Int
    let decorations: [Int]
  }

  /// How a style crops, at all its scales.
  private struct Crop {
    private let frame: Frame
    private let boxes: [PixelSize]

    /// Nil for a style that crops nothing.
    init?(_ plan: StylePlan) {
      guard let frame = plan.picture.first?.recipe.frame, frame.fit == .fill else { return nil }
      self.frame = frame
      boxes = Array(Set(plan.picture.map(\.recipe.frame.box) + [frame.base]))
    }

    /// A focus may come to nothing, or to an edge.
    var dependsOnSource: Bool { frame.finder == nil && frame.focus != .center }

    /// Nil when the style's own frame does the same.
    func focus(pinned: Focus?, of source: PixelSize) -> Focus? {
      guard pinned != nil || frame.finder == nil else { return nil }
      let focus = (pinned ?? frame.focus).simplified(for: source, boxes: boxes)
      return frame.finder == nil && focus == frame.focus ? nil : focus
    }
  }
}

extension User {
  fileprivate var hasWishes: Bool { focus != nil || !decorations.isEmpty }
}

extension AvatarStyle {
  /// Indices of those that depend on nothing.
  var decorationsOfEveryone: [Int] {
    decorations.indices.filter {
      decorations[$0].name == nil && decorations[$0].condition == nil
    }
  }
}

extension AvatarStyle.Decoration.Condition {
  /// Whether a source is so; a colour and what is drawn never are.
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
