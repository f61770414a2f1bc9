package enum Fill: Codable, Hashable, Sendable {
  case solid(Color)
  /// Evenly spaced colours along a line through the centre, as in CSS: 0 degrees runs upwards, 90
  /// to the right, and the first and last colour touch the corners.
  case linear([Color], degrees: Double)
  /// Evenly spaced colours around the centre, clockwise from `degrees` (0 is up), as in CSS.
  case conic([Color], degrees: Double)

  /// The same fill in its simplest form: solid if all colours are identical or all are invisible.
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

  /// Returns the colour at a position from 0 (first) to 1 (last).
  ///
  /// It interpolates premultiplied colours, so that fading to transparent does not turn grey.
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

  /// Interpolates premultiplied sRGB, as CSS gradients do.
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
