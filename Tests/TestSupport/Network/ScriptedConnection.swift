import Files

/// A client's connection to a scripted server, on a separate thread.
struct ScriptedConnection {
  private enum Outcome {
    case goesOn
    case ended
  }

  private let socket: Socket
  private let number: Int
  private let desk: ScriptedServer.Desk
  /// The received bytes that are not parsed yet.
  private var unread: [UInt8] = []

  /// The maximum size of a header.
  private static let limit = 1 << 20

  init(_ socket: Socket, number: Int, desk: ScriptedServer.Desk) {
    self.socket = socket
    self.number = number
    self.desk = desk
  }

  consuming func run(greeting: [ScriptedServer.Step], _ script: ScriptedServer.Script) {
    for step in greeting {
      guard perform(step) == .goesOn else { return }
    }
    while let request = nextRequest() {
      defer { desk.notes.withLock { $0.unfinished -= 1 } }
      let steps = script(request)
      if steps.isEmpty { desk.end() }
      for (index, step) in steps.enumerated() {
        if index == steps.count - 1 { desk.end() }
        guard perform(step) == .goesOn else {
          if index < steps.count - 1 { desk.end() }
          return
        }
      }
    }
  }

  private mutating func nextRequest() -> ScriptedServer.Request? {
    let mark = Array("\r\n\r\n".utf8)
    var looked = 0
    while unread.count < Self.limit {
      while looked + mark.count <= unread.count {
        if unread[looked..<(looked + mark.count)].elementsEqual(mark) {
          let head = String(decoding: unread[..<looked], as: UTF8.self)
          unread.removeFirst(looked + mark.count)
          return note(head)
        }
        looked += 1
      }
      guard case .bytes(let bytes) = socket.receive() else { break }
      unread += bytes
    }
    desk.abandon()
    return nil
  }

  private mutating func note(_ head: String) -> ScriptedServer.Request {
    let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines.first?.split(separator: " ") ?? []
    let headers = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
      return (name: String(parts[0]), value: String(value))
    }
    let target = words.count > 1 ? String(words[1]) : ""
    let length = headers.first { $0.name.lowercased() == "content-length" }
    let count = length.flatMap { Int($0.value) } ?? 0
    while unread.count < count, case .bytes(let bytes) = socket.receive() { unread += bytes }
    let body = unread.prefix(count)
    unread.removeFirst(body.count)
    return desk.begin { attempts in
      ScriptedServer.Request(
        method: words.first.map(String.init) ?? "", target: target, headers: headers,
        body: Array(body), connection: number, attempt: attempts[target, default: 0] + 1, time: .now
      )
    }
  }

  private func perform(_ step: ScriptedServer.Step) -> Outcome {
    switch step {
    case .bytes(let bytes):
      return goesOn(socket.send(bytes))
    case .pause(let seconds):
      return goesOn(!socket.hasLeft(within: .seconds(seconds)))
    case .drip(let bytes, let seconds):
      for byte in bytes {
        guard socket.send([byte]), !socket.hasLeft(within: .seconds(seconds)) else {
          return goesOn(false)
        }
      }
      return .goesOn
    case .forever(let bytes):
      while socket.send(bytes) {}
      return goesOn(false)
    case .close:
      // Closing a socket with unread data resets the connection and loses sent data.
      socket.finish()
      while case .bytes = socket.receive(within: .seconds(5)) {}
      return .ended
    case .reset:
      socket.willReset()
      return .ended
    case .hold:
      return goesOn(!socket.hasLeft(within: nil))
    }
  }

  private func goesOn(_ isThere: Bool) -> Outcome {
    if !isThere { desk.abandon() }
    return isThere ? .goesOn : .ended
  }
}
