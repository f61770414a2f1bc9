package struct FetchSettings: Hashable, Sendable, Codable {
  /// The time limit for a request, including redirects and retries.
  package var time: Duration = .seconds(15)
  package var connectTime: Duration = .seconds(5)
  /// An attempt is cancelled if it receives fewer bytes per second than this for `slowTime`.
  package var slowRate = 1024
  package var slowTime: Duration = .seconds(5)
  package var bytes = 32 << 20
  /// The limit for all headers in a response.
  package var headerBytes = 64 << 10
  package var redirects = 5
  package var retries = 2
  /// The base of the exponential backoff; the actual pause is a random part of it.
  package var backOff: Duration = .milliseconds(250)
  /// The limits on concurrent requests, per host and in total.
  package var perHost = 4
  package var overall = 16
  /// The number of consecutive failures after which no more requests are sent to a host.
  package var patience = 8
  /// Extra time before the network worker is considered hung.
  package var margin: Duration = .seconds(30)
  package var policy = NetworkPolicy()
  package var proxy = ProxyChoice.none
  package var userAgent = "sitegen"
  /// A CA bundle to trust instead of the system's.
  package var certificates: String?
  package var spool = "/tmp"

  package init() {}

  /// The maximum time without a response from a healthy network worker with `count` open requests.
  ///
  /// Each request takes at most `time`; up to `perHost` requests to a host run in parallel. Pauses
  /// for a host count towards `time`. The last request may have started late.
  func longestSilence(open count: Int) -> Duration {
    let atOnce = max(1, min(perHost, overall))
    return time * ((count + atOnce - 1) / atOnce + 1) + margin
  }

  /// Each response reduces the counted silence by this much, which bounds the total wait.
  ///
  /// A host's concurrent requests may each take the full time after a pause of the same length.
  var silencePerAnswer: Duration { time * 2 / max(1, min(perHost, overall)) }
}

package struct FetchRequest: Hashable, Sendable, Codable {
  package static let longestAddress = 8192

  /// The URL as written, with `http://` or `https://`.
  package var url: String
  /// Validators of the cached copy, for a conditional request.
  package var validators: Validators
  /// Headers, which may contain secrets: they are sent only to `origin`.
  package var headers: [String] = []
  /// A URL with the only scheme, host and port that may be contacted, even after redirects.
  package var origin: String?

  package init(_ url: String, validators: Validators = Validators()) {
    self.url = url
    self.validators = validators
  }
}

/// Destinations allowed in addition to public addresses on the default ports.
package struct NetworkPolicy: Hashable, Sendable, Codable {
  /// CIDR ranges, such as `10.0.0.0/8` and `fd00::/8`.
  package var networks: [String] = []
  /// Lower-case host names, which may resolve to any IP address.
  package var hosts: [String] = []
  /// Ports that are allowed in addition to 80 and 443.
  package var ports: [UInt16] = []

  package init() {}
}

package enum ProxyChoice: Hashable, Sendable, Codable {
  case none
  /// Uses `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
  case environment
  case url(String)

  static let variables: Set<String> = [
    "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
  ]
}

extension Duration {
  package var milliseconds: Int {
    let (seconds, rest) = components
    return Int(seconds) * 1000 + Int((rest + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
