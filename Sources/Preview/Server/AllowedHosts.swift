import Bytes
import Glibc

/// The names in Host headers that this server answers to.
///
/// A page of another site can make its own name resolve to this machine (DNS rebinding), to read what
/// is served here. Its browser still sends that name, so we answer only to names that no other site
/// can have: `localhost`, loopback addresses, and the address that the user listens on.
struct AllowedHosts: Sendable {
  /// A Host header must name it, unless it is 80.
  let port: UInt16
  private let host: String?
  /// The bytes of the user's address; nil for loopback.
  private let address: [UInt8]?

  /// Where the server listens; the host is nil for loopback.
  init(host: String?, port: UInt16) {
    self.host = host
    self.port = port
    address = host.flatMap(AllowedHosts.address)
  }

  /// For the server's own address: a number, in brackets where it is of IPv6.
  var nameToShow: String {
    guard let host, let address, !address.allSatisfy({ $0 == 0 }) else { return "127.0.0.1" }
    return address.count == 4 ? host : "[\(host)]"
  }

  /// Checks the Host headers of a request.
  func check(_ values: [String]) throws(Refusal) {
    guard values.count == 1, let (name, port) = AllowedHosts.parts(of: values[0]) else {
      throw .badHost
    }
    guard port == self.port, allows(name.lowercased()) else { throw .foreignHost }
  }

  /// Whether an Origin header names a page of this server.
  func allows(origin: String) -> Bool {
    let scheme = "http://"
    guard origin.hasPrefix(scheme) else { return false }
    return (try? check([String(origin.dropFirst(scheme.count))])) != nil
  }

  private func allows(_ name: String) -> Bool {
    if name == "localhost" { return true }
    let isBracketed = name.hasPrefix("[")
    guard
      let bytes = AllowedHosts.address(isBracketed ? String(name.dropFirst().dropLast()) : name),
      isBracketed == (bytes.count == 16)
    else { return false }
    let isLoopback =
      isBracketed ? bytes == Array(repeating: 0, count: 15) + [1] : bytes[0] == 127
    // DNS cannot make a number lead elsewhere, so a server on all addresses allows any number.
    return isLoopback || address.map { $0 == bytes || $0.allSatisfy { $0 == 0 } } ?? false
  }

  /// The name, with its brackets, and the port; nil for what is no Host.
  private static func parts(of value: String) -> (name: Substring, port: UInt16)? {
    guard value.utf8.count <= 255,
      value.utf8.allSatisfy({ byte in
        byte > 0x20 && byte < 0x7f && !"/\\@?#,;\"<>%^`{|}".utf8.contains(byte)
      }), let parts = HostAndPort(value), !parts.host.isEmpty,
      parts.host.hasPrefix("[") == parts.host.hasSuffix("]")
    else { return nil }
    guard let digits = parts.port else { return (parts.host, 80) }
    guard digits.utf8.count <= 5, digits.utf8.allSatisfy(\.isASCIIDigit), let port = UInt16(digits)
    else { return nil }
    return (parts.host, port)
  }

  /// The four or sixteen bytes of an address that is written as a number.
  ///
  /// The corresponding C function is `inet_pton`.
  static func address(_ text: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes: [UInt8] = Array(repeating: 0, count: count)
      if unsafe inet_pton(family, text, &bytes) == 1 { return bytes }
    }
    return nil
  }
}
