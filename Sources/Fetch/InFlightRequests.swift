import Files

extension Fetcher {
  /// A fetcher that fetches the same thing once, however many ask for it at the same time.
  ///
  /// A caller that cancels is told nothing; when the last one cancels, the request ends.
  package static func joining(_ inner: Fetcher) -> Fetcher {
    let requests = InFlightRequests()
    var fetcher = inner
    fetcher.begin = { request, tell in
      let (caller, id, isNew) = requests.join(request, tell)
      if isNew {
        let ticket = inner.begin(request) { answer in
          requests.close(id)
          while let tell = requests.nextCaller(of: id) { tell(answer) }
        }
        if !requests.keep(ticket, of: id) { ticket.cancel() }
      }
      return FetchTicket { requests.leave(id, caller)?.cancel() }
    }
    return fetcher
  }
}

/// The requests that are being made, and the callers that wait for each.
private final class InFlightRequests: Sendable {
  fileprivate struct Entry: Sendable {
    let request: FetchRequest
    var callers: [Int: Fetcher.Tell]
    var ticket: FetchTicket?
  }

  fileprivate struct State: Sendable {
    /// The entries that may still be joined.
    var open: [FetchRequest: Int] = [:]
    var entries: [Int: Entry] = [:]
    var last = 0

    mutating func close(_ id: Int) {
      guard let request = entries[id]?.request, open[request] == id else { return }
      open[request] = nil
    }
  }

  private let state = Guarded(State())

  func join(
    _ request: FetchRequest, _ tell: @escaping Fetcher.Tell
  ) -> (caller: Int, id: Int, isNew: Bool) {
    state.withLock { state in
      state.last += 1
      if let id = state.open[request] {
        state.entries[id]?.callers[state.last] = tell
        return (state.last, id, false)
      }
      state.open[request] = state.last
      state.entries[state.last] = Entry(request: request, callers: [state.last: tell])
      return (state.last, state.last, true)
    }
  }

  /// Keeps how to end the request; false when no caller waits any more.
  func keep(_ ticket: FetchTicket, of id: Int) -> Bool {
    state.withLock { state in
      state.entries[id]?.ticket = ticket
      return state.entries[id] != nil
    }
  }

  /// The answer is there, so no caller may join any more.
  func close(_ id: Int) {
    state.withLock { $0.close(id) }
  }

  /// Takes the next caller to tell, in the order in which they came.
  func nextCaller(of id: Int) -> Fetcher.Tell? {
    state.withLock { state in
      guard let caller = state.entries[id]?.callers.keys.min() else {
        state.entries[id] = nil
        return nil
      }
      return state.entries[id]?.callers.removeValue(forKey: caller)
    }
  }

  /// Removes a caller; returns what ends the request if it was the last one.
  func leave(_ id: Int, _ caller: Int) -> FetchTicket? {
    state.withLock { state in
      guard state.entries[id]?.callers.removeValue(forKey: caller) != nil,
        state.entries[id]?.callers.isEmpty == true
      else { return nil }
      state.close(id)
      return state.entries.removeValue(forKey: id)?.ticket
    }
  }
}
