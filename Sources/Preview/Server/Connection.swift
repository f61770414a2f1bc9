import CMicroHTTPD
import Files
import Glibc

/// One connection: what it waits for, and when it has waited too long.
@safe
final class Connection: @unchecked Sendable {
  // Sendable since the pointer is used only under the lock, and not after the connection has closed.
  private let pointer: OpaquePointer
  private let socket: Int32
  private let state: Guarded<State>

  private struct State {
    /// Since when it owes us the head of a request; nil while one is answered.
    var headAwaitedSince: ContinuousClock.Instant? = .now
    var hasSentRequest = false
    /// Since when a reply is sent, and when it must have been read.
    var replyStart: ContinuousClock.Instant?
    var replyDeadline: ContinuousClock.Instant?
    /// It ends soon, since another one needs its room.
    var isGivingWay = false
    var isPaused = false
    /// It may not pause any more.
    var isClosing: Bool
    var hasClosed = false
    var stream: EventStream?
  }

  init(_ pointer: OpaquePointer, isClosing: Bool) {
    unsafe self.pointer = pointer
    socket = unsafe sitegen_mhd_socket(pointer)
    state = Guarded(State(isClosing: isClosing))
  }

  // MARK: - Called on the thread that serves it

  /// The head of a request has come.
  func requestBegan() {
    state.withLock {
      $0.headAwaitedSince = nil
      $0.hasSentRequest = true
    }
  }

  func replyStarted(toBeReadWithin time: Duration) {
    state.withLock {
      $0.replyStart = .now
      $0.replyDeadline = .now + time
    }
  }

  func streamStarted(_ stream: EventStream) {
    state.withLock { $0.stream = stream }
    // The next event may come later than the library's timeout.
    unsafe sitegen_mhd_let_stay(pointer)
  }

  func requestEnded() {
    state.withLock {
      $0.headAwaitedSince = .now
      $0.replyStart = nil
      $0.replyDeadline = nil
      $0.stream = nil
    }
  }

  func closed() {
    state.withLock {
      $0.hasClosed = true
      $0.stream = nil
    }
  }

  /// Lets its thread serve others until `resume`; false when the server stops or the client has gone.
  ///
  /// The corresponding C function is `MHD_suspend_connection`.
  func pause() -> Bool {
    state.withLock { state in
      if state.isClosing { return false }
      if !state.isPaused {
        state.isPaused = true
        unsafe MHD_suspend_connection(pointer)
      }
      return true
    }
  }

  // MARK: - Called on any thread

  var isClosing: Bool { state.withLock { $0.isClosing } }

  var isGivingWay: Bool { state.withLock { $0.isGivingWay } }

  /// Whether it is paused and its client is still there.
  var isWaiting: Bool { state.withLock { $0.isPaused && !clientHasGone } }

  /// The corresponding C function is `MHD_resume_connection`.
  func resume() {
    state.withLock { state in resume(&state) }
  }

  private func resume(_ state: inout State) {
    // A paused connection cannot close, so the pointer is valid.
    guard state.isPaused else { return }
    state.isPaused = false
    unsafe MHD_resume_connection(pointer)
  }

  /// Ends whatever it waits for.
  func close() {
    state.withLock { state in
      state.isClosing = true
      resume(&state)
    }
  }

  /// Whether the client has closed its sending side.
  private var clientHasGone: Bool {
    // `POLLRDHUP`, which Swift's Glibc does not show.
    var question = pollfd(fd: socket, events: 0x2000, revents: 0)
    return unsafe poll(&question, 1, 0) > 0
  }

  /// Ends a connection that is too slow, or whose client left while it was paused.
  ///
  /// The library counts from the last byte in either direction, so one byte now and then would keep a
  /// connection open for ever; and it does not look at paused connections.
  ///
  /// The corresponding C functions are `shutdown` and `poll`.
  func checkDeadlines(at now: ContinuousClock.Instant, _ settings: PreviewSettings) {
    let stream = state.withLock { state -> EventStream? in
      if state.hasClosed { return nil }
      if state.isPaused {
        guard clientHasGone else { return state.stream }
        state.isClosing = true
        resume(&state)
      } else if isOverdue(state, at: now, settings) {
        _ = shutdown(socket, Int32(SHUT_RDWR))
      }
      return nil
    }
    stream?.keepAlive(at: now, after: settings.keepAlive)
  }

  /// Since when it is of no use to its client, who sends no request or does not read the reply;
  /// nil for one that is not to give way: a stream, or a request that is being answered.
  var idleSince: (isReading: Bool, time: ContinuousClock.Instant)? {
    state.withLock { state in
      if state.hasClosed || state.isPaused || state.stream != nil || state.isGivingWay {
        return nil
      }
      if let since = state.headAwaitedSince { return (false, since) }
      return state.replyStart.map { (true, $0) }
    }
  }

  /// Ends it soon, on the thread that serves it.
  ///
  /// The corresponding C function is `shutdown`.
  func giveWay() {
    state.withLock { state in
      guard !state.hasClosed else { return }
      state.isGivingWay = true
      _ = shutdown(socket, Int32(SHUT_RDWR))
    }
  }

  private func isOverdue(
    _ state: State, at now: ContinuousClock.Instant, _ settings: PreviewSettings
  ) -> Bool {
    if let since = state.headAwaitedSince {
      let limit = state.hasSentRequest ? settings.idleTime : settings.headTime
      // The library can miss an end that comes together with the last bytes.
      if now - since > limit || now - since > .seconds(1) && clientHasGone { return true }
    }
    if let deadline = state.replyDeadline, now > deadline { return true }
    // A stream has no deadline: the library would wait for ever to send the rest.
    return state.stream != nil && clientHasGone
  }
}

/// All open connections of a server.
final class Connections: Sendable {
  private let settings: PreviewSettings
  private let state = Guarded(State())

  private struct State {
    var open: [ObjectIdentifier: Connection] = [:]
    var isClosed = false
  }

  init(_ settings: PreviewSettings) {
    self.settings = settings
  }

  /// Whether another one is accepted; near the limit one that is open gives way to it.
  ///
  /// It closes a moment later, so there is some room for connections that have yet to close.
  func makeRoom() -> Bool {
    state.withLock { state in
      guard !state.isClosed, state.open.count < settings.connections else { return false }
      let reserve = min(settings.connections / 8, 64)
      let count = state.open.values.count { !$0.isGivingWay }
      if count >= settings.connections - reserve { giveWay(among: state.open.values) }
      return true
    }
  }

  /// Ends the connection that has waited longest for a request, else the one that has read longest.
  private func giveWay(among open: some Collection<Connection>) {
    let idle = open.compactMap { connection in connection.idleSince.map { (connection, $0) } }
    let waiting = idle.filter { !$0.1.isReading }
    // A reply that is read at all is read by then.
    let reading = idle.filter { ContinuousClock.now - $0.1.time > .milliseconds(500) }
    (waiting.isEmpty ? reading : waiting).min { $0.1.time < $1.1.time }?.0.giveWay()
  }

  /// Makes and adds one under the lock, so that `close` misses none.
  func add(_ make: (_ isClosing: Bool) -> Connection) -> Connection {
    state.withLock { state in
      let connection = make(state.isClosed)
      state.open[ObjectIdentifier(connection)] = connection
      return connection
    }
  }

  func remove(_ connection: Connection) {
    connection.closed()
    _ = state.withLock { $0.open.removeValue(forKey: ObjectIdentifier(connection)) }
  }

  func checkDeadlines(at now: ContinuousClock.Instant) {
    for connection in state.withLock({ Array($0.open.values) }) {
      connection.checkDeadlines(at: now, settings)
    }
  }

  /// No connection waits or is accepted after this.
  func close() {
    let open = state.withLock { state in
      state.isClosed = true
      return Array(state.open.values)
    }
    for connection in open { connection.close() }
  }
}
