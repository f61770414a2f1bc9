import Imaging

/// `buttons.css`: every button's states, as colours, as stretched pictures, or both.
///
/// templates/README.md says which classes and properties it offers.
struct ButtonsCSS {
  private let button: ButtonStyle
  private let pictures: ButtonPictures?
  /// The selector of its class.
  private let name: String
  /// Besides `normal`; later ones win, so a disabled button never lights up.
  private let states: [State]

  /// A state, with what an element must be to be in it.
  private struct State {
    var name: String
    var selectors: [String]
    /// Only where there is a mouse: a finger would leave it behind.
    var hovering: [String] = []
  }

  static func text(for content: SiteContent) -> String {
    var sheet = CSSText()
    for button in content.manifest.buttons {
      ButtonsCSS(button, in: content).write(to: &sheet)
    }
    return sheet.text
  }

  private init(_ button: ButtonStyle, in content: SiteContent) {
    self.button = button
    pictures = ButtonPictures(of: button, in: content)
    name = ".btn-\(CSSName.escape(button.name))"
    states = Self.states(of: button, hasTouch: content.manifest.exports.contains(.touch))
  }

  private static func states(of button: ButtonStyle, hasTouch: Bool) -> [State] {
    var states: [State] = []
    if button.light.focused != nil {
      states.append(State(name: "focused", selectors: [":focus-visible", ".is-focused"]))
    }
    if button.light.selected != nil {
      states.append(
        State(
          name: "selected",
          selectors: ["[aria-pressed=\"true\"]", "[aria-selected=\"true\"]", ".is-selected"]))
    }
    // The script says when a finger has gone too far to press.
    let active = hasTouch ? ":active:where(:not(.is-outside))" : ":active"
    states.append(
      State(name: "highlighted", selectors: [active, ".is-highlighted"], hovering: [":hover"]))
    if button.light.disabled != nil {
      states.append(State(name: "disabled", selectors: [":disabled", ".is-disabled"]))
    }
    return states
  }

  private func write(to sheet: inout CSSText) {
    // Where colours are not wanted the class itself is the picture.
    let isColored = pictures == nil || button.emit.contains(.css)
    let colors = isColored ? ["background-color: var(--btn-normal)"] + border : []
    sheet.rule([name], colors + shape + Self.properties(button.light, button.border))
    if isColored {
      writeStates(of: name, to: &sheet) { ["background-color: var(--btn-\($0))"] }
    }
    if let dark = button.dark {
      let properties = Self.properties(dark)
      sheet.media(["(prefers-color-scheme: dark)"]) {
        $0.rule(["\(name):not(.is-light)"], properties)
      }
      sheet.rule(["\(name).is-dark"], properties)
    }
    if let pictures { write(pictures, of: isColored ? "\(name).as-image" : name, to: &sheet) }
  }

  /// The rules of all states but `normal`.
  private func writeStates(
    of name: String, to sheet: inout CSSText, lines: (_ state: String) -> [String]
  ) {
    for state in states {
      let lines = lines(state.name)
      if !state.hovering.isEmpty {
        sheet.media(["(hover: hover)"]) { $0.rule(state.hovering.map { name + $0 }, lines) }
      }
      sheet.rule(state.selectors.map { name + $0 }, lines)
    }
  }

  // MARK: Colours

  private var shape: [String] {
    var lines: [String] = []
    if button.light.title != nil { lines.append("color: var(--btn-title)") }
    if button.radius > 0 { lines.append("border-radius: \(CSSText.points(button.radius))") }
    return lines
  }

  private var border: [String] {
    guard let border = button.border else { return ["border: 0"] }
    return ["border: \(CSSText.points(border.width)) solid var(--btn-border)"]
  }

  /// A dark appearance leaves out what it has not, so the light ones stay.
  private static func properties(
    _ appearance: ButtonStyle.Appearance, _ border: ButtonStyle.Edge? = nil
  ) -> [String] {
    var lines = appearance.states.map { "--btn-\($0.name): \($0.color.css)" }
    if let title = appearance.title { lines.append("--btn-title: \(title.css)") }
    if let border { lines.append("--btn-border: \(border.color.css)") }
    return lines
  }

  // MARK: Pictures

  /// The pictures of each appearance and scale, the most general first.
  private func write(_ pictures: ButtonPictures, of name: String, to sheet: inout CSSText) {
    for (place, set) in pictures.sets.enumerated() {
      let resolution = set.resolution.map { ["(min-resolution: \($0))"] } ?? []
      func write(_ name: String, _ media: [String]) {
        sheet.media(media) { sheet in
          sheet.rule([name], (place == 0 ? pictures.frame : []) + pictures.lines(of: set))
          writeStates(of: name, to: &sheet) { pictures.lines(of: set, in: $0) }
        }
      }
      if set.isDark {
        write("\(name):not(.is-light)", ["(prefers-color-scheme: dark)"] + resolution)
        write("\(name).is-dark", resolution)
      } else {
        write(name, resolution)
      }
    }
  }
}
