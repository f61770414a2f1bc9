package import Recipes

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

extension ButtonStyle {
  /// What the buttons of an appearance lie on.
  package static func page(of appearance: String) -> Color {
    appearance == "dark" ? .black : .white
  }
}
