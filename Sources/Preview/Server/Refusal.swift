/// Why a request gets no file: a status of HTTP, with a line for people.
enum Refusal: Error, Hashable, Sendable {
  /// A header has a name that is none.
  case badHeader
  case badHost
  /// It names a site that is not here, as happens when a foreign name leads to this machine.
  case foreignHost
  /// Pages of other sites hear nothing of what happens here.
  case foreignPage
  case badMethod
  case body
  case badTarget
  case longTarget
  /// Nothing is there, or nothing that is shown.
  case notFound
  case tooManyStreams
  case broken

  var status: Int {
    switch self {
    case .badHeader, .badHost, .badTarget, .body: 400
    case .foreignPage: 403
    case .notFound: 404
    case .badMethod: 405
    case .longTarget: 414
    case .foreignHost: 421
    case .broken: 500
    case .tooManyStreams: 503
    }
  }

  var words: String {
    switch self {
    case .badHeader: "A header has a name that is none."
    case .badHost: "The request must have one Host header."
    case .foreignHost: "This server answers for this machine only."
    case .foreignPage: "Events are for pages of this server."
    case .badMethod: "Only GET and HEAD are answered."
    case .body: "A request for a file has no body."
    case .badTarget: "The path cannot be read."
    case .longTarget: "The path is too long."
    case .notFound: "There is no such file."
    case .tooManyStreams: "Too many pages wait for events."
    case .broken: "The file cannot be read."
    }
  }

  /// After what may be an attempt to be misread, the rest of the connection is not read at all.
  var endsConnection: Bool {
    switch self {
    case .notFound, .broken: false
    default: true
    }
  }
}
