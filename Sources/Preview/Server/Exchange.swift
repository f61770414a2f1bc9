import CMicroHTTPD
import Files
import Foundation

/// One request on its way to its answer.
@safe
final class Exchange: @unchecked Sendable {
  // Sendable since only the thread that serves the connection touches the variables; the reply,
  // which another thread may bring, is behind a lock.
  private var request = Request()
  private var hasBegun = false
  private var isAsked = false
  private let visitor: Visitor
  private let reply = Guarded<Reply?>(nil)
  /// Where the library keeps the target; only compared.
  private let target: UInt

  init(_ target: UnsafePointer<CChar>?, of visitor: Visitor) {
    self.visitor = visitor
    self.target = UInt(bitPattern: target)
    guard let target = unsafe target else { return }
    // The library has ended it with a zero byte.
    unsafe request.target = Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
  }

  /// Called when the head is there, when the body would be, and after each pause.
  ///
  /// - Returns: Whether the connection goes on.
  func proceed(
    on connection: OpaquePointer, method: String, version: UnsafePointer<CChar>?, _ front: Front
  ) -> Bool {
    if !hasBegun {
      hasBegun = true
      visitor.asks()
      unsafe read(connection, method: method, version: version)
      // Answered at once, nothing more of the connection is read. Otherwise an answer is not given
      // before the library asks for it the second time, or it would end the connection too.
      guard request.isUnclear else { return true }
    }
    if let reply = reply.withLock({ $0.take() }) {
      return unsafe send(reply, on: connection, front)
    }
    // Resumed, and yet nothing is there: it has left, or everybody is sent home.
    if isAsked { return false }
    switch front.desk.answer(request) {
    case .reply(let reply): return unsafe send(reply, on: connection, front)
    case .events: return unsafe listen(on: connection, front)
    case .heavy(let path):
      return wait(front.working) { request in front.desk.answerHeavy(path, request) }
    case .later(let path):
      return wait(front.waiting) { request in front.desk.answerLater(path, request) }
    }
  }

  /// Leaves the connection alone until there is an answer.
  private func wait(
    _ errands: Errands, for answer: @escaping @Sendable (Request) -> Reply?
  ) -> Bool {
    isAsked = true
    guard visitor.pause() else { return false }
    let request = request
    errands.add { [self] in
      // Nobody works for someone who has left while he stood in the line.
      guard visitor.isWaiting else { return }
      let reply = answer(request)
      self.reply.withLock { $0 = reply }
      visitor.resume()
    }
    return true
  }

  private func send(_ reply: Reply?, on connection: OpaquePointer, _ front: Front) -> Bool {
    guard let reply else { return false }
    if let size = reply.size { visitor.reads(for: front.settings.timeToSend(size)) }
    return unsafe reply.queue(on: connection)
  }

  /// The corresponding C function is `MHD_get_connection_values_n`.
  private func read(
    _ connection: OpaquePointer, method: String, version: UnsafePointer<CChar>?
  ) {
    request.method = method
    // A zero byte in the target hides the rest of it; then the version does not come next.
    if target != 0, UInt(bitPattern: version) != target + UInt(request.target.count) + 1 {
      request.target = []
    }
    // The reference is used during the call alone.
    _ = unsafe MHD_get_connection_values_n(
      connection, .HEADER_KIND,
      { exchange, _, name, nameSize, value, valueSize in
        guard let exchange = unsafe exchange, let name = unsafe name else { return .YES }
        let nameBytes = unsafe UnsafeRawBufferPointer(start: name, count: nameSize)
        let valueBytes = unsafe UnsafeRawBufferPointer(
          start: value, count: value == nil ? 0 : valueSize)
        unsafe Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue().request.take(
          nameBytes, valueBytes)
        return .YES
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func listen(on connection: OpaquePointer, _ front: Front) -> Bool {
    let visitor = visitor
    let stream = front.desk.live.open(limit: front.settings.streams) { visitor.resume() }
    guard let stream else {
      return unsafe send(front.desk.refuse(.tooManyStreams, request), on: connection, front)
    }
    visitor.listens(to: stream)
    let reader = StreamReader(stream, for: visitor, of: front.desk.live)
    return unsafe send(front.desk.events(reader), on: connection, front)
  }

  func ends() {
    visitor.isAnswered()
  }
}
