import Files

/// What other threads want of the engine's thread.
final class CommandQueue: Sendable {
  enum Command: Sendable {
    case begin(Int, FetchRequest, @Sendable (FetchAnswer) -> Void)
    case cancel(Int)
  }

  /// What became of a command.
  enum Posted {
    case taken
    /// Taken, and the caller must start the thread.
    case first
    case closed
  }

  private struct State: Sendable {
    var commands: [Command] = []
    /// Woken by a command; nil before the thread starts and after it has ended.
    var multi: CurlMulti?
    var isSleeping = false
    var hasStarted = false
    var isClosed = false
    var last = 0

    mutating func takeAll() -> [Command] {
      defer { commands = [] }
      return commands
    }
  }

  private let state = Guarded(State())

  /// The number of the next request.
  func nextNumber() -> Int {
    state.withLock {
      $0.last += 1
      return $0.last
    }
  }

  /// Takes a command; calls `first`, before anybody can close the queue, for the first one.
  func post(_ command: Command, first: () -> Void = {}) -> Posted {
    state.withLock { state in
      if state.isClosed { return .closed }
      state.commands.append(command)
      // A thread that works looks here before it sleeps.
      if state.isSleeping { state.multi?.wake() }
      state.isSleeping = false
      if state.hasStarted { return .taken }
      state.hasStarted = true
      first()
      return .first
    }
  }

  /// Tells the thread to end.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.multi?.wake()
    }
  }

  // MARK: - For the engine's thread

  /// False when the queue is closed already.
  func start(_ multi: CurlMulti) -> Bool {
    state.withLock { state in
      if !state.isClosed { state.multi = multi }
      return !state.isClosed
    }
  }

  /// The commands since the last call; nil when the queue is closed.
  func take() -> [Command]? {
    state.withLock { state in
      state.isSleeping = false
      return state.isClosed ? nil : state.takeAll()
    }
  }

  /// Whether there is no command, so that the thread may sleep; from now on `post` wakes it.
  func maySleep() -> Bool {
    state.withLock { state in
      state.isSleeping = state.commands.isEmpty && !state.isClosed
      return state.isSleeping
    }
  }

  /// Stops waking the thread, and returns the commands that it has not taken.
  func end() -> [Command] {
    state.withLock { state in
      state.multi = nil
      return state.takeAll()
    }
  }
}
