/// How a request ended, and what it took.
package struct FetchAnswer: Sendable {
  package enum Outcome: Sendable {
    case fetched(FetchedBody, HTTPFields)
    /// The kept copy is still right; only for a request with validators.
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

/// The cost of a request, over all its attempts and redirects.
package struct FetchCost: Hashable, Sendable, Codable {
  /// By host, with the port where it is not the scheme's usual one.
  package var hosts: [String: PerHost] = [:]
  /// The time from the first attempt to the end.
  package var seconds = 0.0

  package init() {}

  package struct PerHost: Hashable, Sendable, Codable {
    /// Attempts, each redirect and each retry counted.
    package var requests = 0
    package var retries = 0
    /// Bytes of bodies, as received.
    package var bytes = 0
    /// Requests over a connection that was open already.
    package var reused = 0

    package init() {}
  }
}

/// Why something could not be fetched.
package struct FetchFailure: Error, Hashable, Sendable, Codable {
  package var reason: FetchReason
  /// Words that follow a colon; never a URL's path, which may name a person.
  package var detail: String
  /// The status of the answer, if there was one.
  package var status: Int?

  package init(_ reason: FetchReason, _ detail: String, status: Int? = nil) {
    self.reason = reason
    self.detail = detail
    self.status = status
  }

  /// The answer to every request that is open when all ends.
  package static let closed = FetchFailure(.cancelled, "fetching was cancelled")
}

/// The code of a failure; the same word is the diagnostic's.
package enum FetchReason: String, CaseIterable, Hashable, Sendable, Codable {
  /// No URL that is fetched: no host, a password in it, another scheme.
  case badAddress = "bad-address"
  case portNotAllowed = "port-not-allowed"
  /// The name leads into a network that is not public.
  case addressNotPublic = "address-not-public"
  case hostNotFound = "host-not-found"
  case connectionFailed = "connection-failed"
  /// The connection ended before the answer did.
  case connectionCut = "connection-cut"
  case tlsFailed = "tls-failed"
  case timeout = "fetch-timeout"
  /// To another scheme, from https to http, or to no URL.
  case redirectRefused = "redirect-refused"
  case tooManyRedirects = "too-many-redirects"
  /// 404 and 410.
  case notFound = "not-found"
  /// Another 4xx.
  case httpRefused = "http-refused"
  /// 408, 429 and 5xx, again and again.
  case serverFailed = "server-failed"
  /// No HTTP, or an unexpected status.
  case badAnswer = "bad-answer"
  case encodedBody = "encoded-body"
  case empty = "source-empty"
  case tooManyBytes = "too-many-bytes"
  /// Earlier requests to the host have failed one after the other.
  case hostGivenUp = "host-given-up"
  /// libcurl has refused to start the request, or the process that fetches has ended.
  case notStarted = "fetch-not-started"
  /// This machine cannot write the body to a file.
  case spoolFailed = "machine-failed"
  case cancelled
  /// A `data:` URL does not contain what it says.
  case badData = "bad-data-address"
  /// No request may be made, and no copy is kept.
  case offline

  /// Whether it will still be so the next day; anything else may be gone at the next build.
  package var isPermanent: Bool { self == .notFound || self == .tooManyBytes }
}
