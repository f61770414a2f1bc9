import Diagnostics
import Documents
import Recipes

/// A style while it is read: what it says itself, laid over what it starts from and the defaults.
///
/// Keys are inherited one by one, those of mappings too; lists are taken whole.
struct StyleDraft {
  enum Outline: String, CaseIterable {
    case circle
    case rounded
    case continuous
    case square
  }

  /// The style it starts from, and where it says so.
  var parent: (name: String, field: Field)?
  let path: NodePath
  let position: Position
  /// Where its own keys are, for what is found only when the style is complete.
  var positions: [String: Position] = [:]
  /// Something in it was wrong: what follows from that would only confuse.
  var isBroken = false
  /// What its own keys say.
  var settings = Settings<StyleDraft>()

  // What the settings change.
  var style: AvatarStyle
  var outline = Outline.circle
  var radius = AvatarStyle.defaultRadius
  var corners = Set(AvatarStyle.Corner.allCases)
  var border = BorderDraft()
  var overlay = GradientDraft()

  init(path: NodePath, declared: Located, position: Position) {
    self.path = path
    self.position = position
    style = AvatarStyle(declared: declared)
  }

  var name: String { style.name }

  func position(of key: String) -> Position { positions[key] ?? position }

  /// The style that all settings come to.
  var finished: AvatarStyle {
    var style = style
    switch outline {
    case .circle: style.shape = .circle
    case .rounded: style.shape = .rounded(radius, corners: corners)
    case .continuous: style.shape = .continuous(radius, corners: corners)
    case .square: style.shape = .square
    }
    style.border = border.rings.map(\.ring)
    style.overlay = overlay.fill
    func ownLocation(of key: String) -> FileLocation? {
      positions[key].map { FileLocation(file: style.declared.location.file, position: $0) }
    }
    if style.finder != nil { style.focusLocation = ownLocation(of: "focus") }
    if !style.maxBytes.isEmpty { style.limitLocation = ownLocation(of: "maxBytes") }
    return style
  }
}

/// What the keys of a mapping say, to be laid over what a parent says.
struct Settings<Target> {
  private var all: [(inout Target) -> Void] = []

  /// Adds what one key says; nil says nothing.
  mutating func add<Value>(_ value: Value?, _ apply: @escaping (inout Target, Value) -> Void) {
    if let value { all.append { apply(&$0, value) } }
  }

  mutating func set<Value>(_ path: WritableKeyPath<Target, Value>, _ value: Value?) {
    add(value) { $0[keyPath: path] = $1 }
  }

  func apply(to target: inout Target) {
    for setting in all { setting(&target) }
  }
}

/// What `focus` says: all of it, nothing is inherited in part.
struct FocusDraft {
  var focus = Focus.center
  var finder: AvatarStyle.Finder?
}

/// Colours and how they run.
struct GradientDraft {
  enum Kind: String, CaseIterable {
    case linear
    case conic
  }

  var colors: [Color]?
  /// Clockwise from above; nil is the default of the kind.
  var degrees: Double?
  var kind = Kind.linear

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
  var gapPosition: Position?
  var color: Color?
  var gradient = GradientDraft()
  /// All but the fill.
  var values = AvatarStyle.Ring(fill: nil)

  var ring: AvatarStyle.Ring {
    var ring = values
    // Without colours of its own a gradient runs through the one colour that there is.
    ring.fill = gradient.colors == nil ? color.map(Fill.solid) : gradient.fill
    if ring.mode == .over { ring.gap = 0 }
    return ring
  }
}

struct BorderDraft {
  var rings: [RingDraft] = []
  /// A list replaces what a parent says; a mapping is laid over it, unless that is a list.
  var isList = false

  /// The same in a child, where no position of a parent is told.
  var inherited: BorderDraft {
    var draft = self
    for index in rings.indices {
      (draft.rings[index].position, draft.rings[index].gapPosition) = (nil, nil)
    }
    return draft
  }

  /// Takes what a mapping says.
  mutating func include(_ ring: Settings<RingDraft>, at position: Position) {
    if isList || rings.isEmpty { self = BorderDraft(rings: [RingDraft()]) }
    rings[0].position = position
    ring.apply(to: &rings[0])
  }
}
