import Bytes

/// The parts of a request that its reply depends on.
struct Request: Sendable {
  /// As it came, query included.
  var target: [UInt8] = []
  var method = ""
  private(set) var hosts: [String] = []
  private(set) var ifNoneMatch: [String] = []
  private(set) var ifRange: [String] = []
  private(set) var ranges: [String] = []
  private(set) var encodings: [String] = []
  private var origins: [String] = []
  private var fetchSites: [String] = []
  /// The name of a header is no token.
  private var isMalformed = false
  /// It announces a body, or leaves its length in doubt.
  private var hasBody = false

  var isHead: Bool { method == "HEAD" }

  /// Refused before anything of a body is read, since it is unclear where the request ends.
  var isUnclear: Bool { hasBody || isMalformed }

  /// Keeps one header, if the reply depends on it.
  mutating func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    guard unsafe Request.isToken(name) else {
      isMalformed = true
      return
    }
    let value = unsafe String(decoding: value, as: UTF8.self)
    switch unsafe String(decoding: name, as: UTF8.self).lowercased() {
    case "host": hosts.append(value)
    case "range": ranges.append(value)
    case "origin": origins.append(value)
    case "if-range": ifRange.append(value)
    case "if-none-match": ifNoneMatch.append(value)
    case "sec-fetch-site": fetchSites.append(value)
    case "accept-encoding": encodings.append(value)
    case "content-length": hasBody = hasBody || value != "0"
    case "transfer-encoding": hasBody = true
    default: break
    }
  }

  /// A token of RFC 9110: `Content-Length ` is none, but others may read it as `Content-Length`.
  private static func isToken(_ name: UnsafeRawBufferPointer) -> Bool {
    unsafe !name.isEmpty && name.allSatisfy(\.isHTTPTokenByte)
  }

  /// Whether it can be answered at all, whatever its path.
  func check(_ allowed: AllowedHosts) throws(Refusal) {
    if isMalformed { throw .badHeader }
    try allowed.check(hosts)
    guard method == "GET" || isHead else { throw .badMethod }
    if hasBody { throw .body }
  }

  /// Whether it comes from a page of this server, or from no page at all.
  ///
  /// A page of another site could learn from events when the user works, and take all streams.
  func checkSameSite(_ allowed: AllowedHosts) throws(Refusal) {
    guard fetchSites.allSatisfy({ $0 == "same-origin" || $0 == "none" }), origins.count <= 1,
      origins.allSatisfy({ allowed.allows(origin: $0) })
    else { throw .foreignPage }
  }

  /// Whether the Accept-Encoding headers take gzip.
  var acceptsGzip: Bool {
    var isOtherTaken = false
    for part in encodings.joined(separator: ",").split(separator: ",") {
      let words = part.split(separator: ";").map { $0.trimmingBlanks.lowercased() }
      guard let name = words.first else { continue }
      let weight = words.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) } ?? "1"
      let isTaken =
        weight.utf8.count <= 5 && Double(weight).map { $0 > 0 && $0 <= 1 } ?? false
      if name == "gzip" || name == "x-gzip" { return isTaken }
      if name == "*" { isOtherTaken = isTaken }
    }
    return isOtherTaken
  }
}

/// Why a request gets no file: a status of HTTP, with a line for people.
enum Refusal: Error, Hashable, Sendable {
  case badHeader
  case badHost
  /// It names another site, as happens when a foreign name resolves to this machine.
  case foreignHost
  case foreignPage
  case badMethod
  case body
  case badTarget
  case longTarget
  /// Nothing is there, or it is hidden.
  case notFound
  case tooManyStreams
  case broken

  var status: Int { reply.status }
  var text: String { reply.text }

  private var reply: (status: Int, text: String) {
    switch self {
    case .badHeader: (400, "The name of a header is malformed.")
    case .badHost: (400, "The request must have one Host header.")
    case .foreignHost: (421, "This server answers for this machine only.")
    case .foreignPage: (403, "Events are for pages of this server.")
    case .badMethod: (405, "Only GET and HEAD are answered.")
    case .body: (400, "A request for a file has no body.")
    case .badTarget: (400, "The path cannot be read.")
    case .longTarget: (414, "The path is too long.")
    case .notFound: (404, "There is no such file.")
    case .tooManyStreams: (503, "Too many pages wait for events.")
    case .broken: (500, "The file cannot be read.")
    }
  }

  /// What follows a request that may be misread on purpose is not read at all.
  var endsConnection: Bool { self != .notFound && self != .broken }
}

/// The part of a file that a Range header asks for.
enum ByteRange: Hashable, Sendable {
  /// Everything: there is no range, or several, or one that is malformed.
  case whole
  case part(Range<Int64>)
  /// The range begins behind the end.
  case beyondEnd

  /// From all Range headers of the request.
  init(_ headers: [String], of size: Int64) {
    guard headers.count == 1, let (first, last) = ByteRange.bounds(headers[0]) else {
      self = .whole
      return
    }
    switch (first, last) {
    case (let first?, let last?) where last < first: self = .whole
    case (let first?, let last):
      self = first < size ? .part(first..<(min(last ?? .max, size - 1) + 1)) : .beyondEnd
    case (nil, let count?):
      self = count > 0 && size > 0 ? .part(max(size - count, 0)..<size) : .beyondEnd
    case (nil, nil): self = .whole
    }
  }

  /// `bytes=0-99`, `bytes=100-`, `bytes=-100`; nil for everything else.
  private static func bounds(_ header: String) -> (first: Int64?, last: Int64?)? {
    let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let ends = parts[1].utf8.split(
      separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, ends.joined().allSatisfy(\.isASCIIDigit) else { return nil }
    return (number(ends[0]), number(ends[1]))
  }

  /// Nil for no digits; a number too large is as large as can be.
  private static func number(_ digits: Substring.UTF8View) -> Int64? {
    digits.isEmpty ? nil : Int64(Substring(digits)) ?? .max
  }
}

/// What a request asks for: a path beneath the folder.
struct RequestPath: Hashable, Sendable {
  /// Without a slash at either end; empty for the folder itself.
  let path: String
  /// Asks for a folder.
  let endsWithSlash: Bool

  /// In bytes, query included.
  private static let limit = 2048

  /// Only from what was checked: any other way in would reach outside the folder.
  private init(path: String, endsWithSlash: Bool) {
    (self.path, self.endsWithSlash) = (path, endsWithSlash)
  }

  /// The file that is asked for.
  var file: String {
    endsWithSlash ? (path.isEmpty ? "index.html" : path + "/index.html") : path
  }

  /// The page of the folder by this name.
  var asFolder: RequestPath { RequestPath(path: path, endsWithSlash: true) }

  /// The target that asks for it: always on this site, whatever the path says.
  var target: String {
    let path = Percent.encoded(path.utf8) { $0 == UInt8(ascii: "/") || Percent.isUnreserved($0) }
    // Two slashes at the beginning would name another host.
    return endsWithSlash && !path.isEmpty ? "/\(path)/" : "/" + path
  }
}

extension RequestPath {
  /// Reads the target of a request, decoded once: `/a%20b/c.html?query`.
  ///
  /// A name that begins with a dot is `notFound`.
  init(reading target: [UInt8]) throws(Refusal) {
    if target.count > RequestPath.limit { throw .longTarget }
    guard target.first == UInt8(ascii: "/") else { throw .badTarget }
    let raw = target.prefix { $0 != UInt8(ascii: "?") }.dropFirst()
    let slash = UInt8(ascii: "/")
    guard raw.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "#") }),
      let bytes = Percent.decoded(raw),
      bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\\") }),
      // An encoded slash would divide the path differently for whatever decodes it later.
      bytes.count(where: { $0 == slash }) == raw.count(where: { $0 == slash }),
      let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: { (0x80...0x9f).contains($0.value) })
    else { throw .badTarget }
    endsWithSlash = bytes.last == slash || bytes.isEmpty
    path = endsWithSlash ? String(text.unicodeScalars.dropLast()) : text
    if bytes.isEmpty { return }
    // By bytes, since a dot or a slash may combine with what follows to another character.
    let names = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
    if names.contains(where: {
      $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8)
    }) {
      throw .badTarget
    }
    if names.contains(where: { $0.first == UInt8(ascii: ".") }) { throw .notFound }
  }
}
