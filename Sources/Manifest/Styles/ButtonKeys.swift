import Diagnostics
import Documents
import Recipes

struct WrittenButton: Sendable {
  var style: ButtonStyle
  var light = WrittenColors(appearance: .light)
  var dark: WrittenColors?

  init(_ declared: Located) {
    style = ButtonStyle(
      name: "", light: ButtonStyle.Colors(normal: .black, highlighted: .black), declared: declared)
  }

  static let keys = Keys<WrittenButton>("a button") {
    Key("name", .name, to: \.style.name, required: "a button needs a `name`").doc("A unique name.")
    WrittenColors.keys(at: \.light, normal: "add a colour, in quotes if it begins with #")
    Key("dark", .mapping(WrittenColors.keys, WrittenColors(appearance: .dark)), to: \.dark)
      .doc("Overrides colours in dark mode.")
    Key("radius", .number(.length), to: \.style.radius)
      .doc(default: "0", "The corner radius, in points.")
    Key(
      "shape", .words([("rounded", Outline.Curve.circular), ("continuous", .continuous)]),
      to: \.style.curve
    )
    .doc(default: "rounded", "The corner shape. `continuous` means iOS-style corners.")
    Key("border", .mapping(Edge.keys, Edge())) { button, edge in
      guard edge.width > 0, let color = edge.color else { return }
      button.style.border = ButtonStyle.Edge(width: edge.width, color: color)
    }
    .doc("A border, drawn only if it has a colour.")
    Key("overlay", .mapping(Gradient.overlayKeys, Gradient())) {
      $0.style.overlay = $1.fill.map(\.simplified).flatMap { $0.isInvisible ? nil : $0 }
    }
    .doc("Colours painted over each state (CSS only).")
    Key("shadow", .mapping(Shadow.keys, Shadow())) {
      $0.style.shadow = $1.color.alpha > 0 ? $1 : nil
    }
    .doc("A shadow behind the button (CSS only).")
    Key("emit", .list(.words(ButtonStyle.Emission.self), 1...16)) { $0.style.emit = Set($1) }
      .doc(default: "[css]", "`css` creates CSS rules, and `png` creates stretchable bitmaps.")
    Key("template", .boolean, to: \.style.isTemplate)
      .doc(default: "false", "Marks the bitmaps as templates, which apps can tint.")
  } check: { reader, fields, button in
    button.light.overlay = button.style.overlay
    if let colors = button.light.colors { button.style.light = colors }
    if fields.isSound { button.light.checkContrast(fields["title"], reporting: &reader) }
    guard var dark = button.dark, let field = fields["dark"] else { return }
    for state in [ButtonStyle.State.disabled, .selected, .focused]
    where button.light.states[state] == nil && dark.states[state] != nil {
      let key = state.rawValue
      reader.report(
        .error, .missingKey, "only the dark appearance has `\(key)`", field[key] ?? field,
        help: "add `\(key)` to the button too; `\(key): same` uses its normal colour")
    }
    guard fields.isSound else { return }
    // Inherit keywords, not colours, because `auto` means a different shade in dark mode.
    let title = dark.title == nil ? nil : field["title"]
    dark.normal = dark.normal ?? button.light.normal
    dark.title = dark.title ?? button.light.title
    dark.overlay = button.style.overlay
    dark.states.merge(button.light.states) { own, _ in own }
    button.style.dark = dark.colors
    dark.checkContrast(title ?? fields["title"], reporting: &reader)
  }

  struct Edge: Sendable {
    var width = 1.0
    var color: Color?

    static let keys = Keys<Edge>("the border of a button") {
      Key("width", .number(.length), to: \.width).doc(default: "1", "The border's width in points.")
      Key("color", .color, to: \.color).doc("The border's colour. Without it, no border is drawn.")
    }
  }
}

struct WrittenColors: Sendable {
  enum Word: Hashable {
    case color(Color)
    case same
    case auto
  }

  let appearance: ButtonStyle.Appearance
  var normal: Color?
  var title: Color?
  var overlay: Fill?
  var states: [ButtonStyle.State: Word] = [:]

  static let keys = Keys<WrittenColors>("an appearance") { keys(at: \.self) }

  @KeysBuilder<Target> fileprivate static func keys<Target>(
    at path: any WritableKeyPath<Target, WrittenColors> & Sendable, normal help: String? = nil
  ) -> [Key<Target>] {
    Key("normal", .color, required: help) { $0[keyPath: path].normal = $1 }
      .doc("The normal colour, from which other states can be derived.")
    for (state, meaning) in [
      (ButtonStyle.State.highlighted, "The colour when pressed."),
      (.disabled, "The colour when disabled."), (.selected, "The colour when selected."),
      (.focused, "The colour when focused with the keyboard."),
    ] {
      Key(
        state.rawValue,
        .either(.words([("same", Word.same), ("auto", .auto)]), Kind.color.map { Word.color($0) })
      ) { $0[keyPath: path].states[state] = $1 }
      .doc(default: state == .highlighted ? "same" : nil, meaning)
    }
    Key("title", .color) { $0[keyPath: path].title = $1 }
      .doc("The text colour. sitegen checks its contrast.")
  }

  var colors: ButtonStyle.Colors? {
    guard let normal else { return nil }
    var colors = ButtonStyle.Colors(normal: normal, highlighted: normal)
    for (state, word) in states {
      colors.others[state] =
        switch word {
        case .color(let color): color
        case .same: normal
        case .auto: shade(of: normal, for: state)
        }
    }
    colors.title = title
    colors.overlay = overlay
    return colors
  }

  /// Returns the colour for `auto`: a shade on which the title is readable, if possible.
  ///
  /// A positive step darkens on a light page and lightens on a dark one; a negative step does the
  /// opposite. If the shade looks too much like `normal`, other steps are tried.
  private func shade(of normal: Color, for state: ButtonStyle.State) -> Color {
    let (step, difference) =
      switch state {
      case .normal: (0.0, 0.0)
      case .highlighted: (0.08, Color.visibleDifference)
      // Twice the step of `highlighted`, so that a press on a selected button is still visible.
      case .selected: (0.16, 2 * Color.visibleDifference)
      case .focused: (0.04, Color.visibleDifference)
      case .disabled: (-0.20, Color.visibleDifference)
      }
    return normal.shade(
      by: step, awayFrom: appearance.page, differingBy: difference,
      carrying: state == .disabled ? nil : title, under: overlay)
  }

  /// Warns, at the title's location, about each colour that makes the title unreadable.
  func checkContrast(_ field: Field?, reporting reader: inout FieldReader) {
    guard let colors, let title, let field else { return }
    let page = appearance.page
    // WCAG exempts inactive controls, so disabled buttons may be pale.
    let readable = colors.states.filter { $0.state != .disabled }
    var seen: Set<Color> = []
    for (_, color) in readable where seen.insert(color).inserted {
      let contrast = title.contrast(with: color, under: overlay, on: page)
      guard contrast < Color.readableContrast else { continue }
      let names = readable.filter { $0.color == color }.map {
        "`\(appearance == .dark ? "dark." : "")\($0.state.rawValue)`"
      }
      let shade = color.nearest(carrying: title, under: overlay, on: page)
      reader.report(
        .warning, .lowContrast,
        "the title is hard to read on \(names.joined(separator: " and "))", field,
        note: "the contrast of \(title.css) and \(color.css) is \(contrast.roundedContrast.plain)"
          + (color.isOpaque ? "" : " on a \(appearance == .dark ? "black" : "white") page")
          + (overlay == nil ? "" : " under the overlay")
          + ", but text needs \(Color.readableContrast.plain)",
        help: shade.map { "the nearest shade that passes is \"\($0.css)\"" }
          ?? "no shade of \(color.css) passes; "
          + (overlay == nil
            ? "a title in \(color.over(page).ink.css) is readable on it"
            : "make the overlay more transparent"))
    }
  }
}
