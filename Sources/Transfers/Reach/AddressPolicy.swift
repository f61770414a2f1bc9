package import Bytes
package import Fetch

/// Decides where we may connect.
package struct AddressPolicy: Sendable {
  /// Those of `http` and `https`.
  static let usualPorts: [UInt16] = [80, 443]

  private let networks: [NetworkRange]
  private let hosts: Set<String>
  private let ports: Set<UInt16>

  /// A network that cannot be read allows nothing.
  package init(_ policy: NetworkPolicy) {
    networks = policy.networks.compactMap { NetworkRange($0) }
    hosts = Set(policy.hosts.map(AddressPolicy.plain))
    ports = Set(policy.ports).union(AddressPolicy.usualPorts)
  }

  /// Whether a socket may be connected to an address, to which the host of the URL has led.
  package func allows(_ address: InternetAddress, of host: String) -> Bool {
    AddressPolicy.isPublic(address) || networks.contains { $0.contains(address) }
      || hosts.contains(AddressPolicy.plain(host))
  }

  /// Checks what is known before any lookup: the port, and a host that is an address.
  ///
  /// If a proxy connects, we do not see the socket, so names of the machine itself are refused.
  package func check(_ address: WebAddress, isProxied: Bool = false) throws(FetchFailure) {
    guard ports.contains(address.port) else {
      throw FetchFailure(.portNotAllowed, "port \(address.port) of \(address.host)")
    }
    if let literal = InternetAddress(address.host), !allows(literal, of: address.host) {
      throw FetchFailure(.addressNotPublic, "\(literal)")
    }
    // These names mean the machine itself: here the proxy's.
    if isProxied, address.host == "localhost" || address.host.hasSuffix(".localhost"),
      !allows(.v4(0x7F00_0001), of: address.host)
    {
      throw FetchFailure(.addressNotPublic, address.host)
    }
  }

  /// Checks that a request stays at its origin, and that its headers have TLS unless the manifest
  /// allows their host.
  func check(
    _ request: FetchRequest, to address: WebAddress, isProxied: Bool
  ) throws(FetchFailure) {
    guard let origin = try request.origin.map(WebAddress.init) else { return }
    guard origin.origin == address.origin else {
      throw FetchFailure(
        .redirectRefused, "\(origin.name): it leads to \(address.origin), which is not asked")
    }
    if request.headers.isEmpty || address.isSecure { return }
    let isPrivate = InternetAddress(address.host).map { !AddressPolicy.isPublic($0) } ?? false
    guard isPrivate || hosts.contains(AddressPolicy.plain(address.host)), !isProxied else {
      throw FetchFailure(.badAddress, "\(address.name): headers are not sent there without TLS")
    }
  }

  /// In lower case, without a dot at its end and without brackets.
  private static func plain(_ host: String) -> String {
    var host = host.lowercased()
    if host.hasSuffix(".") { host.removeLast() }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    return host
  }

  // MARK: - What is public

  /// Whether everybody can reach it, as the registries of special addresses say.
  package static func isPublic(_ address: InternetAddress) -> Bool {
    switch address {
    case .v4: !special.contains { $0.contains(address) }
    // Nothing outside of it is given to anybody: neither what embeds an IPv4 address (mapped,
    // compatible, NAT64) nor loopback, link-local, site-local, unique-local, multicast.
    case .v6(let high, _): high >> 61 == 1 && !special.contains { $0.contains(address) }
    }
  }

  private static let special: [NetworkRange] = [
    "0.0.0.0/8",  // this network
    "10.0.0.0/8",  // private
    "100.64.0.0/10",  // behind a carrier's translation
    "127.0.0.0/8",  // loopback
    "169.254.0.0/16",  // link-local, and the metadata of clouds
    "172.16.0.0/12",  // private
    "192.0.0.0/24",  // protocols
    "192.0.2.0/24",  // documentation
    "192.88.99.0/24",  // relays of 6to4
    "192.168.0.0/16",  // private
    "198.18.0.0/15",  // measuring
    "198.51.100.0/24",  // documentation
    "203.0.113.0/24",  // documentation
    "224.0.0.0/4",  // multicast
    "240.0.0.0/4",  // reserved, and broadcast
    "2001::/23",  // protocols: Teredo, measuring, ORCHID
    "2001:db8::/32",  // documentation
    "2002::/16",  // 6to4
    "3fff::/20",  // documentation
  ].compactMap { NetworkRange($0) }
}
