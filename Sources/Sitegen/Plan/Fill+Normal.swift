import Imaging

extension Fill {
  /// The one spelling of all fills that paint the same.
  ///
  /// Equal colours are one, transparent ones have no hue, a full turn is none, and a line that
  /// runs the other way round is the same with its colours turned: lines run to the right or down.
  var normal: Fill {
    switch self {
    case .solid(let color):
      return .solid(color.normal)
    case .linear(let colors, let degrees):
      let colors = colors.map(\.normal)
      if let color = Self.only(colors) { return .solid(color) }
      let angle = Self.turned(degrees)
      return angle == 0 || angle > 180
        ? .linear(colors.reversed(), degrees: angle == 0 ? 180 : angle - 180)
        : .linear(colors, degrees: angle)
    case .conic(let colors, let degrees):
      let colors = colors.map(\.normal)
      return Self.only(colors).map(Fill.solid)
        ?? .conic(colors, degrees: Self.turned(degrees))
    }
  }

  var isVisible: Bool { colors.contains { $0.alpha > 0 } }
  var isOpaque: Bool { colors.allSatisfy(\.isOpaque) }

  private var colors: [Color] {
    switch self {
    case .solid(let color): [color]
    case .linear(let colors, _), .conic(let colors, _): colors
    }
  }

  /// The colour that all are.
  private static func only(_ colors: [Color]) -> Color? {
    guard let first = colors.first else { return Color.clear }
    return colors.allSatisfy { $0 == first } ? first : nil
  }

  /// From 0 to below 360.
  private static func turned(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    // -0 and a remainder that rounds to a whole turn are none.
    let angle = rest < 0 ? rest + 360 : rest + 0
    return angle == 360 ? 0 : angle
  }
}

extension Color {
  static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)

  /// All transparent colours are one.
  var normal: Color { alpha > 0 ? self : .clear }
}
