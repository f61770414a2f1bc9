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
    var names = NameBook(of: "buttons")
    for item in items {
      guard let fields = mapping(item, .button) else { continue }
      let name = self.name(of: "a button", fields, &names)
      if let button = button(fields, named: name ?? ""), name != nil { buttons.append(button) }
    }
    return buttons
  }

  private mutating func button(_ fields: Fields, named name: String) -> ButtonStyle? {
    let light = appearance(fields, on: ButtonStyle.page(of: "light"))
    let darkFields = fields["dark"].flatMap { mapping($0, .appearance) }
    var dark = darkFields.flatMap { appearance($0, on: ButtonStyle.page(of: "dark")) }
    if dark?.title == nil { dark?.title = light?.title }
    for key in ["disabled", "selected", "focused"] where fields[key] == nil {
      guard let field = darkFields?[key] else { continue }
      report(
        .missingKey, "only the dark appearance has `\(key)`", field,
        help: "add `\(key)` to the button too; `\(key): same` is its normal colour")
    }
    if let light { checkContrast(of: light, fields) }
    if let dark, let darkFields { checkContrast(of: dark, darkFields, orTitleOf: fields) }
    let radius = fields["radius"].flatMap { number($0, .length) }
    let border = fields["border"].flatMap { edge($0) }
    var emit: Set<ButtonStyle.Emission> = []
    for item in fields["emit"].flatMap({ filledList($0, limit: ManifestLimits.words) }) ?? [] {
      if let word = word(item, ButtonStyle.Emission.byName) { emit.insert(word) }
    }
    let isTemplate = fields["template"].flatMap { boolean($0) } ?? false
    guard let light else { return nil }
    return ButtonStyle(
      name: name, light: light, dark: dark, radius: radius ?? 0, border: border,
      emit: emit.isEmpty ? [.css] : emit, isTemplate: isTemplate,
      place: Place(file: file, position: fields.position), path: fields.path.text ?? "")
  }

  private mutating func appearance(
    _ fields: Fields, on page: Color
  ) -> ButtonStyle.Appearance? {
    let field = required(
      "normal", of: fields, help: "name a colour, in quotes if it begins with #")
    let normal = field.flatMap { normalColor($0) }
    // Every state is read even if `normal` is wrong, so that all mistakes are told at once.
    let shades = ButtonShades(of: normal ?? .white, on: page)
    let highlighted = state("highlighted", of: fields, shades)
    let disabled = state("disabled", of: fields, shades)
    let selected = state("selected", of: fields, shades)
    let focused = state("focused", of: fields, shades)
    let title = fields["title"].flatMap { color($0) }
    guard let normal else { return nil }
    return ButtonStyle.Appearance(
      normal: normal, highlighted: highlighted ?? normal, disabled: disabled, selected: selected,
      focused: focused, title: title)
  }

  /// A colour that does not follow from another.
  private mutating func normalColor(_ field: Field) -> Color? {
    guard field.isAuto || field.isSame else { return color(field) }
    report(
      .badColor, "`normal` is what the other states start from", field, help: "name a colour")
    return nil
  }

  /// A colour, `same` as normal, or `auto`: a shade of it.
  private mutating func state(
    _ key: String, of fields: Fields, _ shades: ButtonShades
  ) -> Color? {
    guard let field = fields[key] else { return nil }
    if field.isSame { return shades.normal }
    return field.isAuto ? shades[key] : color(field)
  }

  /// Without a colour or a width there is none.
  private mutating func edge(_ field: Field) -> ButtonStyle.Edge? {
    guard let fields = mapping(field, .edge) else { return nil }
    let width = fields["width"].flatMap { number($0, .length) } ?? ButtonStyle.Edge.defaultWidth
    guard let color = fields["color"].flatMap({ color($0) }), width > 0 else { return nil }
    return ButtonStyle.Edge(width: width, color: color)
  }
}

extension Field {
  /// The colour of `normal` again.
  fileprivate var isSame: Bool { node.isWord("same") }
  /// A shade of the colour of `normal`.
  var isAuto: Bool { node.isWord("auto") }
}

extension Node {
  fileprivate func isWord(_ word: String) -> Bool {
    guard case .scalar(let scalar) = content else { return false }
    return scalar.text == word
  }
}

extension ButtonStyle.Emission {
  fileprivate static let byName = allCases.map { (key: $0.rawValue, value: $0) }
}
