import Files

/// A web server on this machine that does what a test tells it, right or wrong.
///
/// Each connection has a thread of its own. After a script the connection stays open for the next
/// request, unless the script has ended it. All is closed when the server is gone.
package final class ScriptedServer: Sendable {
  package typealias Script = @Sendable (Request) -> [Step]

  /// What was asked.
  package struct Request: Sendable {
    package let method: String
    /// The path, and the query if there is one.
    package let target: String
    /// In their order, names as they came.
    package let headers: [(name: String, value: String)]
    /// As long as its length says.
    package let body: [UInt8]
    /// From 1; connections count from 1 too.
    package let connection: Int
    /// Counts the requests for this target, from 1.
    package let attempt: Int
    package let time: ContinuousClock.Instant

    /// The first header of a name, however it is written.
    package subscript(name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  package let address: String
  package let port: UInt16
  private let listener: Socket
  private let desk: Desk

  /// Starts it.
  ///
  /// - Parameters:
  ///   - address: An address of this machine.
  ///   - port: Any that is free when it is 0.
  ///   - greeting: What it does with each connection before it reads anything.
  ///   - gauge: Where several servers count together.
  ///   - script: What it does after each request.
  /// - Throws: When the port is taken.
  package convenience init(
    address: String = "127.0.0.1", port: UInt16 = 0, greeting: [Step] = [],
    gauge: Gauge = Gauge(), _ script: @escaping Script
  ) throws {
    self.init(
      at: address, try Socket(listeningOn: address, port: port), greeting: greeting, gauge: gauge,
      script)
  }

  /// Starts it with a socket that listens already, and closes that at its end.
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

  /// Starts it with a script for each path; another path is not found.
  package convenience init(_ scripts: [String: [Step]]) throws {
    try self.init { scripts[$0.target] ?? [.answer(404)] }
  }

  deinit {
    listener.shut()
    desk.shut()
  }

  /// `127.0.0.1:41234`.
  package var host: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }

  package func url(_ target: String = "/") -> String { "http://\(host)\(target)" }

  // MARK: - What happened

  /// In the order in which they came.
  package var requests: [Request] { desk.notes.withLock { $0.requests } }

  package func requests(_ target: String) -> [Request] { requests.filter { $0.target == target } }

  /// All that ever were.
  package var connections: Int { desk.notes.withLock { $0.connections } }

  /// Those that are open.
  package var openConnections: Int { desk.notes.withLock { $0.open.count } }

  /// Requests whose script has not come to its end.
  package var unfinished: Int { desk.notes.withLock { $0.unfinished } }

  /// Those that the client has ended before the server did.
  package var abandoned: Int { desk.notes.withLock { $0.abandoned } }

  /// The most requests that were being answered at the same time.
  ///
  /// Each counts from when all of it has come until the last step of its script begins: then the
  /// client may have its answer.
  package var mostRequests: Int { desk.gauge.most }

  /// Waits until the client has ended so many connections; false when it does not.
  package func isAbandoned(times: Int = 1) -> Bool {
    eventually { abandoned >= times }
  }
}

extension ScriptedServer {
  /// What all connections of a server write down.
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

    init(_ gauge: Gauge) {
      self.gauge = gauge
    }

    /// The number of the connection; nil when the server is gone.
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

    /// Closes under the lock: else `shut` might meet a descriptor that has become another's.
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

    func end() {
      gauge.end()
    }
  }

  /// How many requests are being answered, by one server or by several together.
  package final class Gauge: Sendable {
    private let counts = Locked((now: 0, most: 0))

    package init() {}

    /// The most at the same time.
    package var most: Int { counts.withLock(\.most) }

    func begin() {
      counts.withLock { counts in
        counts.now += 1
        counts.most = max(counts.most, counts.now)
      }
    }

    func end() {
      counts.withLock { $0.now -= 1 }
    }
  }
}
