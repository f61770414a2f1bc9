/// Bars below each other; the longest takes all the room beside the names.
package struct BarChart: Sendable, Hashable {
  package struct Bar: Sendable, Hashable {
    package var y: Int
    package var width: Int
    package var name: ChartLabel
    package var value: ChartLabel
  }

  package static let width = 960
  package static let barHeight = 18
  private static let step = 28

  package let height: Int
  /// The x coordinate at which all bars begin.
  package let left: Int
  package let bars: [Bar]

  /// - Parameter values: The texts beside each bar, and its length in proportion.
  package init(_ values: [(name: String, amount: Int, text: String)]) {
    let names = values.map { ChartLabel.fitting($0.name, into: 240) }
    let texts = values.map { ChartLabel.fitting($0.text, into: 280) }
    let left = (names.map(ChartLabel.width).max() ?? 0) + 12
    let room = Self.width - left - (texts.map(ChartLabel.width).max() ?? 0) - 10
    let largest = max(values.map(\.amount).max() ?? 0, 1)
    self.left = left
    height = values.count * Self.step
    bars = values.indices.map { number in
      let amount = max(values[number].amount, 0)
      let width = amount == 0 ? 0 : max(ChartAxis.scaled(amount, largest, room), 1)
      let y = number * Self.step + 4
      return Bar(
        y: y, width: width, name: ChartLabel(names[number], x: left - 12, y: y + 13, anchor: .end),
        value: ChartLabel(texts[number], x: left + width + 8, y: y + 13))
    }
  }
}

/// One bar that is as long as the whole, cut into parts.
package struct StackedBar: Sendable, Hashable {
  package struct Part: Sendable, Hashable {
    package var x: Int
    package var width: Int
    /// The name, if it fits; the legend has all names.
    package var label: ChartLabel?
  }

  package static let width = 960
  package static let height = 44

  package let parts: [Part]

  /// - Parameter values: Names and amounts; every amount above zero is visible.
  package init(_ values: [(name: String, amount: Int)]) {
    let amounts = values.map { max($0.amount, 0) }
    var parts: [Part] = []
    var x = 0
    for (value, width) in zip(values, Self.widths(of: amounts, in: Self.width)) {
      let hasRoom = ChartLabel.width(of: value.name) + 20 <= width
      parts.append(
        Part(
          x: x, width: width,
          label: hasRoom ? ChartLabel(value.name, x: x + 10, y: Self.height / 2 + 4) : nil))
      x += width
    }
    self.parts = parts
  }

  /// Whole pixels with exactly this sum; every amount above zero gets at least one.
  package static func widths(of amounts: [Int], in length: Int) -> [Int] {
    let whole = amounts.reduce(0.0) { $0 + Double($1) }
    guard whole > 0, amounts.count <= length else { return amounts.map { _ in 0 } }
    let exact = amounts.map { Double($0) / whole * Double(length) }
    var widths = zip(amounts, exact).map { $0 == 0 ? 0 : max(Int($1.rounded(.down)), 1) }
    let order = widths.indices.sorted {
      let (one, other) = (exact[$0] - Double(widths[$0]), exact[$1] - Double(widths[$1]))
      return one == other ? $0 < $1 : one > other
    }.filter { amounts[$0] > 0 }
    // Missing pixels go to the widths that lost most by rounding; pixels too many are taken from the
    // largest widths.
    var missing = length - widths.reduce(0, +)
    for index in order where missing > 0 {
      widths[index] += 1
      missing -= 1
    }
    while missing < 0, let largest = widths.indices.max(by: { widths[$0] < widths[$1] }) {
      widths[largest] -= 1
      missing += 1
    }
    return widths
  }
}
