import Documents
import Imaging

/// What one style says itself; nil is what it takes from its parent or leaves to the defaults.
struct StyleDraft {
  enum Outline {
    case circle
    case rounded
    case square
  }

  struct BorderDraft {
    var width: Double?
    var color: Color?
    var mode: Border.Mode?
    var hidden: Bool?
    var allowNonSquare: Bool?
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
  var focus: Focus?
  var border: BorderDraft?
  var background: Color?
  var underlay: Bool?
  var opaque: Bool?
  var formats: [OutputFormat]?
  var quality: [OutputFormat: Int] = [:]

  init(path: NodePath, position: Position) {
    self.path = path
    self.position = position
  }

  func place(of key: String) -> Position { places[key] ?? position }

  /// The same style with all that it does not say taken from `parent`.
  ///
  /// Keys are taken one by one, those of `border` and `quality` too.
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
    draft.background = background ?? parent.background
    draft.underlay = underlay ?? parent.underlay
    draft.opaque = opaque ?? parent.opaque
    draft.formats = formats ?? parent.formats
    draft.quality = parent.quality.merging(quality) { _, own in own }
    if let own = border, let other = parent.border {
      draft.border = BorderDraft(
        width: own.width ?? other.width, color: own.color ?? other.color,
        mode: own.mode ?? other.mode, hidden: own.hidden ?? other.hidden,
        allowNonSquare: own.allowNonSquare ?? other.allowNonSquare)
    } else {
      draft.border = border ?? parent.border
    }
    return draft
  }

  /// The finished style: what is still missing gets the defaults of `AvatarStyle`.
  func style(in file: String) -> AvatarStyle {
    var style = AvatarStyle(
      name: name, place: Place(file: file, position: position), path: path.text ?? "")
    if let size { (style.width, style.height) = size }
    if let scales { style.scales = scales }
    switch outline {
    case .rounded?:
      style.shape = .rounded(
        radius ?? AvatarStyle.defaultRadius,
        corners: corners ?? Set(AvatarStyle.Corner.allCases))
    case .square?: style.shape = .square
    case .circle?: style.shape = .circle
    case nil: break
    }
    if let fit { style.fit = fit }
    if let focus { style.focus = focus }
    if let border {
      style.border = AvatarStyle.Ring(
        width: border.width ?? AvatarStyle.Ring.defaultWidth, color: border.color,
        mode: border.mode ?? .over, hidden: border.hidden ?? false,
        allowNonSquare: border.allowNonSquare ?? false)
    }
    style.background = background
    if let underlay { style.underlay = underlay }
    if let opaque { style.opaque = opaque }
    if let formats { style.formats = formats }
    style.quality = quality
    return style
  }
}
