package import Build
package import Diagnostics
import Files
import Foundation
import Gallery
import Plan
import Store

/// Options that several commands take.
extension Option {
  static let manifest = Option(
    "manifest", .text("FILE"), letter: "m", absent: "content/manifest.yaml",
    "the manifest, YAML or JSON")
  static let output = Option(
    "output", .text("DIR"), letter: "o", absent: "output, in the site's folder", "the finished site"
  )
  static let cache = Option(
    "cache", .text("DIR"), absent: ".sitegen, in the site's folder",
    "what was rendered and fetched before")
  static let directory = Option("directory", .text("DIR"), letter: "C", "work in this folder")
  static let jobs = Option(
    "jobs", .number("N", 1...32), letter: "j", absent: "the cores that we may use",
    "pictures worked on at once")
  static let strict = Option(flag: "strict", "every warning is a failure")
  static let allowEmpty = Option(flag: "allow-empty", "a manifest without users is no error")
  static let allowShrink = Option(
    flag: "allow-shrink", "accept that more than half the published people are gone")
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
  static let store = Option(
    "store", .text("PATH"), absent: "SITEGEN_STORE in the environment",
    "a folder that several machines use, with what they have rendered and fetched")
  static let storeMode = Option(
    "store-mode", .choice(SharedStore.Mode.allCases.map(\.rawValue)),
    absent: "readwrite with --shard, else read", "how the store is used")
  static let progress = Option(
    "progress", .choice(ProgressMeter.Style.allCases.map(\.rawValue)), absent: "auto",
    "auto: a bar on a terminal, else nothing; plain: a line now and then")
  static let quiet = Option(flag: "quiet", letter: "q", "print problems only")
  static let memory = Option(
    "memory", .number("MB", 256...1_000_000), absent: "half of the machine's, 2048 at most",
    "for all pictures that are worked on at once; larger ones are left out")
  static let requireJail = Option(
    flag: "require-jail",
    "fail unless the processes that decode and fetch are fully sandboxed")
  static let verbose = Option(flag: "verbose", letter: "v", "print every figure too")
  static let json = Option(flag: "json", "print one JSON object at the end, and no other line")
}

extension RawArguments {
  var volume: Printer.Volume {
    has(.quiet) || has(.json) ? .quiet : has(.verbose) ? .verbose : .normal
  }

  /// `--quiet` turns progress off, unless `--progress` is given.
  var progressStyle: ProgressMeter.Style {
    text(.progress).flatMap(ProgressMeter.Style.init) ?? (has(.quiet) ? .none : .auto)
  }

  /// More than 32 workers are no faster, so that is the most by default.
  var jobs: Int { number(.jobs) ?? min(Cores.allowed(), 32) }

  /// Options that a command does not take keep their defaults.
  package func buildOptions(_ command: String) throws(Diagnostic) -> BuildOptions {
    let site = try SiteLocation(
      path: operands.first, manifest: text(.manifest), command: command)
    var options = BuildOptions(jobs: jobs, programs: Engine.programs, pages: .gallery)
    options.manifest = site.manifest
    options.manifestText = site.text
    options.output = text(.output) ?? site.folder + options.output
    options.shard = try text(.shard).map { (text) throws(Diagnostic) in
      try Shard(text, ProcessInfo.processInfo.environment, command)
    }
    options.cache =
      text(.cache) ?? site.folder + options.cache
      + (options.shard.map { "/" + $0.cacheName } ?? "")
    options.templates =
      text(.templates).map { TemplatesFolder($0) }
      ?? TemplatesFolder(site.folder + options.templates.path, isNamed: false)
    options.store = try storeLocation(command, isShard: options.shard != nil)
    options.strict = has(.strict)
    options.force = has(.force) || has(.noCache)
    options.fetching = fetching
    options.dryRun = has(.dryRun)
    options.adopt = has(.adopt)
    options.allowEmpty = has(.allowEmpty)
    options.allowShrink = has(.allowShrink)
    options.report = text(.report)
    options.metrics = text(.metrics)
    if let megabytes = number(.memory) { options.memory = megabytes << 20 }
    options.requiresJail = has(.requireJail)
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
  /// What `--json` tells of it; nothing where somebody stopped it.
  var allProblems: [Diagnostic] {
    switch self {
    case .usage(let diagnostics): diagnostics.sorted
    case .strict(let result): result.diagnostics.sorted
    case .machine(let diagnostic), .locked(let diagnostic): [diagnostic]
    case .cancelled, .superseded: []
    }
  }

  /// Prints the failure; returns how the program ends.
  func report(to printer: Printer) -> ExitStatus {
    switch self {
    case .usage(let diagnostics):
      printer.problems(diagnostics)
    case .strict(let result):
      printer.problems(result.diagnostics)
      printer.problem(.nothingPublished)
    case .machine(let diagnostic), .locked(let diagnostic): printer.problem(diagnostic)
    case .cancelled, .superseded:
      printer.say("stopped; the site is whole")
    }
    return ExitStatus(self)
  }
}
