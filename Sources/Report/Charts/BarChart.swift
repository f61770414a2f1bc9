/// Bars beside each other's names, the longest as long as there is room.
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
  /// Where all bars begin.
  package let left: Int
  package let bars: [Bar]

  /// - Parameter values: The words beside each bar, and how long it is in proportion.
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

  package var labels: [ChartLabel] { bars.flatMap { [$0.name, $0.value] } }
}
