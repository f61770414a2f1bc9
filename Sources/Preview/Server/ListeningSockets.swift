import Files
import Glibc

/// The sockets that listen on one port: on 127.0.0.1 and ::1, or on the specified address.
struct ListeningSockets: Sendable {
  let port: UInt16
  let sockets: [Int32]

  init(_ settings: PreviewSettings) throws(PreviewError) {
    let isLoopback = settings.host == nil || settings.host == "localhost"
    let hosts = isLoopback ? ["127.0.0.1", "::1"] : [settings.host ?? ""]
    let ports: [UInt16] =
      switch settings.port {
      case nil: Array(8080...8180)
      // A random port may be in use on one of the addresses.
      case 0: Array(repeating: 0, count: 100)
      case let port?: [port]
      }
    for port in ports {
      if let found = try ListeningSockets(hosts, port) {
        self = found
        return
      }
    }
    if let port = settings.port, port != 0 { throw .portTaken(port) }
    throw .noFreePort
  }

  /// Listens on the same port on each address; returns nil if the port is in use on any of them.
  private init?(_ hosts: [String], _ wanted: UInt16) throws(PreviewError) {
    var port = wanted
    var sockets: [Int32] = []
    for host in hosts {
      do throws(FileError) {
        let (socket, bound) = try ListeningSockets.open(host, port)
        sockets.append(socket)
        port = bound
      } catch {
        // The server can run without IPv6, as long as the IPv4 address works.
        let isMissing = [EADDRNOTAVAIL, EAFNOSUPPORT, EINVAL].contains(error.code)
        if isMissing, !sockets.isEmpty { continue }
        for socket in sockets { _ = close(socket) }
        if error.code == EADDRINUSE { return nil }
        if isMissing { throw .badHost(host) }
        throw .system(call: error.operation, message: error.explanation)
      }
    }
    self.port = port
    self.sockets = sockets
  }

  private static func open(
    _ host: String, _ port: UInt16
  ) throws(FileError) -> (socket: Int32, port: UInt16) {
    var hints = unsafe addrinfo()
    unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, "\(port)", &hints, &list) == 0, let found = unsafe list else {
      throw FileError("getaddrinfo", path: host, code: EINVAL)
    }
    defer { unsafe freeaddrinfo(list) }
    let address = unsafe found.pointee
    let type = unsafe address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let number = unsafe socket(address.ai_family, type, 0)
    if number < 0 { throw FileError("socket", path: host, code: errno) }
    do throws(FileError) {
      // Connections left by a previous server must not block the port (TIME_WAIT).
      set(number, SOL_SOCKET, SO_REUSEADDR, 1)
      // `::` means all addresses, including IPv4.
      if unsafe address.ai_family == AF_INET6 {
        set(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, host == "::" ? 0 : 1)
      }
      if unsafe bind(number, address.ai_addr, address.ai_addrlen) != 0 {
        throw FileError("bind", path: host, code: errno)
      }
      if listen(number, 1024) != 0 { throw FileError("listen", path: host, code: errno) }
      return (number, try boundPort(of: number))
    } catch {
      _ = close(number)
      throw error
    }
  }

  private static func set(_ socket: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    _ = unsafe setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func boundPort(of socket: Int32) throws(FileError) -> UInt16 {
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    // Both address types fit in the buffer, and have the port at the same offset.
    let status = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(socket, $0, &size)
      }
    }
    if status != 0 { throw FileError("getsockname", path: "", code: errno) }
    return UInt16(bigEndian: address.sin6_port)
  }
}
