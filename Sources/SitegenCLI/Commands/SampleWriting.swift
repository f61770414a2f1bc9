import Build
import Diagnostics
import Files
import Foundation
import Samples
import Workers

/// Writes a sample site, its pictures drawn on all the cores and encoded by workers.
struct SampleWriting {
  var site: SampleSite
  var folder: String
  var jobs: Int
  var meter: ProgressMeter
  var console: Console

  /// Nil when a signal stopped it, which left a folder without a manifest.
  func run() throws(Diagnostic) -> ExitStatus? {
    try Interruption.watched(console) { (cancellation) throws(Diagnostic) in
      let pool = WorkerPool(program: Engine.program, width: jobs)
      defer { pool.stop() }
      let queue = WorkQueue(name: "samples", width: jobs, cancellation: cancellation)
      defer { meter.finish() }
      do {
        try site.write(
          to: try Folder(making: folder),
          encoder: .workers(pool) { cancellation.isCancelled },
          forEach: { count, body in
            var done = 0
            try queue.map(0..<count, work: body) { _, result in
              try result.get()
              done += 1
              meter.update("draw", done: done, of: count)
            }
          })
        return nil
      } catch {
        if cancellation.isCancelled { return .signal(cancellation.signalNumber) }
        throw Diagnostic(writing: folder, error)
      }
    }
  }
}

extension Diagnostic {
  /// Why samples could not be written; whatever it is, the machine is to blame.
  fileprivate init(writing folder: String, _ error: any Error) {
    let (id, note): (DiagnosticID, String) =
      switch error {
      case let error as FileError:
        (.samplesUnwritable, "cannot \(error.operation) \(error.path): \(error.explanation)")
      case WorkerFailure.cannotStart(let why): (.workerCannotStart, why)
      case WorkerFailure.refused(let why): (.imageMagickNotTrusted, why)
      default: (.encodeFailed, "\(error)")
      }
    self.init(
      .error, id, "cannot write the samples to \(folder)", note: note,
      help: "`sitegen doctor` tells what works here")
  }
}
