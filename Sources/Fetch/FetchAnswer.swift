/// How a request ended, and what it took.
package struct FetchAnswer: Sendable {
  package enum Outcome: Sendable {
    /// The whole of it.
    case fetched(FetchedBody, HTTPFields)
    /// What is kept is still the same; only for a request with validators.
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

/// What a request took, over all its attempts and redirects.
package struct FetchCost: Hashable, Sendable {
  /// By host, with the port where it is not that of the scheme.
  package var hosts: [String: PerHost] = [:]
  /// From the first attempt to the end.
  package var seconds = 0.0

  package init() {}

  package struct PerHost: Hashable, Sendable {
    /// Attempts, each redirect and each retry counted.
    package var requests = 0
    package var retries = 0
    /// Of bodies, as received.
    package var bytes = 0
    /// Requests that did not need a connection of their own.
    package var reused = 0

    package init() {}
  }
}

/// Why something could not be had.
package struct FetchFailure: Error, Hashable, Sendable {
  package var reason: FetchReason
  /// What exactly, in words that follow a colon; never an address with a person in it.
  package var detail: String
  /// Of the answer, if there was one.
  package var status: Int?

  package init(_ reason: FetchReason, _ detail: String, status: Int? = nil) {
    self.reason = reason
    self.detail = detail
    self.status = status
  }
}

/// The code of a failure; the same word is the diagnostic's.
package enum FetchReason: String, CaseIterable, Hashable, Sendable {
  /// No address that is fetched from: no host, a password in it, another scheme.
  case badAddress = "bad-address"
  case portNotAllowed = "port-not-allowed"
  /// The name leads into a network that is not public.
  case addressNotPublic = "address-not-public"
  case hostNotFound = "host-not-found"
  case connectionFailed = "connection-failed"
  /// It ended before the answer did.
  case connectionCut = "connection-cut"
  case tlsFailed = "tls-failed"
  case timeout = "fetch-timeout"
  /// Leads to another scheme, from https to http, or nowhere.
  case redirectRefused = "redirect-refused"
  case tooManyRedirects = "too-many-redirects"
  /// 404 and 410.
  case notFound = "not-found"
  /// Another 4xx.
  case httpRefused = "http-refused"
  /// 408, 429 and 5xx, again and again.
  case serverFailed = "server-failed"
  /// No HTTP, or a status that nobody asked for.
  case badAnswer = "bad-answer"
  case encodedBody = "encoded-body"
  case empty = "source-empty"
  case tooManyBytes = "too-many-bytes"
  /// Earlier requests to the host have failed one after the other.
  case hostGivenUp = "host-given-up"
  /// This machine cannot put it down: no fault of the far end.
  case spoolFailed = "machine-failed"
  /// Nobody waits for it any more.
  case cancelled
  /// What stands in a `data:` address is not what it says.
  case badData = "bad-data-address"
  /// Nothing may be asked, and nothing is kept.
  case offline

  /// Whether it would be no better the next day; anything else may be gone at the next build.
  package var isPermanent: Bool { self == .notFound || self == .tooManyBytes }
}
