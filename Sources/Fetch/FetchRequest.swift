package struct FetchSettings: Hashable, Sendable, Codable {
  /// The time limit for a request, including redirects and retries.
  package var time: Duration = .seconds(15)
  package var connectTime: Duration = .seconds(5)
  /// The minimum rate in bytes per second; an attempt that is slower for `slowTime` is cancelled.
  package var slowRate = 1024
  package var slowTime: Duration = .seconds(5)
  package var bytes = 32 << 20
  /// The maximum size of all headers in a response, in bytes.
  package var headerBytes = 64 << 10
  package var redirects = 5
  package var retries = 2
  /// The base of the exponential backoff; the actual pause is a random fraction of the backoff.
  package var backOff: Duration = .milliseconds(250)
  package var perHost = 4
  package var overall = 16
  /// The number of consecutive failures after which no more requests are sent to a host.
  package var patience = 8
  /// The extra time before a silent network worker is considered hung.
  package var margin: Duration = .seconds(30)
  package var policy = NetworkPolicy()
  package var proxy = ProxyChoice.none
  package var userAgent = "sitegen"
  /// The path of a CA bundle to trust instead of the system's certificates.
  package var certificates: String?
  package var spool = "/tmp"

  package init() {}

  /// Returns how long a healthy network worker with `count` open requests may be silent.
  ///
  /// Each request takes at most `time`, including pauses, and up to `perHost` requests to a host
  /// run in parallel. One more `time` is added, because the last request may have started late.
  func longestSilence(open count: Int) -> Duration {
    let atOnce = max(1, min(perHost, overall))
    return time * ((count + atOnce - 1) / atOnce + 1) + margin
  }

  /// The time that each response takes off the silence; a reset to 0 would not bound the wait.
  ///
  /// A host may be paused for `time` before its concurrent requests, each of which may take `time`.
  var silencePerAnswer: Duration { time * 2 / max(1, min(perHost, overall)) }
}

package struct FetchRequest: Hashable, Sendable, Codable {
  package static let longestAddress = 8192

  package var url: String
  package var validators: Validators
  /// The headers, which are sent only to `origin` because they may contain secrets.
  package var headers: [String] = []
  /// A URL whose origin (scheme, host, port) is the only one to contact, even after redirects.
  package var origin: String?

  package init(_ url: String, validators: Validators = Validators()) {
    self.url = url
    self.validators = validators
  }
}

/// The destinations that are allowed in addition to public addresses on the default ports.
package struct NetworkPolicy: Hashable, Sendable, Codable {
  /// CIDR ranges, such as `10.0.0.0/8` and `fd00::/8`.
  package var networks: [String] = []
  /// Lowercase host names, which may resolve to any IP address.
  package var hosts: [String] = []
  package var ports: [UInt16] = []

  package init() {}
}

package enum ProxyChoice: Hashable, Sendable, Codable {
  case none
  /// The proxies in `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
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
