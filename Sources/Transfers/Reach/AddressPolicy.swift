package import Bytes
package import Fetch

package struct AddressPolicy: Sendable {
  static let usualPorts: [UInt16] = [80, 443]

  private let networks: [NetworkRange]
  private let hosts: Set<String>
  private let ports: Set<UInt16>

  package init(_ policy: NetworkPolicy) {
    networks = policy.networks.compactMap { NetworkRange($0) }
    hosts = Set(policy.hosts.map(AddressPolicy.plain))
    ports = Set(policy.ports).union(AddressPolicy.usualPorts)
  }

  package func allows(_ address: InternetAddress, of host: String) -> Bool {
    AddressPolicy.isPublic(address) || networks.contains { $0.contains(address) }
      || hosts.contains(AddressPolicy.plain(host))
  }

  /// Checks the port, and the host if it is an IP address, before DNS resolution.
  package func check(_ address: WebAddress, isProxied: Bool = false) throws(FetchFailure) {
    guard ports.contains(address.port) else {
      throw FetchFailure(.portNotAllowed, "\(address.host): port \(address.port) is not allowed")
    }
    if let literal = InternetAddress(address.host), !allows(literal, of: address.host) {
      throw FetchFailure(.addressNotPublic, "\(literal)")
    }
    // With a proxy, the socket cannot be checked, so reject names for the proxy's own machine.
    if isProxied, address.host == "localhost" || address.host.hasSuffix(".localhost"),
      !allows(.v4(0x7F00_0001), of: address.host)
    {
      throw FetchFailure(.addressNotPublic, address.host)
    }
  }

  /// Checks that a request stays at its origin, and that its headers are not exposed.
  ///
  /// Without TLS, headers may go only to private addresses and allowed hosts, and not via a proxy.
  func check(
    _ request: FetchRequest, to address: WebAddress, isProxied: Bool
  ) throws(FetchFailure) {
    guard let origin = try request.origin.map(WebAddress.init) else { return }
    guard origin.origin == address.origin else {
      throw FetchFailure(
        .redirectRefused, "\(origin.name): it leads to \(address.origin), a different origin")
    }
    if request.headers.isEmpty || address.isSecure { return }
    let isPrivate = InternetAddress(address.host).map { !AddressPolicy.isPublic($0) } ?? false
    guard isPrivate || hosts.contains(AddressPolicy.plain(address.host)), !isProxied else {
      throw FetchFailure(.badAddress, "\(address.name): headers cannot be sent without TLS")
    }
  }

  private static func plain(_ host: String) -> String {
    var host = host.lowercased()
    if host.hasSuffix(".") { host.removeLast() }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    return host
  }

  /// Returns whether the address is public, according to IANA's special-purpose address registries.
  package static func isPublic(_ address: InternetAddress) -> Bool {
    switch address {
    case .v4: !special.contains { $0.contains(address) }
    // Only 2000::/3 is allocated. This excludes embedded IPv4 addresses (mapped, compatible,
    // NAT64), loopback, link-local, site-local, unique-local and multicast.
    case .v6(let high, _): high >> 61 == 1 && !special.contains { $0.contains(address) }
    }
  }

  private static let special: [NetworkRange] = [
    "0.0.0.0/8",  // this network
    "10.0.0.0/8",  // private
    "100.64.0.0/10",  // carrier-grade NAT
    "127.0.0.0/8",  // loopback
    "169.254.0.0/16",  // link-local, including cloud metadata
    "172.16.0.0/12",  // private
    "192.0.0.0/24",  // protocol assignments
    "192.0.2.0/24",  // documentation
    "192.88.99.0/24",  // 6to4 relays
    "192.168.0.0/16",  // private
    "198.18.0.0/15",  // benchmarking
    "198.51.100.0/24",  // documentation
    "203.0.113.0/24",  // documentation
    "224.0.0.0/4",  // multicast
    "240.0.0.0/4",  // reserved, including broadcast
    "2001::/23",  // protocol assignments: Teredo, benchmarking, ORCHID
    "2001:db8::/32",  // documentation
    "2002::/16",  // 6to4
    "3fff::/20",  // documentation
  ].compactMap { NetworkRange($0) }
}
