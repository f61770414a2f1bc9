import Files
package import Sitegen

/// Options that several commands take.
extension Option {
  static let manifest = Option(
    "manifest", .text("FILE"), absent: "content/manifest.yaml", "the manifest, YAML or JSON")
  static let output = Option("output", .text("DIR"), absent: "output", "the finished site")
  static let cache = Option(
    "cache", .text("DIR"), absent: ".sitegen",
    "what was rendered before; deleting it only costs time")
  static let jobs = Option(
    "jobs", .number("N", 1...32), absent: "the cores that we may use",
    "pictures worked on at once")
  static let strict = Option(flag: "strict", "every warning is a failure")
  static let allowEmpty = Option(flag: "allow-empty", "a manifest without users is no error")
  static let progress = Option(
    "progress", .choice(ProgressMeter.Style.allCases.map(\.rawValue)), absent: "auto",
    "auto: a bar on a terminal, else nothing; plain: a line now and then")
  static let quiet = Option(flag: "quiet", "print problems only")
  static let verbose = Option(flag: "verbose", "print every figure too")
}

extension RawArguments {
  var volume: Printer.Volume {
    has(.quiet) ? .quiet : has(.verbose) ? .verbose : .normal
  }

  /// Quiet means no progress either, unless it was asked for by name.
  var progressStyle: ProgressMeter.Style {
    text(.progress).flatMap(ProgressMeter.Style.init) ?? (has(.quiet) ? .none : .auto)
  }

  /// More workers than this serve nobody, so a machine with more cores gets no more by default.
  var jobs: Int { number(.jobs) ?? min(Cores.allowed(), 32) }

  /// The same words for every command that takes them.
  package var buildOptions: BuildOptions {
    var options = BuildOptions(jobs: jobs, workerProgram: Engine.program)
    if let manifest = text(.manifest) { options.manifest = manifest }
    if let output = text(.output) { options.output = output }
    if let cache = text(.cache) { options.cache = cache }
    options.templates = text(.templates)
    options.strict = has(.strict)
    options.force = has(.force)
    options.dryRun = has(.dryRun)
    options.adopt = has(.adopt)
    options.allowEmpty = has(.allowEmpty)
    options.report = text(.report)
    options.reportPage = has(.reportPage)
    return options
  }
}

extension Diagnostic {
  static let nothingPublished = Diagnostic(
    .error, CommandLineID.strict.rawValue,
    "nothing was published: with --strict every warning is a failure")
}

extension BuildFailure {
  /// Tells the user, and says how the program ends.
  func report(to printer: Printer) -> ExitStatus {
    switch self {
    case .usage(let diagnostics):
      printer.problems(diagnostics)
    case .strict(let result):
      printer.problems(result.diagnostics)
      printer.problem(.nothingPublished)
    case .machine(let diagnostic), .locked(let diagnostic):
      printer.problem(diagnostic)
    case .cancelled, .superseded:
      printer.say("stopped; the site is whole")
    }
    return ExitStatus(self)
  }
}
