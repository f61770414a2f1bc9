import Dispatch
import Files
import Manifest
import Plan
import Recipes

/// Records what a build does when, from any thread; only for a report page.
package final class Trace: Sendable {
  private let start = DispatchTime.now().uptimeNanoseconds
  private let recording = Guarded(Recording())

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

  /// Records a job that began at a moment and ends now.
  func note(_ source: Source, images: Int, since begin: Int) {
    let passed = now - begin
    var work = Recording.SourceWork(digest: source.digest, name: source.kind, isFile: false)
    if case .file(let path) = source.origin {
      work.name = path.text
      work.isFile = true
    }
    recording.withLock { $0.add(work, images: images, nanoseconds: passed) }
  }
}

/// What a thread of the queue does.
package enum WorkKind: Int, CaseIterable, Sendable {
  /// Stamps of the last build, and keys in the index.
  case lookUp
  case gather
  case render
  case assemble
  case publish
}

extension WorkKind {
  /// What the report page calls it; also the end of a class name.
  package var name: String { self == .lookUp ? "look up" : "\(self)" }

  /// For the legend of the report page.
  package var meaning: String {
    switch self {
    case .lookUp: "comparing stamps, and asking the index what is known"
    case .gather: "reading pictures, hashing them and looking at their structure"
    case .render: "one picture in a worker process: decoding, drawing, encoding"
    case .assemble: "writing pages into memory to learn whether they changed"
    case .publish: "comparing and placing files of the output"
    }
  }
}
