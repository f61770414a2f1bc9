import Dispatch
import Files
import Manifest
import Plan
import Recipes

/// Takes down when a build does what, from any thread; there is none unless somebody asked.
package final class Trace: Sendable {
  private let start = DispatchTime.now().uptimeNanoseconds
  private let recording = Guarded(Recording())

  package init() {}

  /// Nanoseconds since this was made.
  package var now: Int { Int(DispatchTime.now().uptimeNanoseconds - start) }

  /// Everything up to now.
  package var current: Recording { recording.withLock { $0 } }

  func startStage(_ name: String) {
    let moment = now
    recording.withLock { $0.startStage(name, at: moment) }
  }

  /// Runs work in a lane of its own.
  func lane<Result, Failure>(
    _ kind: WorkKind, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let lane = recording.withLock { $0.takeLane() }
    let begin = now
    defer {
      let end = now
      recording.withLock { $0.leave(lane: lane, kind, from: begin, to: end) }
    }
    return try work()
  }

  /// Takes down a job that began at a moment and ends now.
  func note(_ job: RenderJob, since begin: Int) {
    let passed = now - begin
    let source = job.source
    var work = Recording.SourceWork(
      digest: source.digest, name: source.kind, isFile: false)
    if case .file(let path) = source.origin {
      work.name = path.text
      work.isFile = true
    }
    recording.withLock { $0.add(work, images: job.recipes.count, nanoseconds: passed) }
  }
}
