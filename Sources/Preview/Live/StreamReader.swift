/// Brings the events of a stream to the connection that waits for them.
final class StreamReader: Sendable {
  private let stream: EventStream
  private let visitor: Visitor
  private let live: LiveChannel

  init(_ stream: EventStream, for visitor: Visitor, of live: LiveChannel) {
    self.stream = stream
    self.visitor = visitor
    self.live = live
  }

  /// Called on the thread that serves the connection.
  ///
  /// - Parameter room: Where to put what there is.
  /// - Returns: How much was put; 0 to be called again after the pause; -2 to end the connection.
  func read(into room: UnsafeMutableRawBufferPointer) -> Int {
    if visitor.isDismissed { return -2 }
    return unsafe stream.read(into: room) { visitor.pause() ? 0 : -2 }
  }

  func end() {
    live.close(stream)
  }
}
