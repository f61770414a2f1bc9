import CMicroHTTPD
import Files
import Foundation

/// One request from its first line to its reply.
@safe
final class RequestState: @unchecked Sendable {
  // Sendable since only the thread that serves the connection touches the variables; the reply,
  // which another thread may bring, is behind a lock.
  private var request = Request()
  private var hasBegun = false
  private var isDelegated = false
  let connection: Connection
  private let reply = Guarded<Reply?>(nil)
  /// Where the library keeps the target; only compared.
  private let target: UInt

  init(_ target: UnsafePointer<CChar>?, on connection: Connection) {
    self.connection = connection
    self.target = UInt(bitPattern: target)
    guard let target = unsafe target else { return }
    // The library has ended it with a zero byte.
    unsafe request.target = Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
  }

  /// Called when the head is there, when the body would be, and after each pause.
  ///
  /// False ends the connection.
  func proceed(
    on pointer: OpaquePointer, method: String, version: UnsafePointer<CChar>?,
    _ server: ServerState
  ) -> Bool {
    if !hasBegun {
      hasBegun = true
      connection.requestBegan()
      unsafe readHead(pointer, method: method, version: version)
      // A reply at this first call makes the library drop what follows on the connection. Only an
      // unclear request needs that; all others are answered at the second call.
      guard request.isUnclear else { return true }
    }
    if let reply = reply.withLock({ $0.take() }) { return unsafe send(reply, on: pointer, server) }
    // Resumed without a reply: the client has gone, or the server stops.
    if isDelegated { return false }
    let handler = server.handler
    switch handler.answer(request) {
    case .reply(let reply): return unsafe send(reply, on: pointer, server)
    case .events: return unsafe startStream(on: pointer, server)
    case .largeText(let path):
      return delegate(to: server.largeTexts) { handler.makeLargeText(path, $0) }
    case .missing(let path):
      return delegate(to: server.fallbacks) { handler.askFallback(path, $0) }
    }
  }

  /// Pauses the connection until a thread of the pool has made the reply.
  private func delegate(
    to pool: ThreadPool, _ answer: @escaping @Sendable (Request) -> Reply?
  ) -> Bool {
    isDelegated = true
    guard connection.pause() else { return false }
    let request = request
    pool.add { [self] in
      // A request whose client has gone is dropped before it runs.
      guard connection.isWaiting else { return }
      let reply = answer(request)
      self.reply.withLock { $0 = reply }
      connection.resume()
    }
    return true
  }

  private func startStream(on pointer: OpaquePointer, _ server: ServerState) -> Bool {
    let handler = server.handler
    guard let stream = handler.live.open(for: connection, limit: server.settings.streams) else {
      return unsafe send(handler.refuse(.tooManyStreams), on: pointer, server)
    }
    connection.streamStarted(stream)
    return unsafe send(.events(stream), on: pointer, server)
  }

  private func send(_ reply: Reply?, on pointer: OpaquePointer, _ server: ServerState) -> Bool {
    guard let reply else { return false }
    if let size = reply.size {
      connection.replyStarted(toBeReadWithin: server.settings.timeToSend(size))
    }
    return unsafe reply.queue(on: pointer)
  }

  /// The corresponding C function is `MHD_get_connection_values_n`.
  private func readHead(
    _ pointer: OpaquePointer, method: String, version: UnsafePointer<CChar>?
  ) {
    request.method = method
    // A zero byte in the target hides the rest of it; then the version does not come next.
    if target != 0, UInt(bitPattern: version) != target + UInt(request.target.count) + 1 {
      request.target = []
    }
    // The reference is used during the call alone.
    _ = unsafe MHD_get_connection_values_n(
      pointer, .HEADER_KIND,
      { state, _, name, nameSize, value, valueSize in
        guard let state = unsafe state, let name = unsafe name else { return .YES }
        unsafe Unmanaged<RequestState>.fromOpaque(state).takeUnretainedValue().request.take(
          UnsafeRawBufferPointer(start: name, count: nameSize),
          UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize))
        return .YES
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
