import Files

/// What others want of the thread of an engine.
final class CommandQueue: Sendable {
  enum Message: Sendable {
    case begin(Int, FetchRequest, @Sendable (FetchAnswer) -> Void)
    case cancel(Int)
  }

  private struct State: Sendable {
    var messages: [Message] = []
    /// Who is to be woken; nil before the thread has begun and after it has ended.
    var multi: CurlMulti?
    var isSleeping = false
    var hasStarted = false
    var isClosed = false
    var last = 0
  }

  private let state = Guarded(State())

  /// The number of the next request.
  func number() -> Int {
    state.withLock {
      $0.last += 1
      return $0.last
    }
  }

  /// What became of a message.
  enum Posted {
    case taken
    /// Taken, and somebody must start the thread.
    case first
    case closed
  }

  /// Takes a message.
  ///
  /// - Parameters:
  ///   - message: What is wanted.
  ///   - first: Called before anybody can close it, for the message that starts the thread.
  /// - Returns: What became of it.
  func post(_ message: Message, first: () -> Void = {}) -> Posted {
    state.withLock { state in
      if state.isClosed { return .closed }
      state.messages.append(message)
      // A thread that works looks here before it sleeps.
      if state.isSleeping { state.multi?.wake() }
      state.isSleeping = false
      if state.hasStarted { return .taken }
      state.hasStarted = true
      first()
      return .first
    }
  }

  /// Says that the thread shall end.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.multi?.wake()
    }
  }

  // MARK: - The thread

  /// False when it was closed before.
  func start(_ multi: CurlMulti) -> Bool {
    state.withLock { state in
      if !state.isClosed { state.multi = multi }
      return !state.isClosed
    }
  }

  /// What has come since; nil when it was closed.
  func take() -> [Message]? {
    state.withLock { state in
      state.isSleeping = false
      if state.isClosed { return nil }
      guard !state.messages.isEmpty else { return [] }
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// Whether nothing has come, so that the thread may sleep; whoever posts wakes it from now on.
  func maySleep() -> Bool {
    state.withLock { state in
      state.isSleeping = state.messages.isEmpty && !state.isClosed
      return state.isSleeping
    }
  }

  /// Nobody is woken any more; gives back what has come and was not taken.
  func end() -> [Message] {
    state.withLock { state in
      state.multi = nil
      defer { state.messages = [] }
      return state.messages
    }
  }
}
