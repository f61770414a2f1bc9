import Documents
import Files
import Foundation
import Store

/// What one build leaves for the next: the report, and the list of stamps that proves that there
/// is nothing to do.
struct BuildMemory {
  let standing: Standing?
  private let place: Workplace
  private let identity: Digest

  static let reportName = "report.json"

  init(_ place: Workplace) {
    self.place = place
    identity = Self.identity(of: place.options)
    standing = place.options.force ? nil : Standing(in: place.cache, identity: identity)
  }

  /// The last result once more, if every file is as it was.
  func standingResult(_ clock: StageClock) throws -> BuildResult? {
    guard let standing, !place.options.dryRun,
      let root = try? Folder(opening: "/"),
      standing.holds(
        manifestFolder: place.manifestFolder, output: place.output, root: root,
        queue: place.queue),
      let verdict = try? JSONDecoder().decode(Verdict.self, from: Data(standing.verdict))
    else { return nil }
    var report = Report()
    report.standing = true
    report.seconds = clock.seconds
    report.users = verdict.users
    report.failures = verdict.failures
    // The ledger is among the outputs and in no count.
    report.counters.unchanged = standing.outputs.stamps.count - 1
    report.counters.skipped = verdict.users.skipped
    report.counters.failed = verdict.users.failed
    var diagnostics = Diagnostics()
    for diagnostic in verdict.diagnostics { diagnostics.add(diagnostic.value) }
    let result = BuildResult(report: report, diagnostics: diagnostics)
    try write(report)
    return result
  }

  /// Writes the report and, when it would be right, the list of stamps.
  func remember(
    _ result: BuildResult, studio: Studio, ledger: Ledger, inputs: Inputs
  ) throws {
    try write(result.report)
    guard !studio.hasTransientFailures, inputs.areTrustworthy,
      let sources = sources(of: studio), let outputs = outputs(of: ledger)
    else {
      try place.cache.remove(Standing.fileName)
      return
    }
    let verdict = Verdict(
      users: result.report.users, failures: result.report.failures,
      diagnostics: result.diagnostics.sorted.map(DiagnosticRecord.init))
    try Standing(
      identity: identity, inputs: inputs.stamped, sources: sources, outputs: outputs,
      verdict: Array(JSONEncoder().encode(verdict))
    ).write(in: place.cache)
  }

  /// Writes only the report: the list of stamps is that of the site that stands.
  func tell(_ result: BuildResult) throws -> BuildResult {
    try write(result.report)
    return result
  }

  private func write(_ report: Report) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let bytes = [UInt8](try encoder.encode(report)) + [UInt8(ascii: "\n")]
    try place.cache.write(bytes, to: Self.reportName)
    if let path = place.options.report { try place.write(bytes, to: path) }
  }

  private func sources(of studio: Studio) -> Standing.Stamped? {
    guard studio.content.sources.stampsAreTrustworthy else { return nil }
    var stamped = Standing.Stamped()
    let stamps = studio.content.sources.stamps
    let paths = stamps.keys.compactMap { kind in
      if case .file(let path) = kind { path } else { nil }
    }
    for path in paths.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      stamped.append(path, stamps[.file(path)] ?? nil)
    }
    return stamped
  }

  /// Nil when a stamp would prove nothing.
  private func outputs(of ledger: Ledger) -> Standing.Stamped? {
    var stamped = Standing.Stamped()
    for entry in ledger.entries { stamped.paths.append(entry.path) }
    stamped.paths.append(Ledger.fileName)
    let moment = FileStamp.now()
    var trustworthy = true
    place.queue.map(Chunks(of: 0..<stamped.paths.count, size: 8192)) {
      [paths = stamped.paths] range in
      var stamps: [FileStamp] = []
      place.output.sweep(paths, range, followingLinks: false) { _, stamp in
        stamps.append(stamp ?? Standing.Stamped.absent)
      }
      return stamps
    } receive: { _, result in
      let stamps = (try? result.get()) ?? []
      trustworthy = trustworthy && stamps.allSatisfy { $0.isTrustworthy(takenAt: moment) }
      stamped.stamps += stamps
    }
    return trustworthy && stamped.stamps.count == stamped.paths.count ? stamped : nil
  }

  /// Of everything that was typed and decides the outcome; the files are known by their stamps.
  private static func identity(of options: BuildOptions) -> Digest {
    var words = ["sitegen", Inputs.fromRoot(options.manifest), Inputs.fromRoot(options.output)]
    words.append(options.templates.map(Inputs.fromRoot) ?? Inputs.fromRoot("templates") + "?")
    words += ["\(options.strict)", "\(options.allowEmpty)", Inputs.fromRoot(options.workerProgram)]
    return Digest(of: Array(words.joined(separator: "\0").utf8))
  }
}

/// The outcome of a build as it is told again.
private struct Verdict: Codable {
  var users: Report.UserCounts
  var failures: [Report.Failure]
  var diagnostics: [DiagnosticRecord]
}

/// A diagnostic as it is kept in a file.
private struct DiagnosticRecord: Codable {
  var severity: String
  var id: String
  var message: String
  var file: String?
  var line: Int?
  var column: Int?
  var path: String?
  var note: String?
  var help: String?

  init(_ diagnostic: Diagnostic) {
    severity = diagnostic.severity.rawValue
    id = diagnostic.id
    message = diagnostic.message
    file = diagnostic.place?.file
    line = diagnostic.place?.position?.line
    column = diagnostic.place?.position?.column
    path = diagnostic.path
    note = diagnostic.note
    help = diagnostic.help
  }

  var value: Diagnostic {
    var place = file.map { Place(file: $0) }
    if let line, let column { place?.position = Position(line: line, column: column) }
    return Diagnostic(
      Diagnostic.Severity(rawValue: severity) ?? .error, id, message, at: place, path: path,
      note: note, help: help)
  }
}
