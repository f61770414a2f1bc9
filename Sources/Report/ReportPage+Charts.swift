import Build
import Gallery
import Mustache

extension ReportPage {
  /// Classes repeat if a build ever has more stages than colours.
  private static let stageClasses = 5
  /// Formats with a bar of their own.
  private static let formatLimit = 12

  // MARK: Time

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
          [
            "class": name(number), "x": .number(part.x), "width": .number(part.width),
            "height": .number(StackedBar.height),
            "label": part.label.map {
              ["text": .text($0.text), "x": .number($0.x), "y": .number($0.y)]
            } ?? .absent,
          ]
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
    func name(_ kind: WorkKind) -> Value { .text("kind-\(kind.name.replacing(" ", with: "-"))") }
    return [
      "width": .number(LaneChart.width), "height": .number(chart.height),
      "bottom": .number(chart.bottom),
      "number": .number(chart.lanes.count),
      "ticks": .list(
        chart.axis.ticks.map {
          ["x": .number($0.label.x), "labelY": .number($0.label.y), "text": .text($0.label.text)]
        }),
      "boundaries": .list(chart.boundaries.map { ["x": .number($0)] }),
      "items": .list(
        chart.lanes.map { lane in
          [
            "y": .number(lane.y), "height": .number(LaneChart.laneHeight),
            "name": .text(lane.name.text), "labelX": .number(lane.name.x),
            "labelY": .number(lane.name.y), "share": .text(lane.share.text),
            "shareX": .number(lane.share.x),
            "paths": .list(lane.paths.map { ["class": name($0.kind), "d": .text($0.text)] }),
          ]
        }),
      "kinds": .list(
        kinds.map { kind in
          let total = recording.lanes.reduce(0) { $0 + $1.busy(kind) }
          return [
            "class": name(kind), "name": .text(kind.name),
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

  // MARK: Bytes

  var formats: Value {
    guard !facts.formats.isEmpty else { return .absent }
    var shown = facts.formats
    if shown.count > Self.formatLimit {
      let rest = shown[(Self.formatLimit - 1)...]
      let sum = ReportFacts.FormatTotal(
        name: "all others", files: rest.reduce(0) { $0 + $1.files },
        bytes: rest.reduce(0) { $0 + $1.bytes })
      shown = shown.prefix(Self.formatLimit - 1) + [sum]
    }
    let all = shown.reduce(0) { $0 + $1.bytes }
    var values = Self.values(
      of: BarChart(
        shown.map {
          ($0.name, $0.bytes, "\(Figures.bytes($0.bytes)) · \(Figures.count($0.files, "file"))")
        }))
    values["total"] = .text(Figures.bytes(all))
    values["rows"] = .list(
      shown.map {
        [
          "name": .text($0.name), "files": .text(Figures.count($0.files)),
          "bytes": .text(Figures.bytes($0.bytes)),
          "share": .text(Figures.share($0.bytes, of: all)),
        ]
      })
    return .record(values)
  }

  /// What was made once although several users want it.
  var savings: Value {
    guard let savings = facts.savings, savings.users > 0 else { return .absent }
    func row(_ saved: Int, _ bytes: Int?, _ name: String, _ meaning: String) -> Value {
      [
        "value": .text(Figures.count(max(saved, 0))), "name": .text(name),
        "bytes": .text(bytes.map { $0 > 0 ? Figures.bytes($0) : "" } ?? ""),
        "meaning": .text(meaning),
      ]
    }
    func bar(_ name: String, _ sum: ReportFacts.Sum) -> (String, Int, String) {
      (name, sum.bytes, "\(Figures.bytes(sum.bytes)) · \(Figures.count(sum.count, "image"))")
    }
    let (wanted, renders, images) = (savings.wanted, savings.renders, savings.images)
    let saved = wanted.bytes - images.bytes
    var values = Self.values(
      of: BarChart([bar("each user its own", wanted), bar("as published", images)]))
    values["total"] = .text(Figures.bytes(saved))
    values["share"] = .text(Figures.share(saved, of: wanted.bytes))
    values["nothing"] = .bool(saved <= 0)
    values["items"] = [
      row(
        savings.users - savings.names, nil, "names used again",
        "users who name the very file, colour or initials that another user names"),
      row(
        savings.names - savings.sources, nil, "equal sources",
        "names with the bytes of another one: read and hashed, but decoded only once"),
      row(
        wanted.count - renders.count, wanted.bytes - renders.bytes, "equal renders",
        "images of users that are the same source in the same look as another's: asked for once"),
      row(
        renders.count - images.count, renders.bytes - images.bytes, "equal bytes",
        "images that came out as bytes which were there already: kept and published once"),
      row(
        report.counters.cacheHits, nil, "known from before",
        "images whose render key the index knew from an earlier build: not rendered again"),
    ]
    return .record(values)
  }

  private static func values(of chart: BarChart) -> Record {
    [
      "width": .number(BarChart.width), "height": .number(chart.height),
      "left": .number(chart.left),
      "bars": .list(
        chart.bars.map { bar in
          [
            "y": .number(bar.y), "width": .number(bar.width), "height": .number(BarChart.barHeight),
            "label": .text(bar.name.text), "labelX": .number(bar.name.x),
            "labelY": .number(bar.name.y), "value": .text(bar.value.text),
            "valueX": .number(bar.value.x),
          ]
        }),
    ]
  }
}
