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
  var places: [String: Position] = [:]
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

  func place(of key: String) -> Position { places[key] ?? position }

  private func ownPlace(of key: String, in file: String) -> FileLocation? {
    places[key].map { FileLocation(file: file, position: $0) }
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
    var style = AvatarStyle(
      name: name, place: FileLocation(file: file, position: position), path: path.text ?? "")
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
    if style.finder != nil { style.focusPlace = ownPlace(of: "focus", in: file) }
    if !maxBytes.isEmpty { style.limitPlace = ownPlace(of: "maxBytes", in: file) }
    return style
  }
}
