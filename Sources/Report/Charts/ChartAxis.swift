/// An axis from zero, with ticks at round numbers that leave room for their labels.
package struct ChartAxis: Sendable, Hashable {
  package struct Tick: Sendable, Hashable {
    package var value: Int
    package var label: ChartLabel
  }

  package let ticks: [Tick]
  private let end: Int
  private let start: Int
  private let length: Int

  /// Values are nanoseconds; `start` is the x coordinate of zero, and `y` that of the labels.
  package init(timeUpTo end: Int, from start: Int, length: Int, labelsAt y: Int) {
    let end = max(end, 1)
    self.end = end
    self.start = start
    self.length = length
    var ticks: [Tick] = []
    for step in Self.steps(upTo: end) {
      ticks = stride(from: 0, through: end, by: step).map { value in
        Tick(
          value: value,
          label: ChartLabel(
            Self.text(of: value, step: step), x: start + Self.scaled(value, end, length), y: y,
            anchor: .middle))
      }
      // All labels are equally far from each other.
      let widest = ticks.map(\.label.width).max() ?? 0
      if ticks.count <= 13, Self.scaled(step, end, length) >= widest + 12 { break }
    }
    self.ticks = ticks
  }

  /// The x coordinate of a value.
  package func position(of value: Int) -> Int {
    start + Self.scaled(min(max(value, 0), end), end, length)
  }

  /// Every round step, from the finest that can be useful to one that is too large.
  package static func steps(upTo end: Int) -> [Int] {
    let millisecond = 1_000_000
    let (second, minute, hour) = (1000 * millisecond, 60_000 * millisecond, 3_600_000 * millisecond)
    var steps = [1, 2, 5, 10, 20, 50, 100, 200, 500].map { $0 * 1000 }
    steps += [1, 2, 5, 10, 20, 50, 100, 200, 500].map { $0 * millisecond }
    steps += [1, 2, 5, 10, 20, 30].map { $0 * second }
    steps += [1, 2, 5, 10, 20, 30].map { $0 * minute }
    var power = hour
    while power <= end {
      steps += [power, 2 * power, 5 * power]
      power *= 10
    }
    // Finer steps than a hundredth would give a million ticks.
    return steps.filter { end / $0 <= 100 } + [power]
  }

  /// The label of a tick, in the unit of its step.
  private static func text(of value: Int, step: Int) -> String {
    let (unit, name): (Int, String) =
      switch step {
      case ..<1_000_000: (1_000, "µs")
      case ..<100_000_000: (1_000_000, "ms")
      case ..<60_000_000_000: (1_000_000_000, "s")
      case ..<3_600_000_000_000: (60_000_000_000, "min")
      default: (3_600_000_000_000, "h")
      }
    guard value > 0 else { return "0" }
    let tenths = value / (unit / 10)
    return tenths % 10 == 0 ? "\(tenths / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
  }

  /// Rounded down; the nanoseconds of a long build would overflow a plain product.
  static func scaled(_ value: Int, _ end: Int, _ length: Int) -> Int {
    let (high, low) = value.multipliedFullWidth(by: length)
    return end.dividingFullWidth((high, low)).quotient
  }
}

/// A text in a chart, and the most room that it can take.
package struct ChartLabel: Sendable, Hashable {
  package enum Anchor: String, Sendable {
    case start
    case middle
    case end
  }

  package var text: String
  package var x: Int
  /// The y coordinate of the baseline.
  package var y: Int
  package var anchor: Anchor

  /// The size of the font in report.css.
  package static let size = 12

  package init(_ text: String, x: Int, y: Int, anchor: Anchor = .start) {
    self.text = text
    self.x = x
    self.y = y
    self.anchor = anchor
  }

  /// At least what any font needs that browsers use for `system-ui` or `sans-serif`.
  package var width: Int { Self.width(of: text) }

  package static func width(of text: String) -> Int {
    // In hundredths of the size.
    let hundredths = text.unicodeScalars.reduce(0) { sum, scalar in
      switch scalar {
      case "i", "j", "l", ".", ",", ":", " ", "|", "'": sum + 42
      case "m", "w", "M", "W", "@", "%": sum + 104
      case "a"..."z", "0"..."9", "-", "_", "/": sum + 68
      case "A"..."Z", "<", "(", ")": sum + 86
      default: sum + 140
      }
    }
    return (hundredths * size + 99) / 100
  }

  /// As much of a text as fits, with an ellipsis if it is cut.
  package static func fitting(_ text: String, into width: Int) -> String {
    guard self.width(of: text) > width else { return text }
    var cut = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(width) {
      cut.append(scalar)
      guard self.width(of: String(cut) + "…") <= width else {
        cut.removeLast()
        break
      }
    }
    return String(cut) + "…"
  }
}
