import Documents
import Imaging

extension FieldReader {
  /// Warns of each colour of an appearance on which its title cannot be read.
  ///
  /// - Parameters:
  ///   - appearance: Its colours.
  ///   - fields: Those of the appearance.
  ///   - button: Those of the button, of a dark appearance that may have its title from there.
  mutating func checkContrast(
    of appearance: ButtonStyle.Appearance, _ fields: Fields, orTitleOf button: Fields? = nil
  ) {
    guard let title = appearance.title, let field = fields["title"] ?? button?["title"] else {
      return
    }
    let page = ButtonStyle.page(of: button == nil ? "light" : "dark")
    let isNormalReadable =
      title.contrast(with: appearance.normal, on: page) >= Color.readableContrast
    for (color, names) in appearance.readableStates {
      let contrast = title.contrast(with: color, on: page)
      guard contrast < Color.readableContrast else { continue }
      let states = names.map { button == nil ? "`\($0)`" : "`dark.\($0)`" }
      report(
        .warning, .lowContrast,
        "the title cannot be read well on \(states.joined(separator: " and "))",
        at: field.node.position, field.path,
        note: "the contrast of \(title.css) and \(color.css) is \(contrast.toldContrast.plain)"
          + "\(color.ground(on: page)), and words need \(Color.readableContrast.plain)",
        help: contrastHelp(
          for: names[0], of: fields, color, title, page, isNormalReadable: isNormalReadable))
    }
  }

  /// The nearest colour that passes, and where to write it.
  private func contrastHelp(
    for state: String, of fields: Fields, _ color: Color, _ title: Color, _ page: Color,
    isNormalReadable: Bool
  ) -> String {
    guard let shade = color.nearest(carrying: title, on: page) else {
      return "no shade of \(color.css) is enough; "
        + "a title of \(color.over(page).ink.css) can be read on it"
    }
    let place = page == .black ? "in `dark`, write" : "write"
    let advice = "\(place) `\(state): \"\(shade.css)\"`"
    guard fields[state]?.isAuto == true else { return "\(advice), the nearest shade that passes" }
    return isNormalReadable
      ? "\(advice) instead of `auto`: the nearest shade that passes"
      : "change `normal` first, which `auto` follows; the nearest shade that passes is \(shade.css)"
  }
}

extension Color {
  /// On what a translucent colour was judged, as words behind a number.
  fileprivate func ground(on page: Color) -> String {
    if isOpaque { return "" }
    return page == .white ? " on a white page" : " on a black page"
  }
}
