import Files

/// A local web server that follows a script, valid or not.
///
/// Each connection has a thread and stays open after a script unless the script closes it.
package final class ScriptedServer: Sendable {
  package typealias Script = @Sendable (Request) -> [Step]

  package struct Request: Sendable {
    package let method: String
    /// The path with its query.
    package let target: String
    /// The headers in order, with their original names.
    package let headers: [(name: String, value: String)]
    /// The body, read according to Content-Length.
    package let body: [UInt8]
    /// The connection's number, starting at 1.
    package let connection: Int
    /// The number of the request for this target, starting at 1.
    package let attempt: Int
    package let time: ContinuousClock.Instant

    /// Returns the first header with this name, ignoring case.
    package subscript(name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  package let address: String
  package let port: UInt16
  private let listener: Socket
  private let desk: Desk

  /// Starts a server whose `greeting` runs on each connection before the first request.
  ///
  /// Servers that share a `gauge` count their requests together.
  package convenience init(
    address: String = "127.0.0.1", port: UInt16 = 0, greeting: [Step] = [],
    gauge: Gauge = Gauge(), _ script: @escaping Script
  ) throws {
    self.init(
      at: address, try Socket(listeningOn: address, port: port), greeting: greeting, gauge: gauge,
      script)
  }

  /// Uses a listening socket, and closes it when the server is released.
  package init(
    at address: String, _ listener: Socket, greeting: [Step] = [], gauge: Gauge = Gauge(),
    _ script: @escaping Script
  ) {
    desk = Desk(gauge)
    self.address = address
    self.listener = listener
    port = listener.port
    Thread.detachNewThread { [listener, desk] in
      while let socket = listener.accept() {
        guard let number = desk.open(socket) else { break }
        Thread.detachNewThread {
          ScriptedConnection(socket, number: number, desk: desk)
            .run(greeting: greeting, script)
          desk.close(socket)
        }
      }
      listener.close()
    }
  }

  /// Starts a server with a script for each path, and 404 for other paths.
  package convenience init(_ scripts: [String: [Step]]) throws {
    try self.init { scripts[$0.target] ?? [.answer(404)] }
  }

  deinit {
    listener.shut()
    desk.shut()
  }

  package var host: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }

  package func url(_ target: String = "/") -> String { "http://\(host)\(target)" }

  package var requests: [Request] { desk.notes.withLock { $0.requests } }

  package func requests(_ target: String) -> [Request] { requests.filter { $0.target == target } }

  /// The number of connections, including closed ones.
  package var connections: Int { desk.notes.withLock { $0.connections } }

  package var openConnections: Int { desk.notes.withLock { $0.open.count } }

  /// The number of requests whose script is still running.
  package var unfinished: Int { desk.notes.withLock { $0.unfinished } }

  /// The number of connections that the client closed first.
  package var abandoned: Int { desk.notes.withLock { $0.abandoned } }

  /// The largest number of parallel requests.
  ///
  /// A request counts until the last step of its script starts, because from then on, the client
  /// may have received its response.
  package var mostRequests: Int { desk.gauge.most }

  /// Waits until the client has closed `times` connections, and returns false on timeout.
  package func isAbandoned(times: Int = 1) -> Bool { eventually { abandoned >= times } }

  /// The shared state of a server's connections.
  final class Desk: Sendable {
    struct Notes {
      var requests: [Request] = []
      var attempts: [String: Int] = [:]
      var connections = 0
      var open: [Int32: Socket] = [:]
      var abandoned = 0
      var unfinished = 0
      var isShut = false
    }

    let notes = Locked(Notes())
    let gauge: Gauge

    init(_ gauge: Gauge) { self.gauge = gauge }

    /// Returns the connection's number, or nil if the server has stopped.
    func open(_ socket: Socket) -> Int? {
      notes.withLock { notes in
        if notes.isShut {
          socket.close()
          return nil
        }
        notes.connections += 1
        notes.open[socket.descriptor] = socket
        return notes.connections
      }
    }

    /// Closes the socket under the lock, because `shut` could act on a reused descriptor otherwise.
    func close(_ socket: Socket) {
      notes.withLock { notes in
        notes.open[socket.descriptor] = nil
        socket.close()
      }
    }

    func shut() {
      notes.withLock { notes in
        notes.isShut = true
        for socket in notes.open.values { socket.shut() }
      }
    }

    func abandon() {
      notes.withLock { notes in
        if !notes.isShut { notes.abandoned += 1 }
      }
    }

    func begin(_ make: (_ attempts: [String: Int]) -> Request) -> Request {
      gauge.begin()
      return notes.withLock { notes in
        let request = make(notes.attempts)
        notes.attempts[request.target] = request.attempt
        notes.requests.append(request)
        notes.unfinished += 1
        return request
      }
    }

    func end() { gauge.end() }
  }

  /// Counts parallel requests to one or more servers.
  package final class Gauge: Sendable {
    private let counts = Locked((now: 0, most: 0))

    package init() {}

    package var most: Int { counts.withLock(\.most) }

    func begin() {
      counts.withLock { counts in
        counts.now += 1
        counts.most = max(counts.most, counts.now)
      }
    }

    func end() { counts.withLock { $0.now -= 1 } }
  }
}
