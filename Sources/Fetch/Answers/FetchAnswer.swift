package struct FetchAnswer: Sendable {
  package enum Outcome: Sendable {
    case fetched(FetchedBody, HTTPFields)
    /// Status 304, in reply to a request with validators: the cached copy is still valid.
    case notModified(HTTPFields)
    case failed(FetchFailure)
  }

  package var outcome: Outcome
  package var cost: FetchCost

  package init(_ outcome: Outcome, cost: FetchCost = FetchCost()) {
    self.outcome = outcome
    self.cost = cost
  }
}

/// The cost of a request, including redirects and retries.
package struct FetchCost: Hashable, Sendable, Codable {
  /// The cost for each host; the key includes the port unless it is the default port.
  package var hosts: [String: PerHost] = [:]
  /// The time in seconds from the first attempt to the final result.
  package var seconds = 0.0

  package init() {}

  package struct PerHost: Hashable, Sendable, Codable {
    package var requests = 0
    package var retries = 0
    package var bytes = 0
    /// The number of requests that reused a connection.
    package var reused = 0

    package init() {}
  }
}

package struct FetchFailure: Error, Hashable, Sendable, Codable {
  package var reason: FetchReason
  /// The text after the colon in messages; it omits the URL's path, which may identify a person.
  package var detail: String
  package var status: Int?

  package init(_ reason: FetchReason, _ detail: String, status: Int? = nil) {
    self.reason = reason
    self.detail = detail
    self.status = status
  }

  package static let closed = FetchFailure(.cancelled, "fetching was cancelled")
}

/// The reason why a fetch failed; the raw value is the diagnostic's code.
package enum FetchReason: String, CaseIterable, Hashable, Sendable, Codable {
  /// The URL lacks a host, contains a password, or is not http(s).
  case badAddress = "bad-address"
  case portNotAllowed = "port-not-allowed"
  case addressNotPublic = "address-not-public"
  case hostNotFound = "host-not-found"
  case connectionFailed = "connection-failed"
  case connectionCut = "connection-cut"
  case tlsFailed = "tls-failed"
  case timeout = "fetch-timeout"
  /// The redirect leads to an unsupported scheme or an invalid URL, or from https to http.
  case redirectRefused = "redirect-refused"
  case tooManyRedirects = "too-many-redirects"
  /// Status 404 or 410.
  case notFound = "not-found"
  /// Any other 4xx status.
  case httpRefused = "http-refused"
  /// Status 408, 429 or 5xx after all retries.
  case serverFailed = "server-failed"
  /// The response is not HTTP, or has an unexpected status.
  case badAnswer = "bad-answer"
  case encodedBody = "encoded-body"
  case empty = "source-empty"
  case tooManyBytes = "too-many-bytes"
  /// Too many consecutive requests to the host failed.
  case hostGivenUp = "host-given-up"
  /// libcurl refused the request, or the network worker exited.
  case notStarted = "fetch-not-started"
  case spoolFailed = "machine-failed"
  case cancelled
  case badData = "bad-data-address"
  /// The build is offline and does not have a cached copy.
  case offline

  /// Whether the failure will probably last a day; other failures may be gone by the next build.
  package var isPermanent: Bool { self == .notFound || self == .tooManyBytes }
}
