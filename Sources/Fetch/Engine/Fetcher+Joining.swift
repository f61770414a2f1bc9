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
          flights.land(flight)
          while let tell = flights.next(of: flight) { tell(answer) }
        }
        if flights.isLeft(flight, ticket) { ticket.cancel() }
      }
      return FetchTicket { flights.leave(flight, waiter)?.cancel() }
    }
  }
}

/// Requests that are being made, and who waits for each.
private final class Flights: Sendable {
  fileprivate struct Flight: Sendable {
    let request: FetchRequest
    var waiters: [Int: @Sendable (FetchAnswer) -> Void]
    var ticket: FetchTicket?
  }

  fileprivate struct State: Sendable {
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

  /// The answer is there: nobody joins any more.
  func land(_ flight: Int) {
    state.withLock { $0.close(flight) }
  }

  /// Takes out the next one to tell, in the order in which they came: who leaves before is not told.
  func next(of flight: Int) -> (@Sendable (FetchAnswer) -> Void)? {
    state.withLock { state in
      guard let waiter = state.flights[flight]?.waiters.keys.min() else {
        state.flights[flight] = nil
        return nil
      }
      return state.flights[flight]?.waiters.removeValue(forKey: waiter)
    }
  }

  /// Gives what ends the request when nobody waits for it any more.
  func leave(_ flight: Int, _ waiter: Int) -> FetchTicket? {
    state.withLock { state in
      guard state.flights[flight]?.waiters.removeValue(forKey: waiter) != nil,
        state.flights[flight]?.waiters.isEmpty == true
      else { return nil }
      state.close(flight)
      return state.flights.removeValue(forKey: flight)?.ticket
    }
  }
}

extension Flights.State {
  fileprivate mutating func close(_ flight: Int) {
    guard let request = flights[flight]?.request, open[request] == flight else { return }
    open[request] = nil
  }
}
