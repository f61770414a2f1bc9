package enum Fill: Codable, Hashable, Sendable {
  case solid(Color)
  /// Evenly spaced colours along a line through the middle of the area, as in CSS: 0 degrees runs
  /// upwards, 90 to the right, and the first and last colour touch the area's corners.
  case linear([Color], degrees: Double)
  /// Evenly spaced colours around the middle, clockwise from `degrees` (0 is up), as in CSS.
  case conic([Color], degrees: Double)

  /// One spelling for all fills that look the same, so that equal pictures have equal keys.
  ///
  /// One colour, or several equal ones, are solid; no colour is the invisible one. All invisible
  /// colours are equal. A conic gradient begins at 0..<360 degrees. A linear one runs at more than
  /// 0 and at most 180 degrees: every other direction is one of these backwards.
  package var simplified: Fill {
    let colors = colors.map(\.simplified)
    let first = colors.first ?? .invisible
    guard colors.contains(where: { $0 != first }) else { return .solid(first) }
    switch self {
    case .solid: return .solid(first)
    case .conic(_, let degrees): return .conic(colors, degrees: Self.turned(degrees))
    case .linear(_, let degrees):
      let turned = Self.turned(degrees)
      if turned == 0 { return .linear(colors.reversed(), degrees: 180) }
      return turned <= 180
        ? .linear(colors, degrees: turned) : .linear(colors.reversed(), degrees: turned - 180)
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

  /// The colour between the first (0) and the last (1).
  ///
  /// Neighbours are mixed by their alpha, so that a fade to a transparent colour does not turn grey.
  package func color(at way: Double) -> Color {
    let colors = colors
    guard let last = colors.last else { return .invisible }
    let position = min(max(way, 0), 1) * Double(colors.count - 1)
    let index = Int(position)
    guard index + 1 < colors.count else { return last.simplified }
    return colors[index].mixed(with: colors[index + 1], part: position - Double(index))
  }

  /// Brought to 0..<360.
  private static func turned(_ degrees: Double) -> Double {
    guard degrees.isFinite else { return 0 }
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let turned = rest < 0 ? rest + 360 : rest
    return turned == 360 ? 0 : turned + 0
  }
}

extension Color {
  package static let invisible = Color(red: 0, green: 0, blue: 0, alpha: 0)

  /// All invisible colours are one.
  package var simplified: Color { alpha == 0 ? .invisible : self }

  /// Premultiplied, in sRGB, as CSS mixes the colours of a gradient.
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
