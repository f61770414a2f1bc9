import Build
import Bytes
import Gallery
import Report
import TestSupport
import Testing

/// The geometry of the report page's charts.
struct ChartTests {
  /// A random build of any length with any number of lanes.
  private static func recording(
    _ random: inout SeededRandom, lanes: Int, until end: Int
  ) -> Recording {
    var recording = Recording()
    for number in 0..<Int.random(in: 1...6, using: &random) {
      recording.startStage(
        "stage \(number)", at: number == 0 ? 0 : Int.random(in: 0..<end, using: &random))
    }
    let taken = (0..<lanes).map { _ in recording.takeLane() }
    for lane in taken {
      for _ in 0..<Int.random(in: 0...400, using: &random) {
        let start = Int.random(in: 0..<end, using: &random)
        let kind = WorkKind.allCases.randomElement(using: &random) ?? .render
        recording.leave(
          lane: lane, kind, from: start, to: Int.random(in: start...end, using: &random))
      }
    }
    return recording
  }

  private func overlaps(_ labels: [ChartLabel]) -> [String] {
    labels.indices.flatMap { one in
      labels.indices.dropFirst(one + 1).filter { labels[one].overlaps(labels[$0]) }
        .map { "\(labels[one].text) over \(labels[$0].text)" }
    }
  }

  @Test(arguments: 0..<60)
  func `no label of a lane chart lies on another or sticks out`(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    // From microseconds to weeks.
    let end = Int.random(in: 1...9, using: &random) * Self.power(10, 3 + seed % 13)
    let recording = Self.recording(&random, lanes: 1 + seed % 32, until: end)
    let chart = LaneChart(recording, until: end)
    #expect(overlaps(chart.labels) == [])
    for label in chart.labels {
      #expect(label.box.x.lowerBound >= 0 && label.box.x.upperBound <= LaneChart.width)
      #expect(label.box.y.lowerBound >= -4 && label.box.y.upperBound <= chart.height)
    }
    for shape in chart.lanes.flatMap(\.paths).flatMap(\.rectangles) {
      #expect(shape.x >= 0 && shape.x + shape.width <= LaneChart.width - 70)
      #expect(
        shape.width > 0 && shape.height > 0 && shape.height <= LaneChart.laneHeight)
    }
    #expect(chart.boundaries.allSatisfy { (0...LaneChart.width).contains($0) })
  }

  private static func power(_ base: Int, _ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { product, _ in product * base }
  }

  @Test(arguments: 1...16)
  func `ticks are round, even, and few`(digits: Int) {
    for end in [1, 2, 3, 7, 99].map({ $0 * Self.power(10, digits) }) {
      let axis = ChartAxis(timeUpTo: end, from: 44, length: 840, labelsAt: 20)
      let values = axis.ticks.map(\.value)
      #expect(values.first == 0 && values.count <= 13)
      #expect(values.last ?? 0 <= end)
      if values.count > 2 {
        let steps = Set(zip(values, values.dropFirst()).map { $1 - $0 })
        #expect(steps.count == 1)
        // A step is 1, 2, 3 or 5 with zeros, in a usual unit.
        let units = [1, 1_000_000_000, 60_000_000_000, 3_600_000_000_000]
        let step = steps.first ?? 0
        let isRound = units.contains { unit in
          guard step % unit == 0 else { return false }
          var rest = step / unit
          while rest % 10 == 0 { rest /= 10 }
          return [1, 2, 3, 5].contains(rest)
        }
        #expect(isRound, "\(step)")
      }
    }
  }

  @Test func `ticks say what they are`() {
    func texts(_ end: Int) -> [String] {
      ChartAxis(timeUpTo: end, from: 44, length: 840, labelsAt: 20).ticks.map(\.label.text)
    }
    #expect(
      texts(5_000_000_000) == [
        "0", "0.5 s", "1 s", "1.5 s", "2 s", "2.5 s", "3 s",
        "3.5 s", "4 s", "4.5 s", "5 s",
      ])
    #expect(texts(12_000_000).suffix(2) == ["11 ms", "12 ms"])
    #expect(texts(9 * 60_000_000_000).prefix(2) == ["0", "1 min"])
  }

  @Test(arguments: 0..<40)
  func `parts of a bar come to its length`(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let amounts = (0..<Int.random(in: 1...9, using: &random)).map { _ in
      Int.random(in: 0...Self.power(10, Int.random(in: 0...12, using: &random)), using: &random)
    }
    let widths = StackedBar.widths(of: amounts, in: StackedBar.width)
    let isEmpty = amounts.allSatisfy { $0 == 0 }
    #expect(widths.reduce(0, +) == (isEmpty ? 0 : StackedBar.width))
    for (amount, width) in zip(amounts, widths) { #expect((amount > 0) == (width > 0)) }
    let bar = StackedBar(amounts.map { ("gather, plan and render", $0) })
    #expect(overlaps(bar.parts.compactMap(\.label)) == [])
    for part in bar.parts {
      guard let label = part.label else { continue }
      #expect(label.box.x.upperBound <= part.x + part.width)
    }
  }

  @Test func `labels of bars are cut where there is no room`() {
    let long = String(repeating: "long", count: 60)
    let chart = BarChart([("png", 10, "10 B"), (long, 0, long), ("css", 5, "5 B")])
    #expect(overlaps(chart.labels) == [])
    #expect(chart.labels.allSatisfy { $0.box.x.upperBound <= BarChart.width })
    #expect(chart.labels.allSatisfy { $0.box.x.lowerBound >= 0 })
    #expect(chart.bars.map(\.width)[1] == 0)
    #expect(chart.bars[0].width / 2 == chart.bars[2].width)
  }

  @Test func `a timeline keeps all time in few columns`() {
    var timeline = Timeline()
    timeline.add(.gather, from: 0, to: 1_500_000)
    #expect(timeline.columnWidth == 1_000_000)
    timeline.add(.render, from: 1_500_000, to: 3_600_000_000_000)
    #expect(timeline.count <= Timeline.limit && timeline.count > Timeline.limit / 2)
    #expect(timeline.busy == 3_600_000_000_000)
    #expect(timeline.busy(.gather) == 1_500_000)
    // Only the last column may be less than full.
    #expect(timeline.segments.allSatisfy { $0.kind == .render })
    #expect(timeline.segments.count <= 2 && timeline.segments.first?.level == 4)
  }

  @Test func `a column shows what took most of it, and how busy it was`() {
    var timeline = Timeline()
    timeline.add(.gather, from: 0, to: 200_000)
    timeline.add(.render, from: 200_000, to: 500_000)
    timeline.add(.publish, from: 2_000_000, to: 3_000_000)
    #expect(timeline.segments.map(\.kind) == [.render, .publish])
    #expect(timeline.segments.map(\.level) == [2, 4])
    #expect(timeline.segments.map(\.columns) == [0..<1, 2..<3])
  }

  @Test func `lanes are taken again when they are free`() {
    var recording = Recording()
    let (first, second) = (recording.takeLane(), recording.takeLane())
    #expect(first == 0 && second == 1)
    recording.leave(lane: first, .render, from: 0, to: 10)
    #expect(recording.takeLane() == first)
    #expect(recording.takeLane() == 2)
  }

  @Test func `the slowest sources are kept, however many there are`() {
    var recording = Recording()
    for number in 0..<20_000 {
      let work = Recording.SourceWork(
        digest: Digest(of: "\(number)"), name: "\(number).png", isFile: true)
      let isSlow = number % 1_000 == 7
      recording.add(work, images: 2, nanoseconds: isSlow ? 1_000_000 + number : number % 1_000)
      recording.add(work, images: 1, nanoseconds: 1)
    }
    let slowest = recording.slowest(20)
    #expect(slowest.map(\.name) == (0..<20).reversed().map { "\($0 * 1_000 + 7).png" })
    #expect(slowest.allSatisfy { $0.images == 3 })
  }

  @Test func `stages that come twice are told once`() {
    var recording = Recording()
    for (number, name) in ["a", "b", "a"].enumerated() {
      recording.startStage(name, at: number * 10)
    }
    let durations = recording.durations(until: 35)
    #expect(durations.map(\.name) == ["a", "b"])
    #expect(durations.map(\.nanoseconds) == [25, 10])
  }

  /// The page stays under 200 KB: the lanes of the busiest machine take most of it.
  @Test func `many lanes of many site images stay small`() {
    var recording = Recording()
    let lanes = (0..<32).map { _ in recording.takeLane() }
    for lane in lanes {
      for column in 0..<Timeline.limit {
        let start = column * 1_000_000
        recording.leave(
          lane: lane, WorkKind.allCases[column % 5], from: start, to: start + 1_000_000)
      }
    }
    let chart = LaneChart(recording, until: Timeline.limit * 1_000_000)
    let bytes = chart.lanes.flatMap(\.paths).reduce(0) { $0 + $1.text.utf8.count }
    #expect(bytes < 100_000 && bytes > 10_000)
  }

  @Test func `figures read well`() {
    #expect(Figures.count(1_234_567) == "1,234,567")
    #expect(Figures.count(-12) == "-12")
    #expect(Figures.count(1, "process", "processes") == "1 process")
    #expect(
      [0, 400, 812_000, 4_861_000, 999_999_999].map(Figures.bytes)
        == ["0 B", "400 B", "812 kB", "4.86 MB", "1 GB"])
    #expect(
      [0, 12_345, 4_000_000, 999_999_999, 2_410_000_000, 59_990_000_000, 185_000_000_000]
        .map(Figures.time) == ["0 s", "0.01 ms", "4 ms", "1 s", "2.41 s", "1 min", "3 min 5 s"])
    #expect(Figures.time(7_800_000_000_000) == "2 h 10 min")
    #expect(Figures.share(1, of: 1_000) == "< 1 %")
    #expect(Figures.share(2, of: 3) == "67 %")
    #expect(Figures.share(0, of: 0) == "0 %")
  }
}

extension ChartLabel {
  /// The room that the text can take.
  fileprivate var box: (x: Range<Int>, y: Range<Int>) {
    let left =
      switch anchor {
      case .start: x
      case .middle: x - (width + 1) / 2
      case .end: x - width
      }
    return (left..<left + width, y - Self.size..<y + 4)
  }

  fileprivate func overlaps(_ other: ChartLabel) -> Bool {
    box.x.overlaps(other.box.x) && box.y.overlaps(other.box.y)
  }
}

extension LaneChart {
  fileprivate var labels: [ChartLabel] {
    lanes.flatMap { [$0.name, $0.share] } + axis.ticks.map(\.label)
  }
}

extension BarChart {
  fileprivate var labels: [ChartLabel] { bars.flatMap { [$0.name, $0.value] } }
}
