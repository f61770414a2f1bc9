import Build
import Diagnostics
import Dispatch
import Foundation

extension Option {
  static let templates = Option(
    "templates", .text("DIR"), absent: "templates in the site's folder, else those built in",
    "the look of the pages")
  static let force = Option(flag: "force", "render everything again")
  static let dryRun = Option(
    flag: "dry-run", letter: "n", "say what would be done, and write nothing")
  static let adopt = Option(
    flag: "adopt", "publish among files that are not ours, and replace them")
  static let report = Option("report", .text("FILE"), "write the report there too, as JSON")
  static let watch = Option(
    flag: "watch", "build again whenever a file changes, until Ctrl-C")
  static let newProblems = Option(
    flag: "new-problems", "print what is wrong since the last such build only, and what has healed")
  static let metrics = Option(
    "metrics", .text("FILE"), "write figures there for Prometheus' node_exporter")
  static let wait = Option(
    "wait", .number("SECONDS", 1...86_400), "for another build that holds the site")
}

extension Command {
  static let build: Command = Command(
    "build", "Render what is new, and publish the gallery", operands: [.site],
    options: [
      .directory, .manifest, .output, .cache, .templates, .watch, .every, .jobs, .strict, .force,
      .dryRun, .adopt, .allowEmpty, .allowShrink, .offline, .refresh, .noCache, .retryFailed,
      .timeout, .wait, .store, .storeMode, .shard,
      .report, .metrics, .json, .newProblems, .memory, .requireJail, .progress,
      .quiet, .verbose,
    ],
    notes: [
      "Of an option given twice the last one counts. `--name=value` and `--name value` are the "
        + "same; a value that begins with a dash needs the first.",
      "Ctrl-C stops after the pictures at hand; the old site stays whole.",
    ]
  ) { (arguments, session) throws(Diagnostic) in
    try arguments.checkNetwork("build")
    let options = try arguments.buildOptions("build")
    for option in [Option.watch, .every, .dryRun]
    where options.shard != nil && arguments.has(option) {
      throw .usage(
        .badValue, "--shard and --\(option.name) cannot be used together", "build",
        help: "a shard publishes nothing; leave one of them out")
    }
    if arguments.has(.watch) { return try arguments.watchBuild(options, session) }
    let seconds = try arguments.text(.every).flatMap { (text) throws(Diagnostic) in
      try Timing(every: text).seconds
    }
    if seconds == nil { session.engine.confine(options.writable) }
    let run = BuildRun(arguments, options, session)
    let pause = DispatchSemaphore(value: 0)
    return try Interruption.watched(session.console, stop: { pause.signal() }) { cancellation in
      while true {
        let start = DispatchTime.now()
        let status = run.result(cancellation)
        guard let seconds else { return status }
        // A little more or less, so that not all containers of a machine begin at once.
        let wait = seconds * Double.random(in: 0.95...1.05)
        if !cancellation.isCancelled { _ = pause.wait(timeout: start + wait) }
        if cancellation.isCancelled { return ExitStatus(cancellation) }
      }
    }
  }
}

extension RawArguments {
  /// `build --watch`: the same as `serve` without a server.
  fileprivate func watchBuild(
    _ options: BuildOptions, _ session: Session
  ) throws(Diagnostic) -> ExitStatus {
    for option in [Option.every, .dryRun, .force, .refresh, .noCache, .retryFailed]
    where has(option) {
      throw .usage(
        .badValue, "--watch and --\(option.name) together make no sense", "build",
        help: "leave one of them out")
    }
    let cancellation = Cancellation()
    let loop = RebuildLoop(self, options, session.console, cancellation)
    return try Interruption.watched(session.console, cancellation, stop: loop.stop) { _ in
      loop.run()
      return ExitStatus(cancellation)
    }
  }
}

extension ProgressMeter {
  func show(_ event: ProgressEvent) {
    switch event {
    case .stage(let name): update(name)
    case .rendering(let done, let total): update("render", done: done, of: total)
    case .fetching(let done, let total): update("fetch", done: done, of: total)
    }
  }
}
