/// What we look at in a request.
struct Request: Sendable {
  /// As it came, query included.
  var target: [UInt8] = []
  var method = ""
  var hosts: [String] = []
  var ifNoneMatch: [String] = []
  var ifRange: [String] = []
  var ranges: [String] = []
  var encodings: [String] = []
  var origins: [String] = []
  var fetchSites: [String] = []
  /// A header has a name that is none.
  var isMalformed = false
  /// Announces a body, or says so little clearly how long it is that it could be one.
  var hasBody = false

  var isHead: Bool { method == "HEAD" }

  /// Is refused before anything of a body is read, since nobody knows where it ends.
  var isUnclear: Bool { hasBody || isMalformed }

  /// Takes one header, if it is one that we look at.
  mutating func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    guard unsafe Request.isToken(name) else {
      isMalformed = true
      return
    }
    take(
      unsafe String(decoding: name, as: UTF8.self), unsafe String(decoding: value, as: UTF8.self))
  }

  private mutating func take(_ name: String, _ value: String) {
    switch name.utf8.count {
    case 4 where name.lowercased() == "host": hosts.append(value)
    case 5 where name.lowercased() == "range": ranges.append(value)
    case 6 where name.lowercased() == "origin": origins.append(value)
    case 8 where name.lowercased() == "if-range": ifRange.append(value)
    case 13 where name.lowercased() == "if-none-match": ifNoneMatch.append(value)
    case 14 where name.lowercased() == "sec-fetch-site": fetchSites.append(value)
    case 14 where name.lowercased() == "content-length": hasBody = hasBody || value != "0"
    case 15 where name.lowercased() == "accept-encoding": encodings.append(value)
    case 17 where name.lowercased() == "transfer-encoding": hasBody = true
    default: break
    }
  }

  /// Whether it can be answered at all, its path aside.
  func check(_ hosts: KnownHosts) throws(Refusal) {
    if isMalformed { throw .badHeader }
    try hosts.check(self.hosts)
    guard method == "GET" || isHead else { throw .badMethod }
    if hasBody { throw .body }
  }
  /// Whether a page of this server asks, or no page at all.
  ///
  /// Browsers say who does; a page of another site could learn from events when somebody works, and
  /// take all the places of those who may listen.
  func checkListener(_ hosts: KnownHosts) throws(Refusal) {
    guard fetchSites.allSatisfy({ $0 == "same-origin" || $0 == "none" }), origins.count <= 1,
      origins.allSatisfy({ hosts.isOurs(origin: $0) })
    else { throw .foreignPage }
  }

  /// Whether it is a token of RFC 9110: `Content-Length ` is not, which others may read as if it were.
  private static func isToken(_ name: UnsafeRawBufferPointer) -> Bool {
    unsafe !name.isEmpty
      && name.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}
