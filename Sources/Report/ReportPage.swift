package import Build
import Diagnostics
import Gallery
import Mustache

extension ReportPageMaker {
  /// The page of `report.mustache`.
  package static let standard = ReportPageMaker { templates in
    let template = try PageTemplate(
      ReportPage.templateName, in: templates, vocabulary: ReportPage.vocabulary)
    return Prepared(warnings: template.warnings) { try ReportPage($0).bytes(template) }
  }
}

/// `report.html`: what a build did and where its time went, in one file that needs nothing else.
///
/// It has times, so it is never in `output`. templates/README.md lists its values.
struct ReportPage: Sendable {
  static let templateName = "report"
  /// Failures on the page.
  private static let failureLimit = 200

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
  /// The end of the build, in nanoseconds since the recording began.
  let end: Int
  let facts: ReportFacts
  private let isUnpublished: Bool

  init(_ input: ReportPageInput) {
    report = input.report
    recording = input.recording
    end = max(input.end, 1)
    facts = ReportFacts(input.content, input.recording, files: input.files)
    isUnpublished = input.isUnpublished
  }

  func bytes(_ template: PageTemplate) throws -> [UInt8] {
    let (text, policy) = template.inlined
    return try template.fill(with: [
      "title": "Build report",
      "css": .trusted(text),
      "policy": .text(policy),
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
    ])
  }

  // MARK: Figures

  private var figures: [Value] {
    let counters = report.counters
    func figure(_ value: String, _ name: String, _ note: String = "", bad: Bool = false) -> Value {
      [
        "value": .text(value), "name": .text(name), "note": .text(note), "isWarning": .bool(bad),
      ]
    }
    let others = [
      (report.users.fallback, "a plain colour instead"),
      (report.users.stale, "an earlier picture"), (report.users.skipped, "no picture"),
    ].filter { $0.0 > 0 }.map { "\(Figures.count($0.0)) with \($0.1)" }.joined(separator: ", ")
    let written = counters.written > 0 ? Figures.bytes(counters.bytesOut) : ""
    let workers = Figures.count(counters.workersStarted, "worker process", "worker processes")
    let isBuilt = !report.standing
    let figures: [(isShown: Bool, figure: Value)] = [
      (true, figure(Figures.time(end), "in all")),
      (
        true,
        figure(
          Figures.count(report.users.total), report.users.total == 1 ? "user" : "users", others)
      ),
      (report.users.failed > 0, figure(Figures.count(report.users.failed), "failed", bad: true)),
      (isBuilt, figure(Figures.count(counters.renders), "images rendered", rate)),
      (isBuilt, figure(Figures.count(counters.cacheHits), "known from before")),
      (isBuilt, figure(Figures.count(counters.written), "files written", written)),
      (true, figure(Figures.count(counters.unchanged), "files unchanged")),
      (counters.removed > 0, figure(Figures.count(counters.removed), "files removed")),
      (isBuilt, figure(Figures.count(counters.peakConcurrency), "at once, at most", workers)),
    ]
    return figures.filter(\.isShown).map(\.figure)
  }

  private var rate: String {
    guard report.counters.renders > 0 else { return "" }
    let rate = Double(report.counters.renders) * 1e9 / Double(end)
    let text = rate < 10 ? "\((rate * 10).rounded() / 10)" : Figures.count(Int(rate.rounded()))
    return "\(text) a second"
  }

  // MARK: Lists

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

  private var slowest: Value {
    guard !facts.slowest.isEmpty else { return .absent }
    let largest = max(facts.slowest.map(\.work.nanoseconds).max() ?? 0, 1)
    let width = 160
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
            "width": .number(width),
            "bar": .number(max(ChartAxis.scaled(source.work.nanoseconds, largest, width), 1)),
          ]
        })
    ]
  }
}

extension String {
  /// The beginning of a long text, since a page has many of them.
  fileprivate var abbreviated: String {
    let limit = 160
    let end = unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex) ?? endIndex
    return end == endIndex ? self : "\(String(unicodeScalars[..<end]))…"
  }
}
