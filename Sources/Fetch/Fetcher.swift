/// What gets things from the network; tests have others.
package struct Fetcher: Sendable {
  /// Begins a request; the answer is told once, on any thread, unless nobody waits any more.
  package var begin:
    @Sendable (FetchRequest, _ tell: @escaping @Sendable (FetchAnswer) -> Void)
      -> FetchTicket

  package init(
    begin:
      @escaping @Sendable (
        FetchRequest, _ tell: @escaping @Sendable (FetchAnswer) -> Void
      ) -> FetchTicket
  ) {
    self.begin = begin
  }
}

/// Of somebody who waits for an answer.
package struct FetchTicket: Sendable {
  /// Says that he does not wait any more: he is told nothing from then on.
  package var cancel: @Sendable () -> Void

  package init(cancel: @escaping @Sendable () -> Void) {
    self.cancel = cancel
  }
}
