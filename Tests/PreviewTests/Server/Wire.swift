import TestSupport

/// A raw connection to a local server.
final class Wire {
  private let socket: Socket
  private var waiting: [UInt8] = []
  private(set) var hasEnded = false

  /// Connects to 127.0.0.1, or with `isNew` to ::1, and returns nil if the connection is refused.
  init?(to port: UInt16, isNew: Bool = false) {
    guard let socket = try? Socket(to: port, at: isNew ? "::1" : "127.0.0.1") else { return nil }
    self.socket = socket
  }

  deinit { socket.close() }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) { socket.send(bytes) }

  /// Ends the sending side.
  func finish() { socket.finish() }

  /// Waits for more bytes, and returns false at the end or on timeout.
  private func more(until end: ContinuousClock.Instant) -> Bool {
    if hasEnded { return false }
    switch socket.receive(within: end - .now) {
    case .bytes(let bytes):
      waiting += bytes
      return true
    case .end:
      hasEnded = true
      return false
    case .late: return false
    }
  }

  /// Returns all bytes until the other side ends or the time is up.
  func rest(within time: Duration = .seconds(60)) -> [UInt8] {
    let end = ContinuousClock.now + time
    while more(until: end) {}
    defer { waiting = [] }
    return waiting
  }

  /// Reads `count` bytes, or fewer if the other side ends.
  func bytes(_ count: Int, within time: Duration = .seconds(60)) -> [UInt8] {
    let end = ContinuousClock.now + time
    while waiting.count < count, more(until: end) {}
    defer { waiting.removeFirst(min(count, waiting.count)) }
    return Array(waiting.prefix(count))
  }

  /// Reads up to and including a text, and returns nil if it does not arrive.
  func text(through mark: String, within time: Duration = .seconds(60)) -> String? {
    let end = ContinuousClock.now + time
    let wanted = Array(mark.utf8)
    var start = 0
    while true {
      while start + wanted.count <= waiting.count {
        if waiting[start..<(start + wanted.count)].elementsEqual(wanted) {
          let text = String(decoding: waiting[..<(start + wanted.count)], as: UTF8.self)
          waiting.removeFirst(start + wanted.count)
          return text
        }
        start += 1
      }
      guard more(until: end) else { return nil }
    }
  }

  /// Returns whether the other side ends the connection in time, and discards received bytes.
  func ends(within time: Duration) -> Bool {
    let end = ContinuousClock.now + time
    while more(until: end) { waiting = [] }
    return hasEnded
  }

  /// Reads one response, without a body after HEAD; nil if the connection ends without one.
  func answer(hasBody: Bool = true, within time: Duration = .seconds(60)) -> WireAnswer? {
    guard let head = text(through: "\r\n\r\n", within: time) else { return nil }
    let lines = head.split(separator: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count > 1, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      return nil
    }
    // The interim response is skipped.
    if status == 100 { return answer(hasBody: hasBody, within: time) }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers[line[..<colon].lowercased()] = String(value)
    }
    if !hasBody || status == 304 { return WireAnswer(status: status, headers: headers, body: []) }
    guard let length = headers["content-length"].flatMap(Int.init) else { return nil }
    let body = bytes(length, within: time)
    return body.count == length ? WireAnswer(status: status, headers: headers, body: body) : nil
  }
}

struct WireAnswer {
  let status: Int
  /// The headers by lowercase name.
  let headers: [String: String]
  let body: [UInt8]

  var text: String { String(decoding: body, as: UTF8.self) }

  subscript(name: String) -> String? { headers[name] }
}
