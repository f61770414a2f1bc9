/// Why a job has no result although its bytes may be good: the machine decided, not the picture.
package enum WorkerFailure: Error, Hashable, Sendable {
  /// Twice, the second time on a fresh worker.
  case crashed(signal: Int32)
  /// It ended by itself in the middle of a job, twice; the message is the end of its stderr.
  case exited(code: Int32, message: String)
  /// The job took more wall or processor time than `WorkerLimits` allow.
  case timedOut
  /// The job needs more memory than a worker may have.
  case outOfMemory
  /// What came back was no answer, twice.
  case garbled
  case cancelled
  /// The program is missing, or it ends before it says hello.
  case cannotStart(String)
  /// ImageMagick or its policy cannot be trusted on this machine.
  case refused(String)
}

extension WorkerFailure {
  /// Whether the same job may well succeed on a fresh worker.
  ///
  /// A crash can be the late fruit of an earlier job's memory damage, or a stranger's `kill`. More
  /// time or memory than allowed is the job's own doing, and costs the most to see again.
  var isWorthAnotherTry: Bool {
    switch self {
    case .crashed, .exited, .garbled: true
    case .timedOut, .outOfMemory, .cancelled, .cannotStart, .refused: false
    }
  }
}

extension WorkerFailure {
  /// What a worker did, for a sentence that begins with it.
  var ending: String {
    switch self {
    case .crashed(let signal): "was ended by signal \(signal)"
    case .exited(let code, ""): "ended with status \(code)"
    case .exited(let code, let message): "ended with status \(code): \(message)"
    case .garbled: "did not speak as one of ours"
    case .timedOut: "took too long"
    case .outOfMemory: "ran out of memory"
    case .cancelled: "was cancelled"
    case .cannotStart(let text), .refused(let text): "did not start: \(text)"
    }
  }
}
