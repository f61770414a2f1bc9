package import Diagnostics
package import Recipes

/// A named button: a colour for each of its states.
package struct ButtonStyle: Hashable, Sendable {
  /// Keyed by state name; `highlighted: same` is the colour of `normal` again.
  package struct Appearance: Hashable, Sendable {
    package var normal: Color
    package var highlighted: Color
    package var disabled: Color?
    package var selected: Color?
    package var focused: Color?
    /// Of the words on it.
    package var title: Color?

    package init(
      normal: Color, highlighted: Color, disabled: Color? = nil, selected: Color? = nil,
      focused: Color? = nil, title: Color? = nil
    ) {
      self.normal = normal
      self.highlighted = highlighted
      self.disabled = disabled
      self.selected = selected
      self.focused = focused
      self.title = title
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

  /// What the web gets of a button.
  package enum Emission: String, CaseIterable, Hashable, Sendable {
    case css
    case png
  }

  package var name: String
  package var light: Appearance
  package var dark: Appearance?
  /// Points.
  package var radius: Double
  package var border: Edge?
  package var emit: Set<Emission>
  /// Apps colour it themselves.
  package var isTemplate: Bool
  package var place: FileLocation
  package var path: String

  package init(
    name: String, light: Appearance, dark: Appearance? = nil, radius: Double = 0,
    border: Edge? = nil, emit: Set<Emission> = [.css], isTemplate: Bool = false,
    place: FileLocation,
    path: String
  ) {
    self.name = name
    self.light = light
    self.dark = dark
    self.radius = radius
    self.border = border
    self.emit = emit
    self.isTemplate = isTemplate
    self.place = place
    self.path = path
  }

  /// The border, if anything of it can be seen.
  package var visibleBorder: Edge? { border.flatMap { $0.color.alpha > 0 ? $0 : nil } }

  /// Points at each side that must not be stretched.
  package var cap: Double { max(radius, visibleBorder?.width ?? 0) }

  /// Nothing but a colour, at any size.
  package var isPlain: Bool { cap == 0 }

  /// Light, then dark, with the name that each has everywhere.
  package var appearances: [(name: String, appearance: Appearance)] {
    [("light", light)] + (dark.map { [("dark", $0)] } ?? [])
  }
}

extension ButtonStyle {
  /// What the buttons of an appearance lie on.
  package static func page(of appearance: String) -> Color {
    appearance == "dark" ? .black : .white
  }
}

extension ButtonStyle.Appearance {
  /// The contrast that its title has on a colour; nil without a title.
  package func contrast(on color: Color, page: Color) -> Double? {
    title.map { $0.contrast(with: color, on: page) }
  }

  /// The states that words must be readable on, by colour, in the order of the states.
  ///
  /// WCAG exempts what cannot be used: a disabled button may be pale.
  var readableStates: [(color: Color, names: [String])] {
    var groups: [(color: Color, names: [String])] = []
    for (name, color) in states where name != "disabled" {
      if let group = groups.firstIndex(where: { $0.color == color }) {
        groups[group].names.append(name)
      } else {
        groups.append((color, [name]))
      }
    }
    return groups
  }
}

extension Double {
  /// A contrast as it is told: two decimals, rounded down, so that 4.499 is not told as 4.5.
  package var toldContrast: Double {
    // What a calculation of 21 lacks is no reason to tell 20.99.
    (self * 100 + 1e-9).rounded(.down) / 100
  }
}
