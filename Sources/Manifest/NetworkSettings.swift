/// How pictures are fetched, and from where they may be.
package struct NetworkSettings: Hashable, Sendable {
  package enum Proxy: Hashable, Sendable {
    case none
    /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
    case environment
    case url(String)
  }

  /// Networks that may be reached though they are not public, such as `10.0.0.0/8`.
  package var networks: [String] = []
  /// Likewise hosts, by their names in lower case.
  package var hosts: [String] = []
  /// Besides 80 and 443.
  package var ports: [UInt16] = []
  package var proxy = Proxy.none
  /// At once to one host, and to all.
  package var perHost = 4
  package var overall = 16
  /// Seconds for which the last good picture stays when a source fails.
  package var maxStale: Int64 = 30 * 86_400
  package var services = RemoteServices()
}
