/// How requests are made, and where they may go.
package struct FetchSettings: Hashable, Sendable, Codable {
  /// The limit of one request with its redirects and retries, from the first attempt on.
  package var time: Duration = .seconds(15)
  package var connectTime: Duration = .seconds(5)
  /// Slower than so many bytes a second for `slowTime` ends an attempt.
  package var slowRate = 1024
  package var slowTime: Duration = .seconds(5)
  /// The largest body.
  package var bytes = 32 << 20
  /// The limit of all header lines of an answer.
  package var headerBytes = 64 << 10
  package var redirects = 5
  /// Attempts after the first one.
  package var retries = 2
  /// Before a retry: a random part of this, doubled each time.
  package var backOff: Duration = .milliseconds(250)
  /// Requests at once to one host, and in all.
  package var perHost = 4
  package var overall = 16
  /// After so many failures one after the other a host is given up.
  package var patience = 8
  /// How much later than it must be an answer may come from the process that fetches.
  package var margin: Duration = .seconds(30)
  package var policy = NetworkPolicy()
  package var proxy = ProxyChoice.none
  package var userAgent = "sitegen"
  /// A file of certificates to trust instead of the system's.
  package var certificates: String?
  /// The folder for large bodies.
  package var spool = "/tmp"

  package init() {}

  /// Some request ends within this time as long as the engine works, when so many are open.
  ///
  /// Each takes at most `time` of its own, and as many run at once as may go to one host; waits for
  /// the host itself are of that time. The last one to end may have begun late.
  func longestSilence(open count: Int) -> Duration {
    let atOnce = max(1, min(perHost, overall))
    return time * ((count + atOnce - 1) / atOnce + 1) + margin
  }

  /// So much of the silence each request makes good that ends, so that the sum of all waits is
  /// limited by what is asked for.
  ///
  /// As many as may go to one host can each take their time, behind a pause of that time.
  var silencePerAnswer: Duration { time * 2 / max(1, min(perHost, overall)) }
}

/// One address to fetch, and what is known of it already.
package struct FetchRequest: Hashable, Sendable, Codable {
  /// Bytes of an address; no avatar has a longer one.
  package static let longestAddress = 8192

  /// As it was written: `http://` or `https://`, and what follows.
  package var url: String
  /// The validators of the kept copy: the server may answer that it has not changed.
  package var validators: Validators
  /// Header lines, which may contain secrets: they are sent to `origin` alone.
  package var headers: [String] = []
  /// An address with the only scheme, host and port that is asked, also after redirects; nil for any.
  package var origin: String?

  package init(_ url: String, validators: Validators = Validators()) {
    self.url = url
    self.validators = validators
  }
}

/// Where requests may go besides public addresses at the usual ports.
package struct NetworkPolicy: Hashable, Sendable, Codable {
  /// Networks, such as `10.0.0.0/8` and `fd00::/8`.
  package var networks: [String] = []
  /// Names, in lower case; any address that they lead to is allowed.
  package var hosts: [String] = []
  /// Besides 80 and 443.
  package var ports: [UInt16] = []

  package init() {}
}

/// Which proxy connects for us.
package enum ProxyChoice: Hashable, Sendable, Codable {
  case none
  /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
  case environment
  case url(String)

  /// What is read of the environment.
  static let variables: Set<String> = [
    "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
  ]
}

extension Duration {
  /// Rounded up.
  package var milliseconds: Int {
    let (seconds, rest) = components
    return Int(seconds) * 1000 + Int((rest + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
