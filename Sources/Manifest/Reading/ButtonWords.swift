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

  let appearance: ButtonStyle.Appearance
  var normal: Color?
  var title: Color?
  /// Of the states besides `normal`.
  var states: [ButtonStyle.State: Word] = [:]

  /// What is left out here is as the other words say it.
  func inheriting(_ other: ButtonWords) -> ButtonWords {
    ButtonWords(
      appearance: appearance, normal: normal ?? other.normal, title: title ?? other.title,
      states: other.states.merging(states) { _, own in own })
  }

  /// The colours that the words come to; nil without that of `normal`.
  var colors: ButtonStyle.Colors? {
    guard let normal else { return nil }
    func color(_ state: ButtonStyle.State) -> Color? {
      switch states[state] {
      case .color(let color): color
      case .same: normal
      case .auto: shade(of: normal, for: state)
      case nil: nil
      }
    }
    var colors = ButtonStyle.Colors(normal: normal, highlighted: color(.highlighted) ?? normal)
    colors.disabled = color(.disabled)
    colors.selected = color(.selected)
    colors.focused = color(.focused)
    colors.title = title
    return colors
  }

  /// What `auto` means: the lightness moves away from the page, or toward it by a step below 0, and
  /// the shade looks different at least.
  private func shade(of normal: Color, for state: ButtonStyle.State) -> Color {
    let (step, difference) =
      switch state {
      case .normal: (0.0, 0.0)
      case .highlighted: (0.08, Color.visibleDifference)
      // Twice as far: a pressed button still shows whether it was selected.
      case .selected: (0.16, 2 * Color.visibleDifference)
      case .focused: (0.04, Color.visibleDifference)
      case .disabled: (-0.20, Color.visibleDifference)
      }
    return normal.shade(by: step, awayFrom: appearance.page, differingBy: difference)
  }

  // MARK: - Contrast

  /// Warns of each colour on which the title cannot be read; the field is the title's.
  func checkContrast(_ field: Field?, reporting reader: inout FieldReader) {
    guard let colors, let title, let field else { return }
    let page = appearance.page
    let isNormalReadable =
      title.contrast(with: colors.normal, on: page) >= Color.readableContrast
    for (color, states) in Self.readableStates(of: colors) {
      let contrast = title.contrast(with: color, on: page)
      guard contrast < Color.readableContrast else { continue }
      let told = states.map { "`\(appearance == .dark ? "dark." : "")\($0.rawValue)`" }
      reader.report(
        .warning, .lowContrast,
        "the title cannot be read well on \(told.joined(separator: " and "))",
        at: field.node.position, field.path,
        note: "the contrast of \(title.css) and \(color.css) is \(contrast.roundedContrast.plain)"
          + (color.isOpaque ? "" : " on a \(appearance == .dark ? "black" : "white") page")
          + ", and words need \(Color.readableContrast.plain)",
        help: contrastHelp(for: states, color, title, isNormalReadable: isNormalReadable))
    }
  }

  /// The states that words must be readable on, by colour, in their order.
  ///
  /// WCAG exempts what cannot be used: a disabled button may be pale.
  private static func readableStates(
    of colors: ButtonStyle.Colors
  ) -> [(color: Color, states: [ButtonStyle.State])] {
    var groups: [(color: Color, states: [ButtonStyle.State])] = []
    for (state, color) in colors.states where state != .disabled {
      if let group = groups.firstIndex(where: { $0.color == color }) {
        groups[group].states.append(state)
      } else {
        groups.append((color, [state]))
      }
    }
    return groups
  }

  /// The nearest colour that passes, and where to write it.
  private func contrastHelp(
    for states: [ButtonStyle.State], _ color: Color, _ title: Color, isNormalReadable: Bool
  ) -> String {
    guard let shade = color.nearest(carrying: title, on: appearance.page) else {
      return "no shade of \(color.css) is enough; "
        + "a title of \(color.over(appearance.page).ink.css) can be read on it"
    }
    let start = appearance == .dark ? "in `dark`, write" : "write"
    let isAuto = states.allSatisfy { self.states[$0] == .auto }
    if isAuto && !isNormalReadable {
      return "\(start) another `normal` first, which `auto` follows; "
        + "the nearest shade that passes is \(shade.css)"
    }
    // What is the same as `normal` changes with it; so does `highlighted` when it is left out.
    let told = states.filter { $0 == .normal || (self.states[$0] ?? .same) != .same }
      .map { "`\($0.rawValue): \"\(shade.css)\"`" }
    let advice = "\(start) \(told.joined(separator: " and "))"
    return isAuto
      ? "\(advice) instead of `auto`: the nearest shade that passes"
      : "\(advice), the nearest shade that passes"
  }
}
