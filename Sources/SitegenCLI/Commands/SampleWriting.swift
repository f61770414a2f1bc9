import Build
import Diagnostics
import Files
import Foundation
import Recipes
import Samples
import Workers

/// Writes a sample site: draws its pictures on all cores and has workers encode them.
struct SampleWriting {
  var site: SampleSite
  var folder: String
  var jobs: Int
  var meter: ProgressMeter
  var console: Console

  /// Nil when it is done; a status when a signal stopped it, which leaves no manifest.
  func run() throws(Diagnostic) -> ExitStatus? {
    try Interruption.watched(console) { (cancellation) throws(Diagnostic) in
      let pool = WorkerPool(program: Engine.program, width: jobs)
      defer { pool.stop() }
      let queue = WorkQueue(name: "samples", width: jobs, cancellation: cancellation)
      defer { meter.finish() }
      do {
        try site.write(
          to: try Folder(making: folder),
          encode: { try encode($0, in: pool, cancellation) },
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

/// Has a worker make a picture file; throws `WorkerFailure`, or the `Rejection` of its encoder.
private func encode(
  _ request: RenderRequest, in pool: WorkerPool, _ cancellation: Cancellation
) throws -> Data {
  switch try pool.render(request, isCancelled: { cancellation.isCancelled }).first {
  case .image(let image): return image.bytes
  case .rejected(let rejection): throw rejection
  case nil: throw WorkerFailure.garbled
  }
}

extension Diagnostic {
  /// Says why samples could not be written; the fault is always the machine's.
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
