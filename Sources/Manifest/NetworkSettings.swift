package import Fetch

/// How pictures are fetched, and from where they may be.
package struct NetworkSettings: Hashable, Sendable {
  package var reach = Reach()
  package var proxy = ProxyChoice.none
  /// At once to one host, and to all.
  package var perHost = 4
  package var overall = 16
  /// Seconds for which the last good picture stays when a source fails.
  package var maxStale: Int64 = 30 * 86_400
  package var services = RemoteServices()

  package init() {}
}
