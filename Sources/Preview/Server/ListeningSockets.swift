import Files
import Glibc

/// Sockets that listen on one port: on 127.0.0.1 and ::1, or at the user's address.
struct ListeningSockets: Sendable {
  let port: UInt16
  let sockets: [Int32]

  /// Tried in this order.
  private static let ports: ClosedRange<UInt16> = 8080...8180
  /// How often any free port is asked for, until one is free on both addresses.
  private static let attempts = 100

  init(_ settings: PreviewSettings) throws(PreviewError) {
    let isLoopback = settings.host == nil || settings.host == "localhost"
    let hosts = isLoopback ? ["127.0.0.1", "::1"] : [settings.host ?? ""]
    let ports: [UInt16] =
      switch settings.port {
      case nil: Array(ListeningSockets.ports)
      case 0: Array(repeating: 0, count: ListeningSockets.attempts)
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

  /// Listens on the same port of each address; nil when it is taken on one of them.
  private init?(_ hosts: [String], _ wanted: UInt16) throws(PreviewError) {
    var port = wanted
    var sockets: [Int32] = []
    for host in hosts {
      guard let address = AllowedHosts.address(host) else { throw .badHost(host) }
      do throws(Failure) {
        let (socket, bound) = try ListeningSockets.open(address, port)
        sockets.append(socket)
        port = bound
      } catch {
        // A machine without IPv6 is fine, if the other address works.
        let isMissing = [EADDRNOTAVAIL, EAFNOSUPPORT, EINVAL].contains(error.code)
        if isMissing, !sockets.isEmpty { continue }
        for socket in sockets { _ = close(socket) }
        if error.code == EADDRINUSE { return nil }
        if isMissing { throw .badHost(host) }
        throw .system(
          call: error.call, message: FileError(error.call, path: "", code: error.code).explanation)
      }
    }
    self.port = port
    self.sockets = sockets
  }

  private struct Failure: Error {
    let call: String
    let code = errno
  }

  /// The corresponding C functions are `socket`, `bind`, `listen` and `getsockname`.
  private static func open(
    _ address: [UInt8], _ port: UInt16
  ) throws(Failure) -> (socket: Int32, port: UInt16) {
    let isIPv4 = address.count == 4
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let number = socket(
      isIPv4 ? AF_INET : AF_INET6, type | Int32(SOCK_NONBLOCK.rawValue), 0)
    if number < 0 { throw Failure(call: "socket") }
    do throws(Failure) {
      // Connections of a server that has ended do not keep the port.
      set(number, SOL_SOCKET, SO_REUSEADDR, 1)
      // `::` means every address there is, those of IPv4 too.
      if !isIPv4 {
        set(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, address.allSatisfy { $0 == 0 } ? 0 : 1)
      }
      try bind(number, address, port)
      if listen(number, 1024) != 0 { throw Failure(call: "listen") }
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

  private static func bind(_ socket: Int32, _ bytes: [UInt8], _ port: UInt16) throws(Failure) {
    let isIPv4 = bytes.count == 4
    let size = isIPv4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    var storage = sockaddr_storage()
    // Both kinds of address fit into the storage: that is what it is for.
    let status = unsafe withUnsafeMutableBytes(of: &storage) { room in
      unsafe room.storeBytes(of: sa_family_t(isIPv4 ? AF_INET : AF_INET6), as: sa_family_t.self)
      unsafe room.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
      for (index, byte) in bytes.enumerated() { unsafe room[(isIPv4 ? 4 : 8) + index] = byte }
      let address = unsafe room.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      return unsafe Glibc.bind(socket, address, socklen_t(size))
    }
    if status != 0 { throw Failure(call: "bind") }
  }

  private static func boundPort(of socket: Int32) throws(Failure) -> UInt16 {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let port = unsafe withUnsafeMutableBytes(of: &storage) { room -> UInt16? in
      let address = unsafe room.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      guard unsafe getsockname(socket, address, &size) == 0 else { return nil }
      return UInt16(bigEndian: unsafe room.load(fromByteOffset: 2, as: UInt16.self))
    }
    guard let port else { throw Failure(call: "getsockname") }
    return port
  }
}
