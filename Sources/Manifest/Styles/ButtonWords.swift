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
