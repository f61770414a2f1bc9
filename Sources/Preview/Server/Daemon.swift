import CMicroHTTPD
import Files

/// One listening socket, and the threads that serve whoever comes there.
@safe
final class Daemon: @unchecked Sendable {
  // Sendable since the pointer never changes, and `stop` is called once, by its owner.
  private let daemon: OpaquePointer
  /// The threads borrow it until they end.
  private let front: Front

  /// Room for the head of a request and of its answer, per connection.
  private static let memory = 32 << 10

  /// The corresponding C function is `MHD_start_daemon`.
  ///
  /// - Parameters:
  ///   - socket: It listens already; it is closed in the end.
  ///   - front: Shared by all daemons.
  init?(_ socket: Int32, _ front: Front) {
    let cores = Cores.allowed()
    // A pool of one is none. We count the connections of all daemons ourselves: the library would
    // leave those who are too many waiting.
    let threads = cores > 1 ? min(cores, 4) : 0
    let daemon = unsafe sitegen_mhd_start(
      socket, UInt32(threads), UInt32((front.settings.connections + 1) * max(threads, 1)),
      Daemon.memory, UInt32(max(front.settings.idleTime.components.seconds, 1)),
      Calls.accept, Calls.handle, Calls.notify, Calls.begin, Calls.complete,
      Unmanaged.passUnretained(front).toOpaque())
    guard let daemon = unsafe daemon else { return nil }
    unsafe self.daemon = daemon
    self.front = front
  }

  /// Ends every connection and every thread; nobody may be paused.
  ///
  /// The corresponding C function is `MHD_stop_daemon`.
  func stop() {
    unsafe MHD_stop_daemon(daemon)
  }
}

/// What the library calls: pointers become values here and nowhere else.
///
/// The front is there as long as the daemon runs. A visitor is kept from the moment that its
/// connection starts until it is closed, an exchange from the first line of the request until it
/// is completed; the library gives back the references that it was given.
private enum Calls {
  static let accept: MHD_AcceptPolicyCallback = { front, _, _ in
    guard let front = unsafe front else { return .NO }
    return unsafe Calls.front(front).visitors.haveRoom ? .YES : .NO
  }

  static let notify: MHD_NotifyConnectionCallback = { front, connection, place, event in
    guard let front = unsafe front, let connection = unsafe connection,
      let place = unsafe place
    else { return }
    let visitors = unsafe Calls.front(front).visitors
    if event == .CONNECTION_NOTIFY_STARTED {
      let visitor = visitors.welcome { isDismissed in
        unsafe Visitor(connection, isDismissed: isDismissed)
      }
      unsafe place.pointee = Unmanaged.passRetained(visitor).toOpaque()
    } else if let visitor = unsafe place.pointee {
      visitors.forget(unsafe Unmanaged<Visitor>.fromOpaque(visitor).takeRetainedValue())
      unsafe place.pointee = nil
    }
  }

  static let begin:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
    ) -> UnsafeMutableRawPointer? = { _, target, connection in
      guard let connection = unsafe connection,
        let visitor = unsafe sitegen_mhd_visitor(connection)
      else { return nil }
      let exchange = unsafe Exchange(
        target, of: Unmanaged<Visitor>.fromOpaque(visitor).takeUnretainedValue())
      return unsafe Unmanaged.passRetained(exchange).toOpaque()
    }

  static let handle: MHD_AccessHandlerCallback = {
    front, connection, _, method, version, _, _, exchange in
    guard let front = unsafe front, let connection = unsafe connection, let method = unsafe method,
      let exchange = unsafe exchange?.pointee
    else { return .NO }
    let goesOn = unsafe Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue().proceed(
      on: connection, method: String(cString: method), version: version, Calls.front(front))
    return goesOn ? .YES : .NO
  }

  static let complete: MHD_RequestCompletedCallback = { _, _, exchange, _ in
    guard let exchange = unsafe exchange, let kept = unsafe exchange.pointee else { return }
    unsafe Unmanaged<Exchange>.fromOpaque(kept).takeRetainedValue().ends()
    unsafe exchange.pointee = nil
  }

  private static func front(_ pointer: UnsafeMutableRawPointer) -> Front {
    unsafe Unmanaged<Front>.fromOpaque(pointer).takeUnretainedValue()
  }
}
