import Bytes
import Manifest
import Plan
import Recipes

/// `buttons.css`, whose classes and properties are documented in templates/README.md.
struct ButtonsCSS {
  private let button: ButtonStyle
  private let pictures: ButtonPictures?
  private let name: String
  /// The states except `normal`; `disabled` is last, so its rule overrides those for other states.
  private let states: [State]
  private let hasTouch: Bool

  private static let disabled = [":disabled", ".is-disabled", "[aria-disabled=\"true\"]"]

  private struct State {
    var state: ButtonStyle.State
    var selectors: [String]
    /// Selectors for devices with a mouse; on touchscreens, `:hover` would persist after a touch.
    var hovering: [String] = []
  }

  static func text(for content: SiteContent) -> String {
    var sheet = CSSWriter()
    let buttons = content.manifest.buttons.map { ButtonsCSS($0, in: content) }
    for button in buttons { button.write(to: &sheet) }
    if !buttons.isEmpty { sheet.rule([".btn"], box) }
    writeForcedColors(of: buttons, to: &sheet)
    return sheet.text
  }

  private static let box = [
    "box-sizing: border-box", "display: inline-flex", "align-items: center",
    "justify-content: center", "min-height: 44px", "padding: 8px 20px", "line-height: 1.25",
    "text-align: center", "text-decoration: none",
  ]

  private static func writeForcedColors(of buttons: [ButtonsCSS], to sheet: inout CSSWriter) {
    guard !buttons.isEmpty else { return }
    let pictured = buttons.compactMap(\.pictureName)
    let colored = buttons.filter(\.isColored).map(\.name)
    let overlaid = buttons.filter { $0.button.overlay != nil }.map(\.name)
    sheet.media(["(forced-colors: active)"]) {
      $0.rule(colored + pictured, ["border: 1px solid ButtonBorder"])
      $0.rule(overlaid, ["background-image: none"])
      // `!important` makes these declarations override the rules for all states.
      $0.rule(pictured, ["border-image: none !important", "background: ButtonFace !important"])
    }
  }

  private init(_ button: ButtonStyle, in content: SiteContent) {
    self.button = button
    pictures = ButtonPictures(of: button, in: content)
    name = ".btn-\(CSSName.escaped(button.name))"
    hasTouch = content.manifest.exports.contains(.touch)
    states = Self.states(of: button, hasTouch: hasTouch)
  }

  private var isColored: Bool { pictures == nil || button.emit.contains(.css) }

  private var pictureName: String? {
    pictures.map { _ in isColored ? "\(name).as-image" : name }
  }

  private static func states(of button: ButtonStyle, hasTouch: Bool) -> [State] {
    // Disabled buttons do not look focused, hovered or pressed. `:where` does not add specificity.
    let usable = ":where(:not(\(disabled.joined(separator: ", "))))"
    // `buttons.js` sets `is-outside` and `is-pressed`, depending on how close the finger is.
    let active = hasTouch ? ":active:where(:not(.is-outside))" : ":active"
    let states = [
      State(state: .focused, selectors: [":focus-visible" + usable, ".is-focused"]),
      State(
        state: .selected,
        selectors: ["[aria-pressed=\"true\"]", "[aria-selected=\"true\"]", ".is-selected"]),
      State(
        state: .highlighted,
        selectors: [active + usable, ".is-highlighted"] + (hasTouch ? [".is-pressed"] : []),
        hovering: [":hover" + usable]),
      State(state: .disabled, selectors: disabled),
    ]
    let there = Set(button.light.states.map(\.state))
    return states.filter { there.contains($0.state) }
  }

  private func write(to sheet: inout CSSWriter) {
    let colors = isColored ? ["background-color: var(--btn-normal)"] + border : []
    sheet.rule([name], colors + shape + properties(button.light, button.border))
    writeContinuousCorners(to: &sheet)
    if isColored {
      writeStates(of: name, to: &sheet) { ["background-color: var(--btn-\($0.rawValue))"] }
    }
    if let dark = button.dark {
      let properties = properties(dark)
      if !properties.isEmpty {
        sheet.media(["(prefers-color-scheme: dark)"]) {
          $0.rule([name + Self.preferred], properties)
        }
        sheet.rule([name + Self.forced], properties)
      }
    }
    if let pictures, let pictureName { write(pictures, of: pictureName, to: &sheet) }
  }

  /// A selector for elements that are not forced to be light.
  ///
  /// Neither this selector nor `forced` adds specificity, so the later rule wins.
  private static let preferred = ":where(:not(.is-light, .is-light *))"
  /// A selector for elements that are forced to be dark, by their own class or by the nearest
  /// ancestor with `is-dark` or `is-light`; up to two nested ancestors are supported.
  private static let forced = ":where(.is-dark, .is-dark :not(.is-light, .is-dark .is-light *))"

  private func writeStates(
    of name: String, to sheet: inout CSSWriter, lines: (ButtonStyle.State) -> [String]
  ) {
    for state in states {
      let lines = lines(state.state)
      if !state.hovering.isEmpty {
        sheet.media(["(hover: hover)"]) { $0.rule(state.hovering.map { name + $0 }, lines) }
      }
      sheet.rule(state.selectors.map { name + $0 }, lines)
    }
  }

  private var shape: [String] {
    var lines: [String] = []
    if button.light.title != nil { lines.append("color: var(--btn-title)") }
    if button.radius > 0 { lines.append("border-radius: \(CSSWriter.points(button.radius))") }
    if let overlay = button.overlay {
      lines.append("background-image: \(overlay.css)")
      if button.border != nil { lines.append("background-origin: border-box") }
    }
    if let shadow = button.shadow {
      // The blur length in CSS is twice the standard deviation.
      let lengths = [shadow.x, shadow.y, 2 * shadow.radius, shadow.outset].map(CSSWriter.points)
      lines.append("box-shadow: \(lengths.joined(separator: " ")) \(shadow.color.css)")
    }
    // Without `touch-action`, the browser would start scrolling when the finger moves a few pixels.
    if hasTouch { lines.append("touch-action: none") }
    return lines
  }

  /// Writes the pictures' corner curve, for browsers that support more than circular corners.
  private func writeContinuousCorners(to sheet: inout CSSWriter) {
    guard button.curve == .continuous, button.radius > 0 else { return }
    sheet.block("@supports (corner-shape: superellipse(1))") {
      // The argument is the binary logarithm of the exponent in `CornerCurve`.
      let lines = ["border-radius: \(CSSWriter.points(button.radius * button.curve.extent))"]
      $0.rule([name], lines + ["corner-shape: superellipse(1.7043)"])
    }
  }

  private var border: [String] {
    guard let border = button.border else { return ["border: 0"] }
    return ["border: \(CSSWriter.points(border.width)) solid var(--btn-border)"]
  }

  private func properties(
    _ colors: ButtonStyle.Colors, _ border: ButtonStyle.Edge? = nil
  ) -> [String] {
    // Buttons with pictures use only the title colour.
    var lines = isColored ? colors.states.map { "--btn-\($0.rawValue): \($1.css)" } : []
    if let title = colors.title { lines.append("--btn-title: \(title.css)") }
    if let border, isColored { lines.append("--btn-border: \(border.color.css)") }
    return lines
  }

  private func write(_ pictures: ButtonPictures, of name: String, to sheet: inout CSSWriter) {
    for (index, set) in pictures.sets.enumerated() {
      let resolution = set.resolution.map { ["(min-resolution: \($0))"] } ?? []
      func write(_ name: String, _ media: [String]) {
        sheet.media(media) { sheet in
          sheet.rule([name], (index == 0 ? pictures.frame : []) + pictures.lines(of: set))
          writeStates(of: name, to: &sheet) { pictures.lines(of: set, in: $0) }
        }
      }
      if set.isDark {
        write(name + Self.preferred, ["(prefers-color-scheme: dark)"] + resolution)
        write(name + Self.forced, resolution)
      } else {
        write(name, resolution)
      }
    }
    if pictures.hasGrounds {
      sheet.media([ButtonPictures.exact]) { $0.rule([name], ["--btn-lap: 0px"]) }
    }
  }
}

extension Fill {
  /// An overlay's gradient, which is never conic and uses the same angles as CSS.
  fileprivate var css: String {
    let colors = (colors.count > 1 ? colors : colors + colors).map(\.css).joined(separator: ", ")
    guard case .linear(_, let degrees) = self else { return "linear-gradient(\(colors))" }
    return "linear-gradient(\(degrees.plain)deg, \(colors))"
  }
}
