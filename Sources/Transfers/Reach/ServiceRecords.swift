import Bytes
import CResolv
package import Fetch

extension ServiceRecords {
  /// A name server.
  package struct Server: Hashable, Sendable {
    /// The four bytes of an IPv4 address.
    package var address: [UInt8]
    package var port: UInt16

    package init(address: [UInt8], port: UInt16 = 53) {
      self.address = address
      self.port = port
    }
  }

  /// Asks, and waits for the answer.
  ///
  /// The record with the lowest priority counts, then the largest weight, then the first name: the
  /// same records always lead to the same host. A record without a proper host name, or with port
  /// 0, is ignored.
  ///
  /// The corresponding C function is `res_nquery`.
  ///
  /// A name such as `_avatars-sec._tcp.example.org`; one that cannot exist is not asked for. At most
  /// three servers are asked instead of those of the system, each once and for so many seconds.
  package static func lookUp(
    _ name: String, servers: [Server] = [], seconds: Int = 2
  ) -> Answer {
    guard DomainName.labels(name) != nil else { return .none }
    let servers = servers.filter { $0.address.count == 4 }.prefix(3)
    let addresses = servers.map { server in
      server.address.reduce(0) { $0 << 8 | UInt32($1) }.bigEndian
    }
    let ports = servers.map(\.port)
    var packet = [UInt8](repeating: 0, count: ServiceAnswer.longest)
    // The arrays live during the call, and each length is that of its array.
    let length = unsafe sitegen_ask_for_services(
      name, addresses, ports, Int32(servers.count), Int32(clamping: max(1, seconds)), &packet,
      Int32(packet.count))
    guard length != 0 else { return .none }
    guard length > 0, length <= packet.count else { return .failed }
    return ServiceAnswer.read(packet.prefix(Int(length)), question: name)
  }
}

/// Names of the name system that we look up or connect to.
enum DomainName {
  /// The labels of a name to look up, in lower case; nil when it cannot be one.
  static func labels(_ name: String) -> [[UInt8]]? {
    guard HostName.isValid(name), !name.hasSuffix(".") else { return nil }
    return name.utf8.split(separator: UInt8(ascii: ".")).map { $0.map(\.asciiLowercased) }
  }

  /// The text of a host name; nil for anything else, such as a number.
  ///
  /// The last label begins with a letter, so that nothing reads the name as an address.
  static func host(_ labels: [[UInt8]]) -> String? {
    let name = labels.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
    let hyphen = UInt8(ascii: "-")
    guard HostName.isValid(name), !name.utf8.contains(UInt8(ascii: "_")),
      labels.allSatisfy({
        $0.first != hyphen && $0.last != hyphen && !$0.contains(UInt8(ascii: "."))
      }),
      labels.last?.first?.isASCIILetter == true
    else { return nil }
    return name
  }
}
