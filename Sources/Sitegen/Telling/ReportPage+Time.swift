import Diagnostics
import Mustache

// What took the time: stages, lanes, slow sources.
extension ReportPage {
  /// Classes repeat when a build should ever have more stages than colours.
  private static let stageClasses = 5

  var stages: Value {
    let stages = recording.durations(until: end)
    guard !stages.isEmpty else { return .absent }
    let bar = StackedBar(stages.map { ($0.name, $0.nanoseconds) })
    let whole = stages.reduce(0) { $0 + $1.nanoseconds }
    func name(_ number: Int) -> Value { .text("stage-\(number % Self.stageClasses + 1)") }
    return [
      "width": .number(StackedBar.width), "height": .number(StackedBar.height),
      "parts": .list(
        bar.parts.enumerated().map { number, part in
          var value: Record = [
            "class": name(number), "x": .number(part.x), "width": .number(part.width),
            "height": .number(StackedBar.height),
          ]
          if let label = part.label {
            value["label"] = [
              "text": .text(label.text), "x": .number(label.x), "y": .number(label.y),
            ]
          } else {
            value["label"] = .absent
          }
          return .record(value)
        }),
      "rows": .list(
        stages.enumerated().map { number, stage in
          [
            "class": name(number), "name": .text(stage.name),
            "time": .text(Figures.time(stage.nanoseconds)),
            "share": .text(Figures.share(stage.nanoseconds, of: whole)),
          ]
        }),
    ]
  }

  var lanes: Value {
    guard recording.lanes.contains(where: { $0.busy > 0 }) else { return .absent }
    let chart = LaneChart(recording, until: end)
    let kinds = WorkKind.allCases.filter { kind in
      recording.lanes.contains { $0.busy(kind) > 0 }
    }
    return [
      "width": .number(LaneChart.width), "height": .number(chart.height),
      "bottom": .number(chart.bottom),
      "number": .number(chart.lanes.count),
      "ticks": .list(
        chart.axis.ticks.map {
          ["x": .number($0.label.x), "labelY": .number($0.label.y), "text": .text($0.label.text)]
        }),
      "boundaries": .list(chart.boundaries.map { ["x": .number($0)] }),
      "items": .list(chart.lanes.map(value)),
      "kinds": .list(
        kinds.map { kind in
          let total = recording.lanes.reduce(0) { $0 + $1.busy(kind) }
          return [
            "class": .text(Self.name(of: kind)), "name": .text(kind.name),
            "meaning": .text(kind.meaning), "time": .text(Figures.time(total)),
          ]
        }),
      "rows": .list(
        recording.lanes.enumerated().map { number, lane in
          [
            "number": .number(number + 1),
            "values": .list(kinds.map { ["text": .text(Figures.time(lane.busy($0)))] }),
            "share": .text(Figures.share(min(lane.busy, end), of: end)),
          ]
        }),
    ]
  }

  private func value(_ lane: LaneChart.Lane) -> Value {
    [
      "y": .number(lane.y), "height": .number(LaneChart.laneHeight),
      "name": .text(lane.name.text), "labelX": .number(lane.name.x),
      "labelY": .number(lane.name.y), "share": .text(lane.share.text),
      "shareX": .number(lane.share.x),
      "paths": .list(
        lane.paths.map { ["class": .text(Self.name(of: $0.kind)), "d": .text($0.text)] }),
    ]
  }

  private static func name(of kind: WorkKind) -> String {
    switch kind {
    case .lookUp: "kind-look-up"
    case .gather: "kind-gather"
    case .render: "kind-render"
    case .assemble: "kind-assemble"
    case .publish: "kind-publish"
    }
  }

  var slowest: Value {
    guard !facts.slowest.isEmpty else { return .absent }
    let largest = facts.slowest.map(\.work.nanoseconds).max() ?? 0
    return [
      "items": .list(
        facts.slowest.map { source in
          let users = source.users.map(\.abbreviated.printable).joined(separator: ", ")
          let more = source.userCount - source.users.count
          return [
            "name": .text(source.work.name.abbreviated.printable),
            "isFile": .bool(source.work.isFile),
            "users": .text(users), "more": more > 0 ? .text(Figures.count(more)) : .absent,
            "images": .text(Figures.count(source.work.images)),
            "bytes": .text(source.bytes.map { Figures.bytes(Int($0)) } ?? ""),
            "time": .text(Figures.time(source.work.nanoseconds)),
            "width": 160,
            "bar": .number(
              max(ChartAxis.scaled(source.work.nanoseconds, max(largest, 1), 160), 1)),
          ]
        })
    ]
  }

  // MARK: What was made once

  var savings: Value {
    guard let savings = facts.savings, savings.users > 0 else { return .absent }
    func row(_ saved: Int, _ bytes: Int?, _ name: String, _ meaning: String) -> Value {
      [
        "value": .text(Figures.count(max(saved, 0))), "name": .text(name),
        "bytes": .text(bytes.map { $0 > 0 ? Figures.bytes($0) : "" } ?? ""),
        "meaning": .text(meaning),
      ]
    }
    let chart = BarChart([
      (
        "each user its own", savings.wantedBytes,
        "\(Figures.bytes(savings.wantedBytes)) · \(Figures.count(savings.wanted, "image"))"
      ),
      (
        "as published", savings.imageBytes,
        "\(Figures.bytes(savings.imageBytes)) · \(Figures.count(savings.images, "image"))"
      ),
    ])
    let saved = savings.wantedBytes - savings.imageBytes
    return [
      "width": .number(BarChart.width), "height": .number(chart.height),
      "left": .number(chart.left), "bars": bars(of: chart),
      "total": .text(Figures.bytes(saved)),
      "share": .text(Figures.share(saved, of: savings.wantedBytes)),
      "nothing": .bool(saved <= 0),
      "items": .list([
        row(
          savings.users - savings.names, nil, "names used again",
          "users who name the very file, colour or initials that another user names"),
        row(
          savings.names - savings.sources, nil, "equal sources",
          "names with the bytes of another one: read and hashed, but decoded only once"),
        row(
          savings.wanted - savings.renders, savings.wantedBytes - savings.renderBytes,
          "equal renders",
          "images of users that are the same source in the same look as another's: asked for once"),
        row(
          savings.renders - savings.images, savings.renderBytes - savings.imageBytes,
          "equal bytes",
          "images that came out as bytes which were there already: kept and published once"),
        row(
          report.counters.cacheHits, nil, "known from before",
          "images whose render key the index knew from an earlier build: not rendered again"),
      ]),
    ]
  }
}
