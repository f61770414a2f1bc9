import Bytes

/// The hosts that the server accepts in Host headers.
///
/// A malicious site can make its name resolve to this machine (DNS rebinding) to read local files,
/// but the browser still sends that name in the Host header. So only `localhost`, loopback
/// addresses and the address on which the server listens are allowed.
struct AllowedHosts: Sendable {
  private let port: UInt16
  private let host: String?
  private let address: InternetAddress?

  init(host: String?, port: UInt16) {
    self.host = host
    self.port = port
    address = host.flatMap { InternetAddress($0) }
  }

  var url: String {
    guard let host, let address, !isAny else { return "http://127.0.0.1:\(port)/" }
    return if case .v4 = address { "http://\(host):\(port)/" } else { "http://[\(host)]:\(port)/" }
  }

  /// Whether the server listens on all interfaces.
  private var isAny: Bool { address == .v4(0) || address == .v6(0, 0) }

  func allows(_ value: String) -> Bool {
    guard let parts = HostAndPort(value), HostAndPort.port(parts.port ?? "80") == port else {
      return false
    }
    let name = parts.host.lowercased()
    if name == "localhost" { return true }
    let other = InternetAddress(name)
    switch (other, name.hasPrefix("[")) {
    case (.v4(let number)?, false) where number >> 24 == 127: return true
    case (.v6(0, 1)?, true): return true
    // DNS rebinding needs a name, so a server on all interfaces allows every IP address.
    case (.v4?, false), (.v6?, true): return isAny || other == address
    default: return false
    }
  }

  func allows(origin: String) -> Bool {
    let scheme = "http://"
    return origin.hasPrefix(scheme) && allows(String(origin.dropFirst(scheme.count)))
  }
}
