import Documents
import Imaging

extension FieldReader {
  /// All of `buttons`; a button that is broken is left out.
  mutating func buttons(_ field: Field) -> [ButtonStyle] {
    guard case .sequence = field.node.content else {
      reportType(field, expected: "a list of buttons")
      return []
    }
    guard let items = list(field, limit: ManifestLimits.buttons) else { return [] }
    var buttons: [ButtonStyle] = []
    var places: [String: Position] = [:]
    for item in items {
      guard let fields = mapping(item, .button) else { continue }
      let name = buttonName(fields, &places)
      if let button = button(fields, named: name ?? ""), name != nil { buttons.append(button) }
    }
    return buttons
  }

  private mutating func buttonName(
    _ fields: Fields, _ places: inout [String: Position]
  ) -> String? {
    guard let field = required("name", of: fields, help: "a button needs a `name`"),
      let name = text(field, limit: ManifestLimits.nameBytes, id: .badName)
    else { return nil }
    guard !name.isBlank else {
      report(.badName, "the name is blank", field, help: "a button needs a `name`")
      return nil
    }
    if let first = places[name] {
      report(
        .duplicateName, "there are two buttons called \(name.quoted)", field,
        note: "the first is at \(Place(file: file, position: first))",
        help: "give one of them another name")
    } else {
      places[name] = field.node.position
    }
    return name
  }

  private mutating func button(_ fields: Fields, named name: String) -> ButtonStyle? {
    let light = appearance(fields)
    let darkFields = fields["dark"].flatMap { mapping($0, .appearance) }
    let dark = darkFields.flatMap { appearance($0) }
    for key in ["disabled", "selected", "focused"] where fields[key] == nil {
      guard let field = darkFields?[key] else { continue }
      report(
        .missingKey, "only the dark appearance has `\(key)`", field,
        help: "add `\(key)` to the button too; `\(key): same` is its normal colour")
    }
    let title = fields["title"].flatMap { color($0) }
    let radius = fields["radius"].flatMap { number($0, .length) }
    let border = fields["border"].flatMap { edge($0) }
    for item in fields["emit"].flatMap({ filledList($0, limit: ManifestLimits.words) }) ?? [] {
      _ = word(item, ["css": true], later: ["png"])
    }
    guard let light else { return nil }
    return ButtonStyle(
      name: name, light: light, dark: dark, title: title, radius: radius ?? 0, border: border,
      place: Place(file: file, position: fields.position), path: fields.path.text ?? "")
  }

  private mutating func appearance(_ fields: Fields) -> ButtonStyle.Appearance? {
    let field = required(
      "normal", of: fields, help: "name a colour, in quotes if it begins with #")
    let normal = field.flatMap { color($0) }
    // Every state is read even if `normal` is wrong, so that all mistakes are told at once.
    let fallback = normal ?? .white
    let highlighted = state("highlighted", of: fields, normal: fallback)
    let disabled = state("disabled", of: fields, normal: fallback)
    let selected = state("selected", of: fields, normal: fallback)
    let focused = state("focused", of: fields, normal: fallback)
    guard let normal else { return nil }
    return ButtonStyle.Appearance(
      normal: normal, highlighted: highlighted ?? normal, disabled: disabled, selected: selected,
      focused: focused)
  }

  /// A colour, or `same` as normal.
  private mutating func state(_ key: String, of fields: Fields, normal: Color) -> Color? {
    guard let field = fields[key] else { return nil }
    guard case .scalar(let scalar) = field.node.content else { return color(field) }
    switch scalar.text {
    case "same": return normal
    case "auto":
      report(
        .notSupported, "`auto` is not supported yet", field, help: "name a colour, or `same`")
      return nil
    default: return color(field)
    }
  }

  /// Without a colour or a width there is none.
  private mutating func edge(_ field: Field) -> ButtonStyle.Edge? {
    guard let fields = mapping(field, .edge) else { return nil }
    let width = fields["width"].flatMap { number($0, .length) } ?? ButtonStyle.Edge.defaultWidth
    guard let color = fields["color"].flatMap({ color($0) }), width > 0 else { return nil }
    return ButtonStyle.Edge(width: width, color: color)
  }
}
