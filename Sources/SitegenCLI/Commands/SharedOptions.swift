package import Build
package import Diagnostics
import Files
import Foundation
import Gallery
import Plan
import Store

extension Option {
  static let manifest = Option(
    "manifest", .text("FILE"), letter: "m", absent: "content/manifest.yaml", in: .common,
    "the manifest (YAML or JSON)")
  static let output = Option(
    "output", .text("DIR"), letter: "o", absent: "output in the site's folder", in: .output,
    "the output folder")
  static let cache = Option(
    "cache", .text("DIR"), absent: ".sitegen in the site's folder", in: .cache, "the cache folder")
  static let templates = Option(
    "templates", .text("DIR"), absent: "templates in the site's folder, else the built-in ones",
    in: .output, "the folder with page templates")
  static let jobs = Option(
    "jobs", .number("N", 1...32), letter: "j", absent: "the number of available cores", in: .limits,
    "number of images to process at the same time")
  static let strict = Option("strict", in: .output, "treat warnings as errors")
  static let dryRun = Option(
    "dry-run", letter: "n", in: .output, "print what the build would do, without writing anything")
  static let adopt = Option(
    "adopt", in: .output, "publish into a folder with other files, overwriting conflicting ones")
  static let allowEmpty = Option("allow-empty", in: .output, "accept a manifest without users")
  static let allowShrink = Option(
    "allow-shrink", in: .output, "publish even if over half of the published people are missing")
  static let offline = Option(
    "offline", in: .network, "use only cached pictures and lists, without fetching")
  static let refresh = Option(
    "refresh", in: .network, "check every URL again, including those that failed before")
  static let noCache = Option(
    "no-cache", in: .cache, "ignore the cache; render and fetch everything again")
  static let timeout = Option(
    "timeout", .number("SECONDS", 1...600), absent: "15", in: .network,
    "time limit for each picture, including redirects and retries")
  static let wait = Option(
    "wait", .number("SECONDS", 1...86_400), in: .limits, "how long to wait for another build to end"
  )
  static let store = Option(
    "store", .text("PATH"), environment: "SITEGEN_STORE", in: .cache,
    "a folder for sharing rendered and fetched images between machines")
  static let storeMode = Option(
    "store-mode", .choice(SharedStore.Mode.allCases.map(\.rawValue)),
    absent: "readwrite with --shard, else read", in: .cache, "read the store, write to it, or both")
  static let quiet = Option("quiet", letter: "q", in: .common, "print only problems, not progress")
  static let memory = Option(
    "memory", .number("MB", 256...1_000_000), absent: "half the machine's memory, up to 2048",
    in: .limits, "total memory limit for the workers; images that need more are omitted")
  static let requireSandbox = Option(
    "require-sandbox", in: .limits, "fail unless workers can be fully sandboxed")
  static let json = Option("json", in: .common, "print a single JSON object instead of text")
}

extension RawArguments {
  var isQuiet: Bool { has(.quiet) || has(.json) }

  /// The number of workers; the default is at most 32, because more do not speed up a build.
  var jobs: Int { number(.jobs) ?? min(Cores.allowed(), 32) }

  /// Returns the build options; options that the command does not support keep their defaults.
  package func buildOptions(_ command: String) throws(Diagnostic) -> BuildOptions {
    let site = try SiteLocation(path: operands.first, manifest: text(.manifest), command: command)
    var options = BuildOptions(jobs: jobs, programs: .own, pages: GalleryMaker())
    options.manifest = site.manifest
    options.manifestText = site.text
    options.people = site.people
    options.output = text(.output) ?? site.folder + options.output
    options.shard = try text(.shard).map { (text) throws(Diagnostic) in
      try Shard(text, ProcessInfo.processInfo.environment, command)
    }
    options.cache =
      text(.cache) ?? site.folder + options.cache
      + (command == "build" ? options.shard.map { "/" + $0.cacheName } ?? "" : "")
    options.templates =
      text(.templates).map { TemplatesFolder($0) }
      ?? TemplatesFolder(site.folder + options.templates.path, isNamed: false)
    options.store = try storeLocation(command, isShard: options.shard != nil)
    options.strict = has(.strict)
    options.fetching.offline = has(.offline)
    options.fetching.refresh = has(.refresh)
    options.fetching.ignoringCache = has(.noCache)
    if let seconds = number(.timeout) { options.fetching.timeout = seconds }
    options.fetching.userAgent = "sitegen/\(Version.current)"
    // OpenSSL uses the same variable.
    let certificates = ProcessInfo.processInfo.environment["SSL_CERT_FILE"] ?? ""
    options.fetching.certificates = certificates.isEmpty ? nil : certificates
    options.dryRun = has(.dryRun)
    options.adopt = has(.adopt)
    options.allowEmpty = has(.allowEmpty)
    options.allowShrink = has(.allowShrink)
    if let megabytes = number(.memory) { options.memory = megabytes << 20 }
    options.requiresSandbox = has(.requireSandbox)
    return options
  }

  func refuse(
    _ option: Option, with others: [Option], _ command: String, help: String = "omit one of them"
  ) throws(Diagnostic) {
    for other in others where has(option) && has(other) {
      throw .usage(
        .badValue, "--\(option.name) and --\(other.name) cannot be used together", command,
        help: help)
    }
  }
}

extension Diagnostic {
  static let nothingPublished = Diagnostic(
    .error, .strict, "nothing was published: with --strict, warnings are errors")
}

extension BuildFailure {
  /// The problems to print; empty if the command was cancelled.
  var problems: Diagnostics {
    var problems = Diagnostics()
    switch self {
    case .usage(let diagnostics): problems = diagnostics
    case .strict(let result): problems = result.diagnostics
    case .machine(let diagnostic), .locked(let diagnostic): problems.add(diagnostic)
    case .cancelled, .superseded: break
    }
    return problems
  }

  var refused: BuildResult? { if case .strict(let result) = self { result } else { nil } }

  func report(to printer: Printer) -> ExitStatus {
    switch self {
    case .cancelled, .superseded: printer.say("stopped; the published site is intact")
    default: printer.problems(problems)
    }
    if refused != nil { printer.problem(.nothingPublished) }
    return ExitStatus(self)
  }
}
