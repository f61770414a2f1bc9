import Diagnostics
import Documents
import Recipes

/// What a manifest says of one appearance of a button, before it comes to colours.
struct ButtonWords {
  /// What is said of a state.
  enum Word: Hashable {
    case color(Color)
    /// The colour of `normal` again.
    case same
    /// A shade of the colour of `normal`.
    case auto
  }

  var normal: Color?
  var title: Color?
  /// Of the states besides `normal`, by name.
  var states: [String: Word] = [:]

  /// What is left out here is as the other words say it.
  func inheriting(_ other: ButtonWords) -> ButtonWords {
    ButtonWords(
      normal: normal ?? other.normal, title: title ?? other.title,
      states: other.states.merging(states) { _, own in own })
  }

  /// The colours that the words come to on a page; nil without that of `normal`.
  func appearance(on page: Color) -> ButtonStyle.Appearance? {
    guard let normal else { return nil }
    let shades = ButtonShades(of: normal, on: page)
    func color(_ state: String) -> Color? {
      switch states[state] {
      case .color(let color): color
      case .same: normal
      case .auto: shades[state]
      case nil: nil
      }
    }
    return ButtonStyle.Appearance(
      normal: normal, highlighted: color("highlighted") ?? normal, disabled: color("disabled"),
      selected: color("selected"), focused: color("focused"), title: title)
  }
}

/// What `auto` means in one appearance of a button.
struct ButtonShades {
  let normal: Color
  /// What the button lies on: white or black.
  let page: Color

  init(of normal: Color, on page: Color) {
    self.normal = normal
    self.page = page
  }

  /// How far the lightness moves away from the page, or toward it if this is below 0, and how
  /// different the shade looks at least.
  private static func move(of state: String) -> (step: Double, difference: Double)? {
    switch state {
    case "highlighted": (0.08, Color.visibleDifference)
    // Twice as far: whoever presses a button sees whether it was selected.
    case "selected": (0.16, 2 * Color.visibleDifference)
    case "focused": (0.04, Color.visibleDifference)
    case "disabled": (-0.20, Color.visibleDifference)
    default: nil
    }
  }

  /// The shade for a state; `normal` has none.
  subscript(state: String) -> Color? {
    Self.move(of: state).map {
      normal.shade(by: $0.step, awayFrom: page, differingBy: $0.difference)
    }
  }
}

extension ButtonWords {
  /// Warns of each colour of an appearance on which its title cannot be read.
  ///
  /// - Parameters:
  ///   - appearance: The colours that the words come to.
  ///   - name: Of the appearance.
  ///   - field: The title: its own, or that of the button.
  ///   - reader: Gets the warnings.
  func checkContrast(
    of appearance: ButtonStyle.Appearance, in name: String, _ field: Field?,
    reporting reader: inout FieldReader
  ) {
    guard let title = appearance.title, let field else { return }
    let page = ButtonStyle.page(of: name)
    let isNormalReadable =
      title.contrast(with: appearance.normal, on: page) >= Color.readableContrast
    for (color, states) in appearance.readableStates {
      let contrast = title.contrast(with: color, on: page)
      guard contrast < Color.readableContrast else { continue }
      let told = states.map { name == "dark" ? "`dark.\($0)`" : "`\($0)`" }
      reader.report(
        .warning, .lowContrast,
        "the title cannot be read well on \(told.joined(separator: " and "))",
        at: field.node.position, field.path,
        note: "the contrast of \(title.css) and \(color.css) is \(contrast.toldContrast.plain)"
          + "\(color.ground(on: page)), and words need \(Color.readableContrast.plain)",
        help: contrastHelp(
          for: states, color, title, on: page, isNormalReadable: isNormalReadable))
    }
  }

  /// The nearest colour that passes, and where to write it.
  private func contrastHelp(
    for states: [String], _ color: Color, _ title: Color, on page: Color, isNormalReadable: Bool
  ) -> String {
    guard let shade = color.nearest(carrying: title, on: page) else {
      return "no shade of \(color.css) is enough; "
        + "a title of \(color.over(page).ink.css) can be read on it"
    }
    let place = page == .black ? "in `dark`, write" : "write"
    let isAuto = states.allSatisfy { self.states[$0] == .auto }
    if isAuto && !isNormalReadable {
      return "\(place) another `normal` first, which `auto` follows; "
        + "the nearest shade that passes is \(shade.css)"
    }
    // Whatever is the same as `normal` changes with it.
    let told = states.filter { $0 == "normal" || !isSame($0) }.map { "`\($0): \"\(shade.css)\"`" }
    let advice = "\(place) \(told.joined(separator: " and "))"
    return isAuto
      ? "\(advice) instead of `auto`: the nearest shade that passes"
      : "\(advice), the nearest shade that passes"
  }

  /// A state that nothing is said of is there only if it is `highlighted`.
  private func isSame(_ state: String) -> Bool { (states[state] ?? .same) == .same }
}

extension Color {
  /// On what a translucent colour was judged, as words behind a number.
  fileprivate func ground(on page: Color) -> String {
    if isOpaque { return "" }
    return page == .white ? " on a white page" : " on a black page"
  }
}
