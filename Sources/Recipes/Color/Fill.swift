package enum Fill: Codable, Hashable, Sendable {
  case solid(Color)
  /// Evenly spaced colours, as in `linear-gradient()` in CSS: 0° points up, and 90° points right.
  case linear([Color], degrees: Double)
  /// Evenly spaced colours clockwise from `degrees`, as in CSS's `conic-gradient()`: 0° is up.
  case conic([Color], degrees: Double)

  package var simplified: Fill {
    let colors = colors.map(\.simplified)
    let first = colors.first ?? .invisible
    guard colors.contains(where: { $0 != first }) else { return .solid(first) }
    return switch self {
    case .solid: .solid(first)
    case .conic(_, let degrees): .conic(colors, degrees: degrees)
    case .linear(_, let degrees): .linear(colors, degrees: degrees)
    }
  }

  package var isOpaque: Bool { colors.allSatisfy(\.isOpaque) }

  package var isInvisible: Bool { colors.allSatisfy { $0.alpha == 0 } }

  package var colors: [Color] {
    switch self {
    case .solid(let color): [color]
    case .linear(let colors, _), .conic(let colors, _): colors
    }
  }

  /// Returns the colour at a position between 0 (the first colour) and 1 (the last colour).
  package func color(at way: Double) -> Color {
    let colors = colors
    guard let last = colors.last else { return .invisible }
    let position = min(max(way, 0), 1) * Double(colors.count - 1)
    let index = Int(position)
    guard index + 1 < colors.count else { return last.simplified }
    return colors[index].mixed(with: colors[index + 1], part: position - Double(index))
  }

}

extension Color {
  package static let invisible = Color(red: 0, green: 0, blue: 0, alpha: 0)

  package var simplified: Color { alpha == 0 ? .invisible : self }

  /// Interpolates premultiplied colours, as CSS does, so that fading to transparent adds no grey.
  fileprivate func mixed(with other: Color, part: Double) -> Color {
    let first = Double(alpha) * (1 - part)
    let second = Double(other.alpha) * part
    let total = first + second
    guard total.rounded() > 0 else { return .invisible }
    func mix(_ from: UInt8, _ to: UInt8) -> UInt8 {
      UInt8(min(((Double(from) * first + Double(to) * second) / total).rounded(), 255))
    }
    return Color(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue),
      alpha: UInt8(min(total.rounded(), 255)))
  }
}
