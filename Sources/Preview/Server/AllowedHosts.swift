import Bytes

/// The names in Host headers that this server answers to.
///
/// A page of another site can make its own name resolve to this machine (DNS rebinding), to read what
/// is served here. Its browser still sends that name, so we answer only to names that no other site
/// can have: `localhost`, loopback addresses, and the address that the user listens on.
struct AllowedHosts: Sendable {
  private let port: UInt16
  private let host: String?
  /// The user's address; nil for loopback.
  private let address: InternetAddress?

  /// Where the server listens; the host is nil for loopback.
  init(host: String?, port: UInt16) {
    self.host = host
    self.port = port
    address = host.flatMap { InternetAddress($0) }
  }

  /// The server's own address: `http://127.0.0.1:8080/`.
  var url: String {
    guard let host, let address, !isAny else { return "http://127.0.0.1:\(port)/" }
    return if case .v4 = address { "http://\(host):\(port)/" } else { "http://[\(host)]:\(port)/" }
  }

  /// Whether the server listens on all addresses.
  private var isAny: Bool { address == .v4(0) || address == .v6(0, 0) }

  /// Whether a Host header names this server.
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
    // DNS cannot make a number lead elsewhere, so a server on all addresses allows any number.
    case (.v4?, false), (.v6?, true): return isAny || other == address
    default: return false
    }
  }

  /// Whether an Origin header names a page of this server.
  func allows(origin: String) -> Bool {
    let scheme = "http://"
    return origin.hasPrefix(scheme) && allows(String(origin.dropFirst(scheme.count)))
  }
}
