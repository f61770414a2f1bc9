import Files

extension Fetcher {
  /// A fetcher that gets the same thing once, however many ask for it at the same time.
  ///
  /// Who cancels is told nothing; the last who does ends the request.
  package static func joining(_ inner: Fetcher) -> Fetcher {
    let flights = Flights()
    return Fetcher { request, tell in
      let (waiter, flight, isNew) = flights.join(request, tell)
      if isNew {
        let ticket = inner.begin(request) { answer in
          for tell in flights.land(flight) { tell(answer) }
        }
        if flights.isLeft(flight, ticket) { ticket.cancel() }
      }
      return FetchTicket { flights.leave(flight, waiter)?.cancel() }
    }
  }
}

/// Requests that are being made, and who waits for each.
private final class Flights: Sendable {
  private struct Flight: Sendable {
    let request: FetchRequest
    var waiters: [Int: @Sendable (FetchAnswer) -> Void]
    var ticket: FetchTicket?
  }

  private struct State: Sendable {
    var open: [FetchRequest: Int] = [:]
    var flights: [Int: Flight] = [:]
    var last = 0
  }

  private let state = Guarded(State())

  func join(
    _ request: FetchRequest, _ tell: @escaping @Sendable (FetchAnswer) -> Void
  ) -> (waiter: Int, flight: Int, isNew: Bool) {
    state.withLock { state in
      state.last += 1
      if let flight = state.open[request] {
        state.flights[flight]?.waiters[state.last] = tell
        return (state.last, flight, false)
      }
      state.open[request] = state.last
      state.flights[state.last] = Flight(request: request, waiters: [state.last: tell])
      return (state.last, state.last, true)
    }
  }

  /// Keeps how to end the request; true when nobody waits any more.
  func isLeft(_ flight: Int, _ ticket: FetchTicket) -> Bool {
    state.withLock { state in
      guard state.flights[flight] != nil else { return true }
      state.flights[flight]?.ticket = ticket
      return false
    }
  }

  /// The answer is there: whom to tell, in the order in which they came.
  func land(_ flight: Int) -> [@Sendable (FetchAnswer) -> Void] {
    state.withLock { state in
      guard let landed = state.flights.removeValue(forKey: flight) else { return [] }
      if state.open[landed.request] == flight { state.open[landed.request] = nil }
      return landed.waiters.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// Gives what ends the request when nobody waits for it any more.
  func leave(_ flight: Int, _ waiter: Int) -> FetchTicket? {
    state.withLock { state in
      guard state.flights[flight]?.waiters.removeValue(forKey: waiter) != nil,
        state.flights[flight]?.waiters.isEmpty == true,
        let left = state.flights.removeValue(forKey: flight)
      else { return nil }
      if state.open[left.request] == flight { state.open[left.request] = nil }
      return left.ticket
    }
  }
}
