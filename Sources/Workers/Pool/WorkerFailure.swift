package import Files
import Foundation

/// A failure of the worker or the machine, not of the picture.
package enum WorkerFailure: Error, Hashable, Sendable {
  case crashed(signal: Int32)
  /// The worker exited during a job on both attempts; the message is from stderr.
  case exited(code: Int32, message: String)
  /// The job exceeded its CPU time limit on both attempts.
  case timedOut
  /// The worker did not answer in time and used hardly any CPU time.
  case hung
  /// The job needs more memory than all workers together may use.
  case tooLarge(bytes: Int, of: Int)
  /// The job needs more memory than a worker may use, or than is available.
  case outOfMemory
  case garbled
  case cancelled
  /// The worker did not start: the program is missing, has a different version, or failed.
  case cannotStart(String)
  /// ImageMagick or its policy cannot be trusted on this machine.
  case refused(String)
  /// The kernel lacks a sandbox layer, but the full sandbox is required.
  case notSandboxed(Sandbox)
}

extension WorkerFailure {
  /// Whether to retry the job on a new worker: an earlier job may have corrupted this one's memory,
  /// and a timeout should be confirmed before it is cached.
  var isWorthAnotherTry: Bool {
    switch self {
    case .crashed, .exited, .garbled, .timedOut: true
    case .hung, .tooLarge, .outOfMemory, .cancelled, .cannotStart, .refused, .notSandboxed: false
    }
  }
}

extension WorkerFailure {
  /// Describes the failure as a predicate, as in "the worker ran out of memory".
  package var ending: String {
    switch self {
    case .crashed(let signal): "was killed by signal \(signal)"
    case .exited(let code, ""): "exited with status \(code)"
    case .exited(let code, let message): "exited with status \(code): \(message)"
    case .garbled: "sent a malformed message"
    case .timedOut: "used too much CPU time"
    case .hung: "did not answer"
    case .tooLarge(let bytes, let all):
      "would need \(bytes >> 20) MB; all workers together may use \(all >> 20) MB"
    case .outOfMemory: "ran out of memory"
    case .cancelled: "was cancelled"
    case .cannotStart(let text), .refused(let text): "did not start: \(text)"
    case .notSandboxed(let sandbox): "did not start: its sandbox lacks \(sandbox.missing)"
    }
  }
}

/// The out-of-memory messages of libraries, many of which print one and then exit.
package enum OutOfMemoryText {
  private static let phrases = [
    "memory allocation failed", "cache resources exhausted", "unable to acquire memory",
    "failed to allocate", "cannot allocate memory", "out of memory", "bad_alloc",
    "memory allocation of", "nomemory", "insufficient memory",
  ]

  package static func occurs(in text: String) -> Bool {
    let text = text.lowercased()
    return phrases.contains { text.contains($0) }
  }
}
