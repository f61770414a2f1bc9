package import Build
import Diagnostics
import Gallery
import Mustache

/// `report.html`: what a build did and where its time went, in one file that needs nothing else.
///
/// It has times, so it is never in `output`. templates/README.md lists its values.
package struct ReportPage: Sendable {
  static let templateName = "report"
  /// So many failures are shown.
  private static let failureLimit = 200
  /// So many formats have a bar of their own.
  private static let formatLimit = 12

  /// Every name that the template can use.
  static let vocabulary: Set<String> = [
    "bar", "bars", "bottom", "boundaries", "bytes", "class", "css", "d", "detail", "failures",
    "figures", "files", "formats", "height", "images", "isFile", "isStanding", "isUnpublished",
    "isWarning", "items", "kinds", "label", "labelX", "labelY", "lanes", "left", "meaning", "more",
    "name", "note", "nothing", "number", "parts", "paths", "policy", "reason", "rows", "savings",
    "share", "shareX", "slowest", "stages", "text", "ticks", "time", "title", "total", "users",
    "value", "valueX", "values", "width", "x", "y",
  ]

  let report: Report
  let recording: Recording
  /// When it all ended, in nanoseconds since the recording began.
  let end: Int
  let facts: ReportFacts
  let isUnpublished: Bool

  /// - Parameters:
  ///   - report: What is in `report.json`.
  ///   - recording: What was measured.
  ///   - end: Nanoseconds since the recording began.
  ///   - facts: What is known of the site.
  ///   - isUnpublished: Whether `--strict` kept the site from being published.
  package init(
    _ report: Report, _ recording: Recording, until end: Int, facts: ReportFacts,
    isUnpublished: Bool = false
  ) {
    self.report = report
    self.recording = recording
    self.end = max(end, 1)
    self.facts = facts
    self.isUnpublished = isUnpublished
  }

  init(_ input: ReportPageInput) {
    var facts = ReportFacts()
    if let content = input.content {
      facts = ReportFacts(content, input.recording, files: input.files)
    } else {
      facts.formats = ReportFacts.totals(of: input.files)
    }
    self.init(
      input.report, input.recording, until: input.end, facts: facts,
      isUnpublished: input.isUnpublished)
  }

  func bytes(_ look: PageTemplate) throws -> [UInt8] {
    var values = values
    let (text, policy) = look.inlined
    values["css"] = .trusted(text)
    values["policy"] = .text(policy)
    return try look.fill(with: values)
  }

  var values: Record {
    [
      "title": "Build report",
      "isStanding": .bool(report.standing),
      "isUnpublished": .bool(isUnpublished),
      "total": .text(Figures.time(end)),
      "figures": .list(figures),
      "stages": stages,
      "lanes": lanes,
      "slowest": slowest,
      "formats": formats,
      "savings": savings,
      "failures": failures,
    ]
  }

  // MARK: Figures

  private var figures: [Value] {
    let counters = report.counters
    func figure(_ value: String, _ name: String, _ note: String = "", bad: Bool = false) -> Value {
      [
        "value": .text(value), "name": .text(name), "note": .text(note), "isWarning": .bool(bad),
      ]
    }
    let plain = [
      (report.users.fallback, "a plain colour instead"),
      (report.users.stale, "an earlier picture"), (report.users.skipped, "no picture"),
    ].filter { $0.0 > 0 }.map { "\(Figures.count($0.0)) with \($0.1)" }.joined(separator: ", ")
    var figures = [
      figure(Figures.time(end), "in all"),
      figure(
        Figures.count(report.users.total), report.users.total == 1 ? "user" : "users", plain),
    ]
    if report.users.failed > 0 {
      figures.append(figure(Figures.count(report.users.failed), "failed", bad: true))
    }
    if !report.standing {
      let rate = counters.renders > 0 ? "\(rate) a second" : ""
      figures.append(figure(Figures.count(counters.renders), "images rendered", rate))
      figures.append(figure(Figures.count(counters.cacheHits), "known from before"))
      figures.append(
        figure(
          Figures.count(counters.written), "files written",
          counters.written > 0 ? Figures.bytes(counters.bytesOut) : ""))
    }
    figures.append(figure(Figures.count(counters.unchanged), "files unchanged"))
    if counters.removed > 0 {
      figures.append(figure(Figures.count(counters.removed), "files removed"))
    }
    if !report.standing {
      figures.append(
        figure(
          Figures.count(counters.peakConcurrency), "at once, at most",
          Figures.count(counters.workersStarted, "worker process", "worker processes")))
    }
    return figures
  }

  private var rate: String {
    let rate = Double(report.counters.renders) * 1e9 / Double(end)
    return rate < 10 ? "\((rate * 10).rounded() / 10)" : Figures.count(Int(rate.rounded()))
  }

  // MARK: Failures

  private var failures: Value {
    guard !report.failures.isEmpty else { return .absent }
    let shown = report.failures.prefix(Self.failureLimit)
    let left = report.failures.count - shown.count
    return [
      "total": .text(Figures.count(report.failures.count)),
      "items": .list(
        shown.map {
          [
            "name": .text($0.user.abbreviated.printable), "number": .number($0.source + 1),
            "reason": .text($0.reason), "detail": .text($0.detail.abbreviated.printable),
          ]
        }),
      "more": left > 0 ? .text(Figures.count(left)) : .absent,
    ]
  }

  // MARK: Bytes

  private var formats: Value {
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
    let chart = BarChart(
      shown.map {
        ($0.name, $0.bytes, "\(Figures.bytes($0.bytes)) · \(Figures.count($0.files, "file"))")
      })
    return [
      "width": .number(BarChart.width), "height": .number(chart.height),
      "left": .number(chart.left), "total": .text(Figures.bytes(all)), "bars": bars(of: chart),
      "rows": .list(
        shown.map {
          [
            "name": .text($0.name), "files": .text(Figures.count($0.files)),
            "bytes": .text(Figures.bytes($0.bytes)),
            "share": .text(Figures.share($0.bytes, of: all)),
          ]
        }),
    ]
  }

  func bars(of chart: BarChart) -> Value {
    .list(
      chart.bars.map { bar in
        [
          "y": .number(bar.y), "width": .number(bar.width), "height": .number(BarChart.barHeight),
          "label": .text(bar.name.text), "labelX": .number(bar.name.x),
          "labelY": .number(bar.name.y), "value": .text(bar.value.text),
          "valueX": .number(bar.value.x),
        ]
      })
  }
}

extension String {
  /// As much of a text as a page with many of them has room for.
  var abbreviated: String {
    let limit = 160
    let end = unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex) ?? endIndex
    return end == endIndex ? self : "\(String(unicodeScalars[..<end]))…"
  }
}
