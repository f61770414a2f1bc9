package import Recipes

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
