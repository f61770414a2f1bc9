import Diagnostics
import Documents
import Recipes

extension FieldReader {
  /// All of a style; one that is broken is left out.
  mutating func decorations(_ field: Field) -> [AvatarStyle.Decoration]? {
    guard let items = list(field, limit: ManifestLimits.decorations) else { return nil }
    return items.compactMap { item in
      mapping(item, .decoration).flatMap { decoration($0) }
    }
  }

  private mutating func decoration(_ fields: Fields) -> AvatarStyle.Decoration? {
    let name = fields["name"].flatMap { decorationName($0) }
    let content = self.content(fields)
    let size = fields["size"].flatMap { number($0, .size) }
    let corner = fields["corner"].flatMap { self.corner($0) }
    let distance = fields["at"].flatMap { pair($0, .offset, expected: "[x, y]") }
    let gap = fields["gap"].flatMap { number($0, .length) }
    let condition = fields["when"].flatMap {
      word($0, AvatarStyle.Decoration.Condition.allCases.map { ($0.rawValue, $0) })
    }
    guard let content else { return nil }
    var decoration = AvatarStyle.Decoration(content)
    decoration.name = name
    if let size { decoration.size = size }
    if let corner { decoration.corner = corner }
    decoration.distance = distance.map { .init(x: $0.first, y: $0.second) }
    if let gap { decoration.gap = gap }
    decoration.condition = condition
    return decoration
  }

  private mutating func decorationName(_ field: Field) -> String? {
    guard let name = text(field, limit: ManifestLimits.nameBytes, id: .badName) else { return nil }
    guard name.isBlank else { return name }
    report(
      .badName, "the name is blank", field,
      help: "name it as users list it, or leave `name` out to show it on everyone")
    return nil
  }

  /// Exactly one of `dot` and `badge`.
  private mutating func content(_ fields: Fields) -> AvatarStyle.Decoration.Content? {
    let dot = fields["dot"].flatMap { color($0) }
    guard let badge = fields["badge"] else {
      if fields["dot"] == nil {
        report(
          .error, .missingKey, "neither `dot` nor `badge` is there", at: fields.position,
          fields.path, help: "name the colour of a dot, or the file of a badge")
      }
      return dot.map { .dot($0) }
    }
    if fields["dot"] != nil {
      report(
        .conflict, "a decoration is a `dot` or a `badge`, not both", badge,
        help: "make two of it, or remove one of the keys")
    }
    guard let path = text(badge) else { return nil }
    guard !path.isEmpty else {
      report(.unknownValue, "the name of the file is empty", badge, help: "name a picture")
      return nil
    }
    return .badge(
      path, place: FileLocation(file: file, position: badge.node.position),
      path: badge.path.text ?? "")
  }
}
