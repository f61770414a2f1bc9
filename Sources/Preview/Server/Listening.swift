import Files
import Glibc

/// Sockets that listen on one port: on 127.0.0.1 and ::1, or where the user wants.
struct Listening: Sendable {
  let port: UInt16
  let sockets: [Int32]

  /// The first port to try, and the last.
  private static let ports: ClosedRange<UInt16> = 8080...8180
  /// How often any free port is asked for, until one is free on both addresses.
  private static let attempts = 100

  init(_ settings: PreviewSettings) throws(PreviewError) {
    let addresses = try Listening.addresses(settings.host)
    if let port = settings.port, port != 0 {
      guard let found = try Listening.open(addresses, port) else { throw .portTaken(port) }
      self = found
      return
    }
    let isAny = settings.port == 0
    for port in isAny ? Array(repeating: 0, count: Listening.attempts) : Array(Listening.ports) {
      if let found = try Listening.open(addresses, port) {
        self = found
        return
      }
    }
    throw .noFreePort
  }

  private init(port: UInt16, sockets: [Int32]) {
    self.port = port
    self.sockets = sockets
  }

  private static func addresses(_ host: String?) throws(PreviewError) -> [[UInt8]] {
    guard let host, host != "localhost" else {
      return [[127, 0, 0, 1], Array(repeating: 0, count: 15) + [1]]
    }
    guard let address = KnownHosts.address(host) else { throw .badHost(host) }
    return [address]
  }

  /// Listens on the same port of each address; nil when somebody else listens on one of them.
  private static func open(
    _ addresses: [[UInt8]], _ wanted: UInt16
  ) throws(PreviewError) -> Listening? {
    var port = wanted
    var sockets: [Int32] = []
    for address in addresses {
      do throws(Failure) {
        let (socket, bound) = try open(address, port)
        sockets.append(socket)
        port = bound
      } catch {
        switch error.code {
        case EADDRINUSE:
          for socket in sockets { _ = close(socket) }
          return nil
        case EADDRNOTAVAIL, EAFNOSUPPORT, EINVAL:
          // A machine without IPv6 is fine, if there is something else.
          if !sockets.isEmpty { continue }
          throw .badHost(shown(address))
        default:
          for socket in sockets { _ = close(socket) }
          throw .system(
            call: error.call, message: FileError(error.call, path: "", code: error.code).explanation
          )
        }
      }
    }
    return Listening(port: port, sockets: sockets)
  }

  private struct Failure: Error {
    let call: String
    let code = errno
  }

  /// The corresponding C functions are `socket`, `bind`, `listen` and `getsockname`.
  private static func open(
    _ address: [UInt8], _ port: UInt16
  ) throws(Failure) -> (socket: Int32, port: UInt16) {
    let isOld = address.count == 4
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let number = socket(
      isOld ? AF_INET : AF_INET6, type | Int32(SOCK_NONBLOCK.rawValue), 0)
    if number < 0 { throw Failure(call: "socket") }
    do throws(Failure) {
      // Connections of a server that has ended do not keep the port.
      set(number, SOL_SOCKET, SO_REUSEADDR, 1)
      // `::` means every address there is, the old ones too.
      if !isOld {
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
    var storage = sockaddr_storage()
    let size = bytes.count == 4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    // Both kinds of address fit into the storage: that is what it is for.
    let status = unsafe withUnsafeMutableBytes(of: &storage) { room in
      unsafe room.storeBytes(
        of: sa_family_t(bytes.count == 4 ? AF_INET : AF_INET6), as: sa_family_t.self)
      unsafe room.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
      let start = bytes.count == 4 ? 4 : 8
      for (index, byte) in bytes.enumerated() { unsafe room[start + index] = byte }
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

  private static func shown(_ address: [UInt8]) -> String {
    if address.count == 4 { return address.map(String.init).joined(separator: ".") }
    let pairs = stride(from: 0, to: 16, by: 2)
    return pairs.map { String(UInt16(address[$0]) << 8 | UInt16(address[$0 + 1]), radix: 16) }
      .joined(separator: ":")
  }
}
