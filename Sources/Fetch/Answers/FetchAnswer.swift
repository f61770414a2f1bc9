package struct FetchAnswer: Sendable {
  package enum Outcome: Sendable {
    case fetched(FetchedBody, HTTPFields)
    /// 304: the cached copy is still valid; only possible for a request with validators.
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
  /// Keyed by host, with the port unless it is the default.
  package var hosts: [String: PerHost] = [:]
  /// The time from the first attempt to the final result.
  package var seconds = 0.0

  package init() {}

  package struct PerHost: Hashable, Sendable, Codable {
    /// The number of requests, including redirects and retries.
    package var requests = 0
    package var retries = 0
    /// Body bytes, as received.
    package var bytes = 0
    /// Requests over a reused connection.
    package var reused = 0

    package init() {}
  }
}

package struct FetchFailure: Error, Hashable, Sendable, Codable {
  package var reason: FetchReason
  /// The text after the colon in messages, without the URL's path, which may identify a person.
  package var detail: String
  package var status: Int?

  package init(_ reason: FetchReason, _ detail: String, status: Int? = nil) {
    self.reason = reason
    self.detail = detail
    self.status = status
  }

  /// The result for requests that are open when the fetcher closes.
  package static let closed = FetchFailure(.cancelled, "fetching was cancelled")
}

/// The failure code, also used as the diagnostic code.
package enum FetchReason: String, CaseIterable, Hashable, Sendable, Codable {
  /// The URL lacks a host, contains a password, or is not http(s).
  case badAddress = "bad-address"
  case portNotAllowed = "port-not-allowed"
  /// The host resolves to an address that is not public.
  case addressNotPublic = "address-not-public"
  case hostNotFound = "host-not-found"
  case connectionFailed = "connection-failed"
  /// The connection closed before the response was complete.
  case connectionCut = "connection-cut"
  case tlsFailed = "tls-failed"
  case timeout = "fetch-timeout"
  /// The redirect goes to an unsupported scheme, from https to http, or to an invalid URL.
  case redirectRefused = "redirect-refused"
  case tooManyRedirects = "too-many-redirects"
  /// 404 or 410.
  case notFound = "not-found"
  /// Any other 4xx.
  case httpRefused = "http-refused"
  /// 408, 429 or 5xx after all retries.
  case serverFailed = "server-failed"
  /// Not HTTP, or an unexpected status.
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
  /// Offline mode without a cached copy.
  case offline

  /// Whether the failure will probably last a day; other failures may be gone by the next build.
  package var isPermanent: Bool { self == .notFound || self == .tooManyBytes }
}
