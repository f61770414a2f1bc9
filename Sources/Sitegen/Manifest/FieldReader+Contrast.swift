import Diagnostics
import Documents
import Imaging

extension FieldReader {
  /// Warns of each colour of an appearance on which its title cannot be read.
  ///
  /// - Parameters:
  ///   - appearance: Its colours.
  ///   - words: What they come from.
  ///   - name: Of the appearance.
  ///   - field: The title: its own, or that of the button.
  mutating func checkContrast(
    of appearance: ButtonStyle.Appearance, _ words: ButtonWords, in name: String, _ field: Field?
  ) {
    guard let title = appearance.title, let field else { return }
    let page = ButtonStyle.page(of: name)
    let isNormalReadable =
      title.contrast(with: appearance.normal, on: page) >= Color.readableContrast
    for (color, states) in appearance.readableStates {
      let contrast = title.contrast(with: color, on: page)
      guard contrast < Color.readableContrast else { continue }
      let told = states.map { name == "dark" ? "`dark.\($0)`" : "`\($0)`" }
      report(
        .warning, .lowContrast,
        "the title cannot be read well on \(told.joined(separator: " and "))",
        at: field.node.position, field.path,
        note: "the contrast of \(title.css) and \(color.css) is \(contrast.toldContrast.plain)"
          + "\(color.ground(on: page)), and words need \(Color.readableContrast.plain)",
        help: words.contrastHelp(
          for: states, color, title, on: page, isNormalReadable: isNormalReadable))
    }
  }
}

extension ButtonWords {
  /// The nearest colour that passes, and where to write it.
  fileprivate func contrastHelp(
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
