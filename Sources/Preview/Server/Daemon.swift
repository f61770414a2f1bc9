import CMicroHTTPD
import Files

/// One listening socket, and the threads that serve its connections.
@safe
final class Daemon: @unchecked Sendable {
  // Sendable since the pointer never changes, and `stop` is called once, by its owner.
  private let daemon: OpaquePointer
  /// The threads borrow it until they end.
  private let state: ServerState

  /// Room for the head of a request and of its reply, per connection.
  private static let memory = 32 << 10

  /// The socket listens already, and the library closes it; all daemons share the state.
  ///
  /// The corresponding C function is `MHD_start_daemon`.
  init?(_ socket: Int32, _ state: ServerState) {
    let cores = Cores.allowed()
    // A pool of one thread is the same as none. We count the connections of all daemons ourselves:
    // the library would leave those above its limit waiting.
    let threads = cores > 1 ? min(cores, 4) : 0
    let daemon = unsafe sitegen_mhd_start(
      socket, UInt32(threads), UInt32((state.settings.connections + 1) * max(threads, 1)),
      Daemon.memory, UInt32(max(state.settings.idleTime.components.seconds, 1)),
      Callbacks.accept, Callbacks.handle, Callbacks.notify, Callbacks.begin, Callbacks.complete,
      Unmanaged.passUnretained(state).toOpaque())
    guard let daemon = unsafe daemon else { return nil }
    unsafe self.daemon = daemon
    self.state = state
  }

  /// Ends every connection and every thread; no connection may be paused.
  ///
  /// The corresponding C function is `MHD_stop_daemon`.
  func stop() {
    unsafe MHD_stop_daemon(daemon)
  }
}

/// What the library calls, in the order of a request; here alone pointers become values.
///
/// The state lives as long as the daemon runs. A connection is retained from its start until it is
/// closed, a request from its first line until it is completed.
private enum Callbacks {
  static let accept: MHD_AcceptPolicyCallback = { state, _, _ in
    guard let state = unsafe state else { return .NO }
    return unsafe value(state, ServerState.self).connections.makeRoom() ? .YES : .NO
  }

  static let notify: MHD_NotifyConnectionCallback = { state, pointer, context, event in
    guard let state = unsafe state, let pointer = unsafe pointer,
      let context = unsafe context
    else { return }
    let connections = unsafe value(state, ServerState.self).connections
    if event == .CONNECTION_NOTIFY_STARTED {
      let connection = connections.add { isClosing in
        unsafe Connection(pointer, isClosing: isClosing)
      }
      unsafe context.pointee = Unmanaged.passRetained(connection).toOpaque()
    } else if let connection = unsafe context.pointee {
      connections.remove(unsafe Unmanaged<Connection>.fromOpaque(connection).takeRetainedValue())
      unsafe context.pointee = nil
    }
  }

  static let begin:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
    ) -> UnsafeMutableRawPointer? = { _, target, pointer in
      guard let pointer = unsafe pointer,
        let context = unsafe sitegen_mhd_connection_context(pointer)
      else { return nil }
      let request = unsafe RequestState(target, on: value(context, Connection.self))
      return unsafe Unmanaged.passRetained(request).toOpaque()
    }

  static let handle: MHD_AccessHandlerCallback = {
    state, pointer, _, method, version, _, _, request in
    guard let state = unsafe state, let pointer = unsafe pointer, let method = unsafe method,
      let request = unsafe request?.pointee
    else { return .NO }
    let goesOn = unsafe value(request, RequestState.self).proceed(
      on: pointer, method: String(cString: method), version: version,
      value(state, ServerState.self))
    return goesOn ? .YES : .NO
  }

  static let complete: MHD_RequestCompletedCallback = { _, _, request, _ in
    guard let request = unsafe request, let kept = unsafe request.pointee else { return }
    unsafe Unmanaged<RequestState>.fromOpaque(kept).takeRetainedValue().connection.requestEnded()
    unsafe request.pointee = nil
  }

  private static func value<Value: AnyObject>(
    _ pointer: UnsafeMutableRawPointer, _: Value.Type
  ) -> Value {
    unsafe Unmanaged<Value>.fromOpaque(pointer).takeUnretainedValue()
  }
}
