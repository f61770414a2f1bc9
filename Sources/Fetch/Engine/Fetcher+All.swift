import Dispatch
import Files

extension Fetcher {
  /// Gets many things, each as soon as it may go, and hands out what came as it comes.
  ///
  /// - Parameters:
  ///   - requests: What to get.
  ///   - isCancelled: Looked at every 50 ms.
  ///   - receive: Called on this thread for every request, by its index; what it throws ends all.
  /// - Throws: `CancellationError`, or what `receive` throws; nothing is under way any more then.
  package func all(
    _ requests: [FetchRequest], isCancelled: () -> Bool = { false },
    receive: (Int, FetchAnswer) throws -> Void
  ) throws {
    try all(requests, isCancelled: isCancelled) { answers in
      for (index, answer) in answers {
        try receive(index, answer)
        if isCancelled() { throw CancellationError() }
      }
    }
  }

  /// The same, with all at once that has come meanwhile.
  package func all(
    _ requests: [FetchRequest], isCancelled: () -> Bool = { false },
    receive: ([(index: Int, answer: FetchAnswer)]) throws -> Void
  ) throws {
    // More than may be under way, so that hosts that say nothing hold up few of the others; and not
    // all, since what has come waits here.
    let atOnce = 256
    let came = Guarded<[(index: Int, answer: FetchAnswer)]>([])
    let bell = DispatchSemaphore(value: 0)
    var tickets: [Int: FetchTicket] = [:]
    defer { for ticket in tickets.values { ticket.cancel() } }
    var next = 0
    var open = 0
    while next < requests.count || open > 0 {
      if isCancelled() { throw CancellationError() }
      while next < requests.count, open < atOnce {
        let index = next
        tickets[index] = begin(requests[index]) { answer in
          came.withLock { $0.append((index, answer)) }
          bell.signal()
        }
        next += 1
        open += 1
      }
      _ = bell.wait(timeout: .now() + .milliseconds(50))
      let answers = came.withLock { came in
        defer { came = [] }
        return came
      }
      for (index, _) in answers { tickets[index] = nil }
      open -= answers.count
      if !answers.isEmpty { try receive(answers) }
    }
  }
}
