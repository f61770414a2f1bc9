package import Build
import Gallery

/// The lanes of the queue over time; a taller rectangle is a busier part of a lane.
package struct LaneChart: Sendable, Hashable {
  package struct Lane: Sendable, Hashable {
    package var y: Int
    package var name: ChartLabel
    package var share: ChartLabel
    /// One for each kind of work.
    package var paths: [Path]
  }

  /// All rectangles of one kind.
  package struct Path: Sendable, Hashable {
    package var kind: WorkKind
    package var rectangles: [Rectangle]

    /// For the attribute `d`.
    package var text: String {
      rectangles.map { "M\($0.x) \($0.y)h\($0.width)v\($0.height)h-\($0.width)z" }.joined()
    }
  }

  package struct Rectangle: Sendable, Hashable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int
  }

  package static let width = 960
  package static let laneHeight = 20
  private static let step = 28
  private static let left = 44
  private static let right = 76

  package let height: Int
  package let lanes: [Lane]
  package let axis: ChartAxis
  /// The x coordinates of the beginnings of stages, without the first.
  package let boundaries: [Int]
  /// The y coordinate of the axis.
  package let bottom: Int

  package init(_ recording: Recording, until end: Int) {
    let length = Self.width - Self.left - Self.right
    bottom = recording.lanes.count * Self.step + 4
    height = bottom + 26
    let axis = ChartAxis(
      timeUpTo: end, from: Self.left, length: length, labelsAt: bottom + 20)
    self.axis = axis
    boundaries = recording.stages.dropFirst().map { axis.position(of: $0.start) }
    let count = recording.lanes.count
    lanes = recording.lanes.enumerated().map { number, timeline in
      var timeline = timeline
      // Fewer rectangles a lane keep a page with many lanes small.
      var limit = Timeline.limit
      while limit * count > 4800, limit > 32 {
        timeline.fold()
        limit /= 2
      }
      let y = number * Self.step + 4
      return Lane(
        y: y, name: ChartLabel("\(number + 1)", x: Self.left - 12, y: y + 15, anchor: .end),
        share: ChartLabel(
          Figures.share(min(timeline.busy, end), of: end), x: Self.width - 4, y: y + 15,
          anchor: .end),
        paths: Self.paths(of: timeline, y: y, axis))
    }
  }

  private static func paths(of timeline: Timeline, y: Int, _ axis: ChartAxis) -> [Path] {
    var rectangles: [WorkKind: [Rectangle]] = [:]
    for segment in timeline.segments {
      let x = axis.position(of: segment.columns.lowerBound * timeline.columnWidth)
      let end = axis.position(of: segment.columns.upperBound * timeline.columnWidth)
      let height = laneHeight * segment.level / 4
      rectangles[segment.kind, default: []].append(
        Rectangle(x: x, y: y + laneHeight - height, width: max(end - x, 1), height: height))
    }
    return WorkKind.allCases.compactMap { kind in
      rectangles[kind].map { Path(kind: kind, rectangles: $0) }
    }
  }
}
