import Diagnostics
import Documents
import Recipes

/// What one style says itself; nil is what it takes from its parent or leaves to the defaults.
struct StyleDraft {
  enum Outline {
    case circle
    case rounded
    case continuous
    case square
  }

  var name = AvatarStyle.defaultName
  /// The style it starts from, and where it says so.
  var parent: (name: String, field: Field)?
  let path: NodePath
  let position: Position
  /// Where its own keys are, for what is found only when the style is complete.
  var positions: [String: Position] = [:]
  /// Something in it was wrong: what follows from that would only confuse.
  var isBroken = false

  var size: (width: Double, height: Double)?
  var scales: [Double]?
  var outline: Outline?
  var radius: AvatarStyle.Length?
  var corners: Set<AvatarStyle.Corner>?
  var fit: Fit?
  var focus: FocusDraft?
  var grayscale: Bool?
  var tint: Color?
  var blur: Double?
  var border: BorderDraft?
  var background: Color?
  var underlay: Bool?
  var overlay: GradientDraft?
  var shadow: ShadowDraft?
  var opaque: Bool?
  var decorations: [AvatarStyle.Decoration]?
  var formats: [OutputFormat]?
  var quality: [OutputFormat: Int] = [:]
  var maxBytes: [OutputFormat: Int] = [:]

  init(path: NodePath, position: Position) {
    self.path = path
    self.position = position
  }

  func position(of key: String) -> Position { positions[key] ?? position }

  private func ownLocation(of key: String, in file: String) -> FileLocation? {
    positions[key].map { FileLocation(file: file, position: $0) }
  }

  /// The same style with all that it does not say taken from `parent`.
  ///
  /// Keys are taken one by one, those of mappings too; lists are taken whole.
  func filled(from parent: StyleDraft) -> StyleDraft {
    var draft = self
    draft.isBroken = isBroken || parent.isBroken
    draft.size = size ?? parent.size
    draft.scales = scales ?? parent.scales
    draft.outline = outline ?? parent.outline
    draft.radius = radius ?? parent.radius
    draft.corners = corners ?? parent.corners
    draft.fit = fit ?? parent.fit
    draft.focus = focus ?? parent.focus
    draft.grayscale = grayscale ?? parent.grayscale
    draft.tint = tint ?? parent.tint
    draft.blur = blur ?? parent.blur
    draft.border = border?.filled(from: parent.border) ?? parent.border?.inherited
    draft.background = background ?? parent.background
    draft.underlay = underlay ?? parent.underlay
    draft.overlay = overlay?.filled(from: parent.overlay) ?? parent.overlay
    draft.shadow = shadow?.filled(from: parent.shadow) ?? parent.shadow
    draft.opaque = opaque ?? parent.opaque
    draft.decorations = decorations ?? parent.decorations
    draft.formats = formats ?? parent.formats
    draft.quality = parent.quality.merging(quality) { _, own in own }
    draft.maxBytes = parent.maxBytes.merging(maxBytes) { _, own in own }
    return draft
  }

  /// The finished style: what is still missing gets the defaults of `AvatarStyle`.
  func style(in file: String) -> AvatarStyle {
    let location = FileLocation(file: file, position: position)
    var style = AvatarStyle(name: name, declared: Located(location, path: path.text ?? ""))
    if let size { (style.width, style.height) = size }
    if let scales { style.scales = scales }
    let radius = radius ?? AvatarStyle.defaultRadius
    let corners = corners ?? Set(AvatarStyle.Corner.allCases)
    switch outline {
    case .rounded?: style.shape = .rounded(radius, corners: corners)
    case .continuous?: style.shape = .continuous(radius, corners: corners)
    case .square?: style.shape = .square
    case .circle?: style.shape = .circle
    case nil: break
    }
    if let fit { style.fit = fit }
    if let focus { (style.focus, style.finder) = (focus.focus, focus.finder) }
    if let grayscale { style.isGrayscale = grayscale }
    style.tint = tint
    if let blur { style.blur = blur }
    if let border { style.border = border.rings.map(\.ring) }
    style.background = background
    if let underlay { style.underlay = underlay }
    style.overlay = overlay?.fill
    style.shadow = shadow?.shadow
    if let opaque { style.opaque = opaque }
    if let decorations { style.decorations = decorations }
    if let formats { style.formats = formats }
    style.quality = quality
    style.maxBytes = maxBytes
    if style.finder != nil { style.focusLocation = ownLocation(of: "focus", in: file) }
    if !maxBytes.isEmpty { style.limitLocation = ownLocation(of: "maxBytes", in: file) }
    return style
  }
}

extension StyleDraft {
  /// What `focus` says: all of it, nothing is inherited in part.
  struct FocusDraft {
    var focus = Focus.center
    var finder: AvatarStyle.Finder?
  }

  /// Colours and how they run; nil is what a parent or the default says.
  struct GradientDraft {
    enum Kind {
      case linear
      case conic
    }

    var colors: [Color]?
    /// Clockwise from above.
    var degrees: Double?
    var kind: Kind?

    func filled(from parent: GradientDraft?) -> GradientDraft {
      GradientDraft(
        colors: colors ?? parent?.colors, degrees: degrees ?? parent?.degrees,
        kind: kind ?? parent?.kind)
    }

    /// One colour is flat, none paints nothing.
    var fill: Fill? {
      guard let colors, let first = colors.first else { return nil }
      if colors.count == 1 { return .solid(first) }
      return kind == .conic
        ? .conic(colors, degrees: degrees ?? 0) : .linear(colors, degrees: degrees ?? 180)
    }
  }

  struct RingDraft {
    /// Nil when it is a parent's: then the style's own position is told.
    var position: Position?
    var width: AvatarStyle.Ring.Width?
    var color: Color?
    var gradient: GradientDraft?
    var mode: AvatarStyle.Ring.Mode?
    var gap: (points: Double, position: Position?)?
    var hidden: Bool?
    var allowNonSquare: Bool?

    func filled(from parent: RingDraft) -> RingDraft {
      var draft = self
      draft.width = width ?? parent.width
      if color == nil {
        // A colour ends what was said of gradients before it.
        draft.color = parent.color
        draft.gradient = gradient?.filled(from: parent.gradient) ?? parent.gradient
      }
      draft.mode = mode ?? parent.mode
      draft.gap = gap ?? parent.gap.map { ($0.points, nil) }
      draft.hidden = hidden ?? parent.hidden
      draft.allowNonSquare = allowNonSquare ?? parent.allowNonSquare
      return draft
    }

    /// Without colours of its own a gradient runs through the one colour that there is.
    private var fill: Fill? {
      if let gradient, gradient.colors != nil { return gradient.fill }
      return color.map(Fill.solid)
    }

    var ring: AvatarStyle.Ring {
      var ring = AvatarStyle.Ring(fill: fill)
      if let width { ring.width = width }
      if let mode { ring.mode = mode }
      if let gap, ring.mode != .over { ring.gap = gap.points }
      if let hidden { ring.hidden = hidden }
      if let allowNonSquare { ring.allowNonSquare = allowNonSquare }
      return ring
    }
  }

  struct BorderDraft {
    var rings: [RingDraft]
    /// A mapping, which takes what it does not say from a parent that is one too.
    var isMapping: Bool

    func filled(from parent: BorderDraft?) -> BorderDraft {
      guard let parent, isMapping, parent.isMapping else { return self }
      var draft = self
      draft.rings = zip(rings, parent.rings).map { $0.filled(from: $1) }
      return draft
    }

    /// The same as it stands in a child, which has no place for it.
    var inherited: BorderDraft {
      var draft = self
      for index in draft.rings.indices {
        draft.rings[index].position = nil
        draft.rings[index].gap?.position = nil
      }
      return draft
    }
  }

  struct ShadowDraft {
    var color: Color?
    var radius: Double?
    var offset: (x: Double, y: Double)?
    var spread: Double?

    func filled(from parent: ShadowDraft?) -> ShadowDraft {
      ShadowDraft(
        color: color ?? parent?.color, radius: radius ?? parent?.radius,
        offset: offset ?? parent?.offset, spread: spread ?? parent?.spread)
    }

    var shadow: AvatarStyle.Shadow {
      var shadow = AvatarStyle.Shadow(color: color)
      if let radius { shadow.radius = radius }
      if let offset { (shadow.x, shadow.y) = offset }
      if let spread { shadow.spread = spread }
      return shadow
    }
  }
}
