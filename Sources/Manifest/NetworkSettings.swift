package struct NetworkSettings: Hashable, Sendable {
  package enum Proxy: Hashable, Sendable {
    case none
    /// Uses the environment variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
    case environment
    case url(String)
  }

  /// Private networks that may be accessed, such as `10.0.0.0/8`.
  package var networks: [String] = []
  /// Private hosts that may be accessed, as lower-case names.
  package var hosts: [String] = []
  package var ports: [UInt16] = []
  package var proxy = Proxy.none
  /// The maximum number of concurrent requests to one host, and in total.
  package var perHost = 4
  package var overall = 16
  /// How long the last good picture is used if a source fails, in seconds.
  package var maxStale: Int64 = 30 * 86_400
  /// The base URLs of the services or their mirrors, without a trailing `/`.
  package var services = AvatarService.urls
}
