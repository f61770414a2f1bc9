import Files
import Foundation
import Glibc

/// Listens on loopback and answers as a test says.
final class TinyServer: Sendable {
  /// What was asked.
  struct Asked: Sendable {
    let path: String
    /// By names in lower case.
    let headers: [String: String]
    /// 1 for the first request to this path.
    let turn: Int
  }

  /// One accepted connection.
  final class Line: Sendable {
    private let socket: Int32
    private let isOpen = Guarded(true)

    init(_ socket: Int32) { self.socket = socket }

    deinit { _ = close(socket) }

    /// False when the other side is gone.
    @discardableResult
    func send(_ bytes: some Sequence<UInt8>) -> Bool {
      var rest = Array(bytes)[...]
      while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { bytes in
          unsafe Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(text.utf8) }

    /// An answer with its length.
    @discardableResult
    func answer(_ status: Int = 200, _ headers: [String] = [], _ body: String = "") -> Bool {
      let lines = ["HTTP/1.1 \(status) Word", "Content-Length: \(body.utf8.count)"] + headers
      return send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// Ends the connection.
    func hangUp() {
      isOpen.withLock { if $0 { _ = shutdown(socket, Int32(SHUT_RDWR)) } }
    }

    func read(_ room: inout [UInt8]) -> Int {
      unsafe recv(socket, &room, room.count, 0)
    }

    /// Waits until the other side ends the connection.
    func waitForEnd() {
      var room = [UInt8](repeating: 0, count: 1024)
      while read(&room) > 0 {}
    }
  }

  fileprivate struct State {
    var connections = 0
    var asked: [Asked] = []
    var running = 0
    var most = 0
    var lines: [Int: Line] = [:]
    var isStopped = false
  }

  private let socket: Int32
  let port: UInt16
  private let state = Guarded(State())

  /// - Parameters:
  ///   - host: Which address of this machine.
  ///   - answer: Called for each request, on a thread of its connection; one that hangs up ends it.
  init(
    on host: String = "127.0.0.1", answer: @escaping @Sendable (Asked, Line) -> Void
  ) {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    _ = unsafe inet_pton(AF_INET, host, &address.sin_addr)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // The address is a socket address of the size that is told.
    let port: UInt16 = unsafe withUnsafeMutableBytes(of: &address) { bytes in
      guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        unsafe bind(socket, start, size) == 0, listen(socket, 512) == 0,
        unsafe getsockname(socket, start, &size) == 0
      else { preconditionFailure("cannot listen: error \(errno)") }
      return unsafe UInt16(bigEndian: bytes.loadUnaligned(as: sockaddr_in.self).sin_port)
    }
    self.socket = socket
    self.port = port
    let state = state
    Thread { TinyServer.accept(socket, state, answer) }.start()
  }

  deinit {
    let lines = state.withLock { state in
      state.isStopped = true
      return state.lines
    }
    for line in lines.values { line.hangUp() }
    _ = shutdown(socket, Int32(SHUT_RDWR))
  }

  var connections: Int { state.withLock(\.connections) }
  var asked: [Asked] { state.withLock(\.asked) }
  /// How many requests were being answered at once at most.
  var most: Int { state.withLock(\.most) }
  var running: Int { state.withLock(\.running) }

  func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  private static func accept(
    _ socket: Int32, _ state: Guarded<State>, _ answer: @escaping @Sendable (Asked, Line) -> Void
  ) {
    while true {
      let accepted = Glibc.accept(socket, nil, nil)
      if accepted < 0 { break }
      let line = Line(accepted)
      let number: Int? = state.withLock { state in
        if state.isStopped { return nil }
        state.connections += 1
        state.lines[state.connections] = line
        return state.connections
      }
      guard let number else { break }
      Thread {
        serve(line, state, answer)
        state.withLock { $0.lines[number] = nil }
        line.hangUp()
      }.start()
    }
    _ = close(socket)
  }

  private static func serve(
    _ line: Line, _ state: Guarded<State>, _ answer: @Sendable (Asked, Line) -> Void
  ) {
    var waiting: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      while true {
        let text = String(decoding: waiting, as: UTF8.self)
        if let end = text.range(of: "\r\n\r\n") {
          waiting = []
          let asked = state.withLock { $0.note(String(text[..<end.lowerBound])) }
          answer(asked, line)
          state.withLock { $0.running -= 1 }
          break
        }
        let count = line.read(&room)
        if count <= 0 { return }
        waiting += room.prefix(count)
      }
    }
  }
}

extension TinyServer.State {
  fileprivate mutating func note(_ head: String) -> TinyServer.Asked {
    let lines = head.components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    let path = words.count > 1 ? String(words[1]) : ""
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] =
        parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
    }
    let turn = asked.count { $0.path == path } + 1
    let one = TinyServer.Asked(path: path, headers: headers, turn: turn)
    asked.append(one)
    running += 1
    most = max(most, running)
    return one
  }
}
