import Bytes
import Glibc

/// The names in Host headers that this server answers to.
///
/// A page of another site can make its own name resolve to this machine (DNS rebinding), to read what
/// is served here. Its browser still sends that name, so we answer only to names that no other site
/// can have: `localhost`, loopback addresses, and the address that the user listens on.
struct AllowedHosts: Sendable {
  private let port: UInt16
  private let host: String?
  /// The bytes of the user's address; nil for loopback.
  private let address: [UInt8]?

  /// Where the server listens; the host is nil for loopback.
  init(host: String?, port: UInt16) {
    self.host = host
    self.port = port
    address = host.flatMap(AllowedHosts.address)
  }

  /// The server's own address: `http://127.0.0.1:8080/`.
  var url: String {
    guard let host, let address, !address.allSatisfy({ $0 == 0 }) else {
      return "http://127.0.0.1:\(port)/"
    }
    return "http://\(address.count == 4 ? host : "[\(host)]"):\(port)/"
  }

  /// Whether a Host header names this server.
  func allows(_ value: String) -> Bool {
    guard let parts = HostAndPort(value), HostAndPort.port(parts.port ?? "80") == port else {
      return false
    }
    let name = parts.host.lowercased()
    if name == "localhost" { return true }
    let isBracketed = name.hasPrefix("[") && name.hasSuffix("]")
    guard
      let bytes = AllowedHosts.address(isBracketed ? String(name.dropFirst().dropLast()) : name),
      isBracketed == (bytes.count == 16)
    else { return false }
    let isLoopback =
      isBracketed ? bytes == Array(repeating: 0, count: 15) + [1] : bytes[0] == 127
    // DNS cannot make a number lead elsewhere, so a server on all addresses allows any number.
    return isLoopback || address.map { $0 == bytes || $0.allSatisfy { $0 == 0 } } ?? false
  }

  /// Whether an Origin header names a page of this server.
  func allows(origin: String) -> Bool {
    let scheme = "http://"
    return origin.hasPrefix(scheme) && allows(String(origin.dropFirst(scheme.count)))
  }

  /// The four or sixteen bytes of an address that is written as a number.
  static func address(_ text: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes: [UInt8] = Array(repeating: 0, count: count)
      if unsafe inet_pton(family, text, &bytes) == 1 { return bytes }
    }
    return nil
  }
}
