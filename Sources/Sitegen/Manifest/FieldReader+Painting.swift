import Diagnostics
import Documents
import Imaging

extension FieldReader {
  /// One ring as a mapping, or a list of them.
  mutating func border(_ field: Field) -> StyleDraft.BorderDraft? {
    guard case .sequence = field.node.content else {
      return ring(field).map { StyleDraft.BorderDraft(rings: [$0], isMapping: true) }
    }
    guard let items = list(field, limit: ManifestLimits.rings) else { return nil }
    let rings = items.compactMap { ring($0) }
    return StyleDraft.BorderDraft(rings: rings, isMapping: false)
  }

  private mutating func ring(_ field: Field) -> StyleDraft.RingDraft? {
    guard let fields = mapping(field, .border) else { return nil }
    var ring = StyleDraft.RingDraft(position: field.node.position)
    ring.width = fields["width"].flatMap { ringWidth($0) }
    ring.color = fields["color"].flatMap { color($0) }
    if let field = fields["gradient"] {
      ring.gradient = gradient(field, .gradient)
      if fields["color"] != nil {
        report(
          .conflict, "a border has a `color` or a `gradient`, not both", field,
          help: "remove one of them")
      }
    }
    ring.mode = fields["mode"].flatMap {
      word($0, ["over": .over, "inset": .inset, "outside": .outside])
    }
    ring.gap = fields["gap"].flatMap { field in
      number(field, .length).map { ($0, field.node.position) }
    }
    ring.hidden = fields["hidden"].flatMap { boolean($0) }
    ring.allowNonSquare = fields["allowNonSquare"].flatMap { boolean($0) }
    return ring
  }

  private mutating func ringWidth(_ field: Field) -> AvatarStyle.Ring.Width? {
    if case .scalar(let scalar) = field.node.content, scalar.text == "hairline" {
      return .hairline
    }
    return number(field, .length).map(AvatarStyle.Ring.Width.points)
  }

  mutating func overlay(_ field: Field) -> StyleDraft.GradientDraft? {
    gradient(field, .overlay)
  }

  private mutating func gradient(
    _ field: Field, _ table: KeyTable
  ) -> StyleDraft.GradientDraft? {
    guard let fields = mapping(field, table) else { return nil }
    var gradient = StyleDraft.GradientDraft()
    gradient.colors = fields["colors"].flatMap { colors($0) }
    gradient.degrees = fields["direction"].flatMap { direction($0) }
    gradient.kind = fields["kind"].flatMap { word($0, ["linear": .linear, "conic": .conic]) }
    return gradient
  }

  private mutating func colors(_ field: Field) -> [Color]? {
    guard let items = list(field, limit: ManifestLimits.colors) else { return nil }
    let colors = items.compactMap { color($0) }
    return colors.count == items.count ? colors : nil
  }

  /// Degrees clockwise from above, or a word for them.
  private mutating func direction(_ field: Field) -> Double? {
    let words = [("up", 0.0), ("right", 90), ("down", 180), ("left", 270)]
    guard case .scalar(let scalar) = field.node.content, !isDecimal(scalar.text) else {
      return number(field, .degrees)
    }
    if let word = words.first(where: { $0.0 == scalar.text }) { return word.1 }
    report(
      .unknownValue, "\(scalar.text.quoted) is no direction", field,
      help: "write `up`, `right`, `down`, `left`, or degrees such as 45")
    return nil
  }

  mutating func shadow(_ field: Field) -> StyleDraft.ShadowDraft? {
    guard let fields = mapping(field, .shadow) else { return nil }
    var shadow = StyleDraft.ShadowDraft()
    shadow.color = fields["color"].flatMap { color($0) }
    shadow.radius = fields["radius"].flatMap { number($0, .length) }
    shadow.offset = fields["offset"].flatMap { field in
      pair(field, .offset, expected: "[x, y]").map { ($0, $1) }
    }
    shadow.spread = fields["spread"].flatMap { number($0, .offset) }
    return shadow
  }
}
