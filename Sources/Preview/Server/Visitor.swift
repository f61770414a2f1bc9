import CMicroHTTPD
import Files
import Glibc

/// One connection.
@safe
final class Visitor: @unchecked Sendable {
  // Sendable since the connection is touched under the lock alone, and not once it has left.
  private let connection: OpaquePointer
  private let socket: Int32
  private let state: Guarded<State>

  private struct State {
    /// Since when it owes us the head of a request; nil while one is answered.
    var owesSince: ContinuousClock.Instant? = .now
    /// When it must have read the answer that it is sent.
    var mustHaveReadAt: ContinuousClock.Instant?
    var hasAsked = false
    var isPaused = false
    /// Neither pauses any more, nor is it given anything.
    var isDismissed = false
    var hasLeft = false
    var stream: EventStream?
  }

  init(_ connection: OpaquePointer, isDismissed: Bool) {
    unsafe self.connection = connection
    socket = unsafe sitegen_mhd_socket(connection)
    state = Guarded(State(isDismissed: isDismissed))
  }

  // MARK: - Called while its connection is served

  /// The head of a request has come.
  func asks() {
    state.withLock {
      $0.owesSince = nil
      $0.hasAsked = true
    }
  }

  func isAnswered() {
    state.withLock {
      $0.owesSince = .now
      $0.mustHaveReadAt = nil
      $0.stream = nil
    }
  }

  /// It is sent an answer, and may take so long to read it.
  func reads(for time: Duration) {
    state.withLock { $0.mustHaveReadAt = .now + time }
  }

  func leaves() {
    state.withLock {
      $0.hasLeft = true
      $0.stream = nil
    }
  }

  func listens(to stream: EventStream) {
    state.withLock { $0.stream = stream }
    // Events may be long in coming.
    unsafe sitegen_mhd_let_stay(connection)
  }

  /// Serves others until `resume`; false when there is nothing to wait for any more.
  ///
  /// The corresponding C function is `MHD_suspend_connection`.
  func pause() -> Bool {
    state.withLock { state in
      if state.isDismissed { return false }
      if !state.isPaused {
        state.isPaused = true
        unsafe MHD_suspend_connection(connection)
      }
      return true
    }
  }

  // MARK: - Called from anywhere

  var isDismissed: Bool { state.withLock { $0.isDismissed } }

  /// Whether it is paused and still there.
  var isWaiting: Bool { state.withLock { $0.isPaused && !isAlone } }

  /// The corresponding C function is `MHD_resume_connection`.
  func resume() {
    state.withLock { state in resume(&state) }
  }

  private func resume(_ state: inout State) {
    // A connection that is paused cannot leave, so it is there.
    guard state.isPaused else { return }
    state.isPaused = false
    unsafe MHD_resume_connection(connection)
  }

  /// Ends whatever it waits for.
  func dismiss() {
    state.withLock { state in
      state.isDismissed = true
      resume(&state)
    }
  }

  /// Whether the other side sends no more.
  private var isAlone: Bool {
    var question = pollfd(fd: socket, events: Visitor.hangUp, revents: 0)
    return unsafe poll(&question, 1, 0) > 0
  }

  /// `POLLRDHUP`, which Swift's Glibc does not show.
  private static let hangUp: Int16 = 0x2000

  /// Ends it if it owes a head for too long, reads too slowly, or has left while it waited.
  ///
  /// The library counts from the last byte that came or went, so someone who sends or reads one now
  /// and then would stay for ever; and it does not look at connections that are paused.
  ///
  /// The corresponding C functions are `shutdown` and `poll`.
  func look(at now: ContinuousClock.Instant, _ settings: PreviewSettings) {
    let stream = state.withLock { state -> EventStream? in
      if state.hasLeft { return nil }
      if state.isPaused {
        guard isAlone else { return state.stream }
        state.isDismissed = true
        resume(&state)
        return nil
      }
      if isOverdue(state, at: now, settings) { _ = shutdown(socket, Int32(SHUT_RDWR)) }
      return nil
    }
    stream?.beat(at: now, after: settings.beat)
  }

  private func isOverdue(
    _ state: State, at now: ContinuousClock.Instant, _ settings: PreviewSettings
  ) -> Bool {
    if let since = state.owesSince {
      let time = state.hasAsked ? settings.idleTime : settings.headTime
      // The library can miss an end that comes together with the last bytes.
      if now - since > time || now - since > .seconds(1) && isAlone { return true }
    }
    if let end = state.mustHaveReadAt, now > end { return true }
    // It has more to hear than it reads, and no time: the library would wait for ever.
    return state.stream != nil && isAlone
  }
}
