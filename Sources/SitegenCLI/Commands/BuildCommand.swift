import Build
import Diagnostics
import Dispatch
import Foundation

extension Option {
  static let watch = Option("watch", in: .own, "rebuild on every change until you press Ctrl-C")
  static let every = Option(
    "every", .text("TIME"), in: .own, "build at this interval, such as 15m, 6h or 1d")
  static let newProblems = Option(
    "new-problems", in: .common,
    "print only problems that appeared or were fixed since the last build with this option"
  )
}

extension Command {
  static let build: Command = Command(
    "build", "Render new images and publish the gallery", operands: [.site],
    options: [
      .manifest, .output, .cache, .templates, .watch, .every, .jobs, .strict, .dryRun, .adopt,
      .allowEmpty, .allowShrink, .offline, .refresh, .noCache, .timeout, .wait, .store, .storeMode,
      .shard, .json, .newProblems, .memory, .requireSandbox, .quiet,
    ], exits: [1, 3, 75, 128]
  ) { (arguments, session) throws(Diagnostic) in
    try arguments.refuse(.offline, with: [.refresh, .noCache], "build")
    try arguments.refuse(
      .shard, with: [.watch, .every, .dryRun], "build",
      help: "omit one of the options; a shard is never published")
    try arguments.refuse(.watch, with: [.every, .dryRun, .refresh, .noCache], "build")
    let options = try arguments.buildOptions("build")
    if arguments.has(.watch) {
      let cancellation = Cancellation()
      let loop = RebuildLoop(arguments, options, session.console, cancellation)
      return try Interruption.watched(session.console, cancellation, stop: loop.stop) { _ in
        loop.run()
        return ExitStatus(cancellation)
      }
    }
    let seconds = try arguments.text(.every).flatMap { (text) throws(Diagnostic) in
      try Timing(every: text, "build").seconds
    }
    if seconds == nil { session.confine(options.writable) }
    let run = BuildRun(arguments, options, session)
    let pause = DispatchSemaphore(value: 0)
    return try Interruption.watched(session.console, stop: { pause.signal() }) { cancellation in
      while true {
        let start = DispatchTime.now()
        let status = run.result(cancellation)
        guard let seconds else { return status }
        // Vary the pause, so that containers on one machine do not build at the same time.
        let wait = seconds * Double.random(in: 0.95...1.05)
        if !cancellation.isCancelled { _ = pause.wait(timeout: start + wait) }
        if cancellation.isCancelled { return ExitStatus(cancellation) }
      }
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
