import Diagnostics
import Documents
import Imaging

extension FieldReader {
  /// `focus` of a style: a point, a word for one, or who looks for it.
  mutating func focus(_ field: Field) -> StyleDraft.FocusDraft? {
    switch field.node.content {
    case .sequence:
      return point(field).map { StyleDraft.FocusDraft(focus: $0) }
    case .scalar:
      let words = Self.gravities.map { ($0.key, Aim.point($0.value)) }
      return word(field, words + [("smart", .smart), ("face", .face)]).map {
        switch $0 {
        case .point(let focus): StyleDraft.FocusDraft(focus: focus)
        case .smart: StyleDraft.FocusDraft(finder: .smart)
        case .face: StyleDraft.FocusDraft(finder: .face())
        }
      }
    case .mapping:
      return mapping(field, .focus).flatMap { finder($0) }
    }
  }

  /// `focus` of a user: a point or a word for one; in a table `40%;50%`.
  mutating func pinnedFocus(_ field: Field) -> Focus? {
    guard case .scalar(let scalar) = field.node.content else { return point(field) }
    guard isTabular, scalar.text.utf8.contains(UInt8(ascii: ";")) else {
      return word(field, Self.gravities)
    }
    let parts = scalar.text.split(separator: ";", omittingEmptySubsequences: false).map {
      Node(.scalar(Scalar($0.trimmed, style: .plain)), at: field.node.position)
    }
    return point(Field(node: Node(.sequence(parts), at: field.node.position), path: field.path))
  }

  private enum Aim {
    case point(Focus)
    case smart
    case face
  }

  private static let gravities: [(key: String, value: Focus)] = [
    ("center", .center), ("top", Focus(x: 0.5, y: 0)), ("bottom", Focus(x: 0.5, y: 1)),
    ("left", Focus(x: 0, y: 0.5)), ("right", Focus(x: 1, y: 0.5)),
    ("top-left", Focus(x: 0, y: 0)), ("top-right", Focus(x: 1, y: 0)),
    ("bottom-left", Focus(x: 0, y: 1)), ("bottom-right", Focus(x: 1, y: 1)),
  ]

  private mutating func point(_ field: Field) -> Focus? {
    guard case .sequence(let items) = field.node.content, items.count == 2 else {
      reportCount(field, expected: "two percentages, such as [50%, 40%]")
      return nil
    }
    var point: [Double] = []
    for (index, node) in items.enumerated() {
      let item = Field(node: node, path: .item(index, of: field.path))
      if let text = percentText(item) {
        if let value = number(text, .percentage, item) { point.append(value / 100) }
      } else {
        reportType(item, expected: "a percentage, such as 40%")
      }
    }
    return point.count == 2 ? Focus(x: point[0], y: point[1]) : nil
  }

  /// `{ find: face, headRoom: 25%, otherwise: smart }`.
  private mutating func finder(_ fields: Fields) -> StyleDraft.FocusDraft? {
    let find = required("find", of: fields, help: "write `find: face` or `find: smart`")
    let isFace = find.flatMap { word($0, ["face": true, "smart": false]) }
    let headRoom = fields["headRoom"].flatMap { self.headRoom($0) }
    var other: StyleDraft.FocusDraft?
    if let field = fields["otherwise"] { other = otherwise(field, after: isFace) }
    guard let isFace else { return nil }
    if !isFace, let field = fields["headRoom"] {
      report(
        .conflict, "`headRoom` is for faces only", field, help: "remove it, or write `find: face`")
    }
    let focus = other?.focus ?? .center
    guard isFace else { return StyleDraft.FocusDraft(focus: focus, finder: .smart) }
    let isSmart = other == nil || other?.finder == .smart
    return StyleDraft.FocusDraft(
      focus: focus,
      finder: .face(
        headRoom: headRoom ?? AvatarStyle.Finder.defaultHeadRoom, isSmartOtherwise: isSmart))
  }

  private mutating func headRoom(_ field: Field) -> Double? {
    guard let text = percentText(field) else { return number(field, .headRoom) }
    return number(text, .headRoomPercentage, field).map { $0 / 100 }
  }

  /// What is kept when nothing is found.
  private mutating func otherwise(_ field: Field, after isFace: Bool?) -> StyleDraft.FocusDraft? {
    guard case .scalar(let scalar) = field.node.content else {
      return point(field).map { StyleDraft.FocusDraft(focus: $0) }
    }
    if scalar.text == "smart" {
      if isFace == false {
        report(
          .conflict, "`smart` cannot be its own `otherwise`", field,
          help: "name a point or a side, such as center")
      }
      return StyleDraft.FocusDraft(finder: .smart)
    }
    let words = Self.gravities.map { ($0.key, StyleDraft.FocusDraft(focus: $0.value)) }
    return word(field, [("smart", StyleDraft.FocusDraft(finder: .smart))] + words)
  }
}

extension AvatarStyle.Finder {
  fileprivate static func face() -> AvatarStyle.Finder {
    .face(headRoom: defaultHeadRoom, isSmartOtherwise: true)
  }
}
