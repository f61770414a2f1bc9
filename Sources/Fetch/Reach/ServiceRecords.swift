import CResolv

/// Where a domain says that one of its services is: SRV records of the name system (RFC 2782).
package enum ServiceRecords {
  package enum Answer: Hashable, Sendable {
    case found(host: String, port: UInt16)
    /// There is no such record, or none that leads anywhere.
    case none
    /// No server answered, or the answer makes no sense.
    case failed
  }

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
  /// - Parameters:
  ///   - name: Such as `_avatars-sec._tcp.example.org`; a name that cannot exist is not asked for.
  ///   - servers: At most three to ask instead of those of the system.
  ///   - seconds: How long to wait for a server. Each is asked once; with three of them all of it
  ///     takes less than three times as long.
  /// - Returns: The host to connect to, if there is one.
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
    guard (1...253).contains(name.utf8.count) else { return nil }
    let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map { $0.map(lowercased) }
    let isName = labels.allSatisfy { label in
      (1...63).contains(label.count) && label.allSatisfy { isHostByte($0) || $0 == underscore }
    }
    return isName ? labels : nil
  }

  /// The text of a host name; nil for anything else, such as a number.
  ///
  /// The last label begins with a letter, so that nothing reads the name as an address.
  static func host(_ labels: [[UInt8]]) -> String? {
    guard let first = labels.last?.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
    else { return nil }
    for label in labels {
      guard (1...63).contains(label.count), label.first != hyphen, label.last != hyphen,
        label.allSatisfy(isHostByte)
      else { return nil }
    }
    let name = labels.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
    return name.utf8.count <= 253 ? name : nil
  }

  /// Names are equal whatever the case of their ASCII letters.
  static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static let hyphen = UInt8(ascii: "-")
  private static let underscore = UInt8(ascii: "_")

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), hyphen: true
    default: false
    }
  }
}
