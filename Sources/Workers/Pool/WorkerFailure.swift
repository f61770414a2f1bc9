package import Files
import Foundation

/// Why a job has no result: the machine decided, not the picture.
package enum WorkerFailure: Error, Hashable, Sendable {
  /// A signal ended it, twice.
  case crashed(signal: Int32)
  /// It ended by itself in the middle of a job, twice; the message is from its stderr.
  case exited(code: Int32, message: String)
  /// The job took more processor time than `WorkerLimits` allow, twice.
  case timedOut
  /// No answer came, and the worker did hardly anything.
  case hung
  /// The job needs more bytes than all workers together may take.
  case tooLarge(bytes: Int, of: Int)
  /// The job needs more memory than a worker may have, or than the machine has.
  case outOfMemory
  /// What came back was no answer, twice.
  case garbled
  case cancelled
  /// No worker became ready: the program is missing or another one, or it failed at its start.
  case cannotStart(String)
  /// ImageMagick or its policy cannot be trusted on this machine.
  case refused(String)
  /// The kernel lacks a layer of the jail, and the whole is required.
  case unjailed(Jail)
}

extension WorkerFailure {
  /// Whether the same job may well succeed on a fresh worker.
  ///
  /// An earlier job may have damaged the memory of a worker that crashes. A job that takes too much time
  /// is tried again since its failure is remembered.
  var isWorthAnotherTry: Bool {
    switch self {
    case .crashed, .exited, .garbled, .timedOut: true
    case .hung, .tooLarge, .outOfMemory, .cancelled, .cannotStart, .refused, .unjailed: false
    }
  }
}

extension WorkerFailure {
  /// What a worker did, for a sentence that begins with it.
  package var ending: String {
    switch self {
    case .crashed(let signal): "was ended by signal \(signal)"
    case .exited(let code, ""): "ended with status \(code)"
    case .exited(let code, let message): "ended with status \(code): \(message)"
    case .garbled: "sent a malformed message"
    case .timedOut: "took too much processor time"
    case .hung: "did not answer"
    case .tooLarge(let bytes, let all):
      "would need \(bytes >> 20) MB, of \(all >> 20) MB for all workers"
    case .outOfMemory: "ran out of memory"
    case .cancelled: "was cancelled"
    case .cannotStart(let text), .refused(let text): "did not start: \(text)"
    case .unjailed(let jail): "did not start: \(jail.sentence)"
    }
  }
}

/// How libraries report that they got no memory: many just print a text and exit.
package enum OutOfMemoryText {
  private static let phrases = [
    "memory allocation failed", "cache resources exhausted", "unable to acquire memory",
    "failed to allocate", "cannot allocate memory", "out of memory", "bad_alloc",
    // librsvg's, and what it says of cairo's.
    "memory allocation of", "nomemory",
  ]

  package static func occurs(in text: String) -> Bool {
    let text = text.lowercased()
    return phrases.contains { text.contains($0) }
  }
}
