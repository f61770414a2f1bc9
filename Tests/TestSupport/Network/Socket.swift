import Glibc

/// A local socket, which its creator must close.
package struct Socket: Sendable {
  package enum Failure: Error {
    case refused(String, code: Int32)
  }

  package enum Reading: Hashable, Sendable {
    case bytes([UInt8])
    /// The other side closed or reset the connection.
    case end
    case late
  }

  package let descriptor: Int32

  package init(listeningOn address: String, port: UInt16 = 0) throws {
    try self.init(holding: address, port: port)
    guard listen(descriptor, 1_024) == 0 else { throw failed("listen on \(address)") }
  }

  /// Reserves a port without listening.
  package init(holding address: String, port: UInt16 = 0, isStream: Bool = true) throws {
    self.init(address, isStream: isStream)
    var yes: Int32 = 1
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(4))
    let bound = unsafe Socket.withAddress(address, port) { start, size in
      unsafe bind(descriptor, start, size)
    }
    guard bound == 0 else { throw failed("bind to \(address) port \(port)") }
  }

  package init(to port: UInt16, at address: String = "127.0.0.1") throws {
    self.init(address)
    let connected = unsafe Socket.withAddress(address, port) { start, size in
      unsafe connect(descriptor, start, size)
    }
    guard connected == 0 else { throw failed("connect to \(address) port \(port)") }
  }

  private init(_ address: String, isStream: Bool = true) {
    let kind = isStream ? SOCK_STREAM : SOCK_DGRAM
    let family = address.contains(":") ? AF_INET6 : AF_INET
    self.init(descriptor: socket(family, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0))
  }

  package init(descriptor: Int32) { self.descriptor = descriptor }

  package static func pair() throws -> (Socket, Socket) {
    var both: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &both) == 0 else {
      throw Failure.refused("create a socket pair", code: errno)
    }
    return (Socket(descriptor: both[0]), Socket(descriptor: both[1]))
  }

  /// Returns a port that is free now, although another process may take it.
  package static func freePort() throws -> UInt16 {
    let socket = try Socket(listeningOn: "127.0.0.1")
    defer { socket.close() }
    return socket.port
  }

  private func failed(_ what: String) -> Failure {
    let code = errno
    close()
    return .refused(what, code: code)
  }

  private static func withAddress(
    _ text: String, _ port: UInt16,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    if text.contains(":") {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      guard unsafe inet_pton(AF_INET6, text, &address.sin6_addr) == 1 else { return -1 }
      return unsafe rebound(&address, body)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    guard unsafe inet_pton(AF_INET, text, &address.sin_addr) == 1 else { return -1 }
    return unsafe rebound(&address, body)
  }

  private static func rebound<Address>(
    _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    // The buffer is large enough for a socket address.
    unsafe withUnsafeBytes(of: &address) { bytes in
      guard let start = bytes.baseAddress else { return -1 }
      return unsafe body(start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
  }

  package var port: UInt16 {
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let status = unsafe withUnsafeMutableBytes(of: &address) { bytes in
      guard let start = bytes.baseAddress else { return Int32(-1) }
      return unsafe getsockname(descriptor, start.assumingMemoryBound(to: sockaddr.self), &size)
    }
    // Both address families have the port at the same offset.
    return status == 0 ? UInt16(bigEndian: address.sin6_port) : 0
  }

  /// Waits for a client, and returns nil after `shut`.
  package func accept() -> Socket? {
    while true {
      let accepted = Glibc.accept(descriptor, nil, nil)
      if accepted >= 0 {
        // Without this flag, a program that starts at the same time would keep the socket open.
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        var yes: Int32 = 1
        _ = unsafe setsockopt(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(4))
        return Socket(descriptor: accepted)
      }
      // Continues, because an error affects only one client, and descriptors become free again.
      guard [EINTR, ECONNABORTED, EMFILE, ENFILE].contains(errno) else { return nil }
      if errno != EINTR { usleep(2_000) }
    }
  }

  /// Waits until the other side has closed the connection, without a time limit if `time` is nil.
  package func hasLeft(within time: Duration?) -> Bool {
    // Waits for POLLRDHUP, because unread data would end a wait for POLLIN.
    let left: Int16 = 0x2000
    let end = time.map { ContinuousClock.now + $0 }
    while true {
      var question = pollfd(fd: descriptor, events: left, revents: 0)
      let count = unsafe poll(&question, 1, Socket.milliseconds(until: end))
      if count > 0 { return true }
      if let end, ContinuousClock.now >= end { return false }
      if count < 0, errno != EINTR { return true }
    }
  }

  private static func milliseconds(until end: ContinuousClock.Instant?) -> Int32 {
    guard let end else { return -1 }
    let left = (end - .now).components
    let time = left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1
    return Int32(min(max(time, 0), 600_000))
  }

  /// Sends all bytes, and returns false if the other side has closed the connection.
  @discardableResult
  package func send(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { all in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: all[sent...])
        return unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  package func receive(within time: Duration? = nil) -> Reading {
    let end = time.map { ContinuousClock.now + $0 }
    while true {
      var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&question, 1, Socket.milliseconds(until: end)) > 0 else {
        if let end, ContinuousClock.now >= end { return .late }
        continue
      }
      var room = [UInt8](repeating: 0, count: 1 << 16)
      let count = unsafe recv(descriptor, &room, room.count, 0)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? .bytes(Array(room.prefix(count))) : .end
    }
  }

  /// Reads until the other side closes the connection or the time is up.
  package func rest(within time: Duration = .seconds(60)) -> [UInt8] {
    let end = ContinuousClock.now + time
    var all: [UInt8] = []
    while case .bytes(let bytes) = receive(within: end - .now) { all += bytes }
    return all
  }

  /// Waits for a packet and replies to it; returns false after `shut`.
  package func answerPacket(_ answer: ([UInt8]) -> [UInt8]?) -> Bool {
    var packet = [UInt8](repeating: 0, count: 4_096)
    var sender = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Both buffers have the given sizes and outlive the calls.
    return unsafe withUnsafeMutablePointer(to: &sender) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        let count = unsafe recvfrom(descriptor, &packet, packet.count, 0, pointer, &size)
        guard count > 0 else { return count < 0 && errno == EINTR }
        if let bytes = answer(Array(packet.prefix(count))) {
          _ = unsafe sendto(descriptor, bytes, bytes.count, 0, pointer, size)
        }
        return true
      }
    }
  }

  /// Receives sockets that another process sends with one byte, or fewer if the process exited.
  package func receiveSockets(_ count: Int) -> [Socket] {
    // The descriptors follow a header of 16 bytes.
    var control = [Int32](repeating: 0, count: 4 + (count + 1) / 2 * 2)
    var byte: UInt8 = 0
    // The message's pointers are valid during the call.
    let received = unsafe withUnsafeMutableBytes(of: &byte) { byte in
      unsafe control.withUnsafeMutableBytes { control in
        var piece = unsafe iovec(iov_base: byte.baseAddress, iov_len: 1)
        return unsafe withUnsafeMutablePointer(to: &piece) { piece in
          var message = unsafe msghdr(
            msg_name: nil, msg_namelen: 0, msg_iov: piece, msg_iovlen: 1,
            msg_control: control.baseAddress, msg_controllen: control.count, msg_flags: 0)
          return unsafe recvmsg(descriptor, &message, Int32(MSG_CMSG_CLOEXEC))
        }
      }
    }
    guard received == 1 else { return [] }
    return control[4...].prefix((Int(control[0]) - 16) / 4).map(Socket.init(descriptor:))
  }

  package func finish() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// Shuts down both directions and wakes waiting threads.
  package func shut() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  package func close() { _ = Glibc.close(descriptor) }

  /// Makes `close` reset the connection.
  package func willReset() {
    var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
  }
}
