import Diagnostics
import Documents
import Recipes

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
    let errors = diagnostics.count(.error)
    let normal = required(
      "normal", of: fields, help: "name a colour, in quotes if it begins with #")
    let lightWords = words(of: fields, normal: normal)
    let darkFields = fields["dark"].flatMap { mapping($0, .appearance) }
    // Words are inherited, not colours: `auto` is another shade on another page.
    let darkWords = darkFields.map {
      words(of: $0, normal: $0["normal"]).inheriting(lightWords)
    }
    for key in ["disabled", "selected", "focused"] where fields[key] == nil {
      guard let field = darkFields?[key] else { continue }
      report(
        .missingKey, "only the dark appearance has `\(key)`", field,
        help: "add `\(key)` to the button too; `\(key): same` is its normal colour")
    }
    let light = lightWords.appearance(on: ButtonStyle.page(of: "light"))
    let dark = darkWords?.appearance(on: ButtonStyle.page(of: "dark"))
    // Of words that are wrong nobody knows what can be read on them.
    if diagnostics.count(.error) == errors {
      let title = fields["title"]
      if let light { checkContrast(of: light, lightWords, in: "light", title) }
      if let dark, let darkWords {
        checkContrast(of: dark, darkWords, in: "dark", darkFields?["title"] ?? title)
      }
    }
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
      place: FileLocation(file: file, position: fields.position), path: fields.path.text ?? "")
  }

  /// What stands in one appearance.
  private mutating func words(of fields: Fields, normal: Field?) -> ButtonWords {
    var words = ButtonWords()
    words.normal = normal.flatMap { normalColor($0) }
    for state in ["highlighted", "disabled", "selected", "focused"] {
      words.states[state] = fields[state].flatMap { self.state($0) }
    }
    words.title = fields["title"].flatMap { color($0) }
    return words
  }

  /// A colour that does not follow from another.
  private mutating func normalColor(_ field: Field) -> Color? {
    guard field.isAuto || field.isSame else { return color(field) }
    report(
      .badColor, "`normal` is what the other states start from", field, help: "name a colour")
    return nil
  }

  /// A colour, `same` as normal, or `auto`: a shade of it.
  private mutating func state(_ field: Field) -> ButtonWords.Word? {
    if field.isSame { return .same }
    return field.isAuto ? .auto : color(field).map { .color($0) }
  }

  /// Without a colour or a width there is none.
  private mutating func edge(_ field: Field) -> ButtonStyle.Edge? {
    guard let fields = mapping(field, .edge) else { return nil }
    let width = fields["width"].flatMap { number($0, .length) } ?? ButtonStyle.Edge.defaultWidth
    guard let color = fields["color"].flatMap({ color($0) }), width > 0 else { return nil }
    return ButtonStyle.Edge(width: width, color: color)
  }

  /// A button whose bitmaps are wanted has corners of a size that bitmaps can have.
  mutating func checkBitmaps(of buttons: [ButtonStyle], _ exports: Exports) {
    let areForApps = exports.contains(.xcassets) || exports.contains(.android)
    for button in buttons
    where areForApps || button.emit.contains(.png) {
      guard button.cap > ManifestLimits.bitmapCap else { continue }
      diagnostics.add(
        Diagnostic(
          .error, .outOfRange,
          "a corner of \(button.cap.plain) points is too large for a bitmap", at: button.place,
          path: button.path,
          help: "write at most \(ManifestLimits.bitmapCap.plain); half of the height is a capsule"))
    }
  }
}

extension Field {
  /// The colour of `normal` again.
  fileprivate var isSame: Bool { node.isWord("same") }
  /// A shade of the colour of `normal`.
  fileprivate var isAuto: Bool { node.isWord("auto") }
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
