package struct NetworkSettings: Hashable, Sendable {
  package enum Proxy: Hashable, Sendable {
    case none
    case environment
    case url(String)
  }

  package var networks: [String] = []
  package var hosts: [String] = []
  package var ports: [UInt16] = []
  package var proxy = Proxy.none
  /// Limits on concurrent requests: per host, and in total.
  package var perHost = 4
  package var overall = 16
  /// How long the last good picture is used if a source fails, in seconds.
  package var maxStale: Int64 = 30 * 86_400
  /// The base URLs of the services or their mirrors, without a trailing `/`.
  package var services = AvatarService.urls
}
