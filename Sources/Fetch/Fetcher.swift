import Dispatch
import Files

/// Fetches from the network; tests replace it.
package struct Fetcher: Sendable {
  package typealias Report = @Sendable (FetchAnswer) -> Void

  /// Begins a request; `tell` gets the answer once, on any thread, unless the ticket is cancelled.
  package var begin: @Sendable (FetchRequest, @escaping Report) -> FetchTicket

  package init(begin: @escaping @Sendable (FetchRequest, @escaping Report) -> FetchTicket) {
    self.begin = begin
  }
}

package struct FetchTicket: Sendable {
  /// Cancels: the caller gets no answer from then on.
  package var cancel: @Sendable () -> Void

  package init(cancel: @escaping @Sendable () -> Void) {
    self.cancel = cancel
  }
}

// MARK: - Many at once

extension Fetcher {
  /// Fetches many things, and hands out the answers as they come.
  ///
  /// - Parameters:
  ///   - requests: What to fetch.
  ///   - isCancelled: Asked every 50 ms.
  ///   - receive: Gets all answers that have come meanwhile, by the indices of their requests, on
  ///     this thread; what it throws ends all.
  /// - Throws: `CancellationError`, or what `receive` throws; no request is open any more then.
  package func all(
    _ requests: [FetchRequest], isCancelled: () -> Bool = { false },
    receive: ([(index: Int, answer: FetchAnswer)]) throws -> Void
  ) throws {
    // More than the engine runs at once, so that silent hosts hold up few others; but not all,
    // since their answers wait here in memory.
    let atOnce = 256
    let came = Locked<[(index: Int, answer: FetchAnswer)]>([])
    let arrival = DispatchSemaphore(value: 0)
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
          arrival.signal()
        }
        next += 1
        open += 1
      }
      _ = arrival.wait(timeout: .now() + .milliseconds(50))
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
