package import Build
import Diagnostics
import Files
import Foundation
import Gallery
import Report

/// Options that several commands take.
extension Option {
  static let manifest = Option(
    "manifest", .text("FILE"), absent: "content/manifest.yaml", "the manifest, YAML or JSON")
  static let output = Option("output", .text("DIR"), absent: "output", "the finished site")
  static let cache = Option(
    "cache", .text("DIR"), absent: ".sitegen",
    "what was rendered and fetched before")
  static let jobs = Option(
    "jobs", .number("N", 1...32), absent: "the cores that we may use",
    "pictures worked on at once")
  static let strict = Option(flag: "strict", "every warning is a failure")
  static let allowEmpty = Option(flag: "allow-empty", "a manifest without users is no error")
  static let offline = Option(flag: "offline", "fetch nothing, and use what was fetched before")
  static let refresh = Option(
    flag: "refresh", "ask for every fetched picture again, whether it has changed")
  static let noCache = Option(
    flag: "no-cache", "fetch and render everything again, as if the cache were empty")
  static let retryFailed = Option(
    flag: "retry-failed", "ask again for pictures that are known not to be there")
  static let timeout = Option(
    "timeout", .number("SECONDS", 1...600), absent: "15",
    "for one fetched picture, with redirects and retries")
  static let progress = Option(
    "progress", .choice(ProgressMeter.Style.allCases.map(\.rawValue)), absent: "auto",
    "auto: a bar on a terminal, else nothing; plain: a line now and then")
  static let quiet = Option(flag: "quiet", "print problems only")
  static let requireJail = Option(
    flag: "require-jail", "build nothing where the kernel cannot close workers in wholly")
  static let verbose = Option(flag: "verbose", "print every figure too")
}

extension RawArguments {
  var volume: Printer.Volume {
    has(.quiet) ? .quiet : has(.verbose) ? .verbose : .normal
  }

  /// `--quiet` turns progress off, unless `--progress` is given.
  var progressStyle: ProgressMeter.Style {
    text(.progress).flatMap(ProgressMeter.Style.init) ?? (has(.quiet) ? .none : .auto)
  }

  /// More than 32 workers are no faster, so that is the most by default.
  var jobs: Int { number(.jobs) ?? min(Cores.allowed(), 32) }

  /// Options that a command does not take keep their defaults.
  package var buildOptions: BuildOptions {
    var options = BuildOptions(jobs: jobs, workerProgram: Engine.program, pages: .gallery)
    if let manifest = text(.manifest) { options.manifest = manifest }
    if let output = text(.output) { options.output = output }
    if let cache = text(.cache) { options.cache = cache }
    options.templates = text(.templates)
    options.strict = has(.strict)
    options.force = has(.force) || has(.noCache)
    options.fetching = fetching
    options.dryRun = has(.dryRun)
    options.adopt = has(.adopt)
    options.allowEmpty = has(.allowEmpty)
    options.report = text(.report)
    options.requiresJail = has(.requireJail)
    options.reportPage = has(.reportPage) ? .standard : nil
    return options
  }
}

extension RawArguments {
  /// Refuses options that need the network together with `--offline`.
  func checkNetwork(_ command: String) throws(Diagnostic) {
    for option in [Option.refresh, .noCache, .retryFailed] where has(.offline) && has(option) {
      throw .usage(
        .badValue, "--offline and --\(option.name) together make no sense", command,
        help: "leave one of them out")
    }
  }

  private var fetching: FetchingOptions {
    var fetching = FetchingOptions()
    fetching.offline = has(.offline)
    fetching.refresh = has(.refresh)
    fetching.afresh = has(.noCache)
    fetching.retriesFailed = has(.retryFailed)
    if let seconds = number(.timeout) { fetching.timeout = seconds }
    fetching.userAgent = "sitegen/\(Version.current)"
    // OpenSSL reads this variable, too.
    let path = ProcessInfo.processInfo.environment["SSL_CERT_FILE"] ?? ""
    fetching.certificates = path.isEmpty ? nil : path
    return fetching
  }
}

extension Diagnostic {
  static let nothingPublished = Diagnostic(
    .error, .strict,
    "nothing was published: with --strict every warning is a failure")
}

extension BuildFailure {
  /// Prints the failure; returns how the program ends.
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
