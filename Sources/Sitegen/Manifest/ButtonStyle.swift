package import Imaging

/// A named button: a colour for each of its states.
package struct ButtonStyle: Hashable, Sendable {
  /// Keyed by state name; `highlighted: same` is the colour of `normal` again.
  package struct Appearance: Hashable, Sendable {
    package var normal: Color
    package var highlighted: Color
    package var disabled: Color?
    package var selected: Color?
    package var focused: Color?

    package init(
      normal: Color, highlighted: Color, disabled: Color? = nil, selected: Color? = nil,
      focused: Color? = nil
    ) {
      self.normal = normal
      self.highlighted = highlighted
      self.disabled = disabled
      self.selected = selected
      self.focused = focused
    }

    /// The states that exist, in a fixed order.
    package var states: [(name: String, color: Color)] {
      var states = [("normal", normal), ("highlighted", highlighted)]
      if let disabled { states.append(("disabled", disabled)) }
      if let selected { states.append(("selected", selected)) }
      if let focused { states.append(("focused", focused)) }
      return states
    }
  }

  package struct Edge: Hashable, Sendable {
    package var width: Double
    package var color: Color

    package static let defaultWidth = 1.0

    package init(width: Double, color: Color) {
      self.width = width
      self.color = color
    }
  }

  package var name: String
  package var light: Appearance
  package var dark: Appearance?
  package var title: Color?
  /// Points.
  package var radius: Double
  package var border: Edge?
  package var place: Place
  package var path: String

  package init(
    name: String, light: Appearance, dark: Appearance? = nil, title: Color? = nil,
    radius: Double = 0, border: Edge? = nil, place: Place, path: String
  ) {
    self.name = name
    self.light = light
    self.dark = dark
    self.title = title
    self.radius = radius
    self.border = border
    self.place = place
    self.path = path
  }
}
