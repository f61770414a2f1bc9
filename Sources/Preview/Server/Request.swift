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
  /// Announces a body, or says so little clearly how long it is that it could be one.
  var hasBody = false

  var isHead: Bool { method == "HEAD" }

  /// Takes one header, if it is one that we look at.
  mutating func take(_ name: String, _ value: String) {
    switch name.utf8.count {
    case 4 where name.lowercased() == "host": hosts.append(value)
    case 5 where name.lowercased() == "range": ranges.append(value)
    case 8 where name.lowercased() == "if-range": ifRange.append(value)
    case 13 where name.lowercased() == "if-none-match": ifNoneMatch.append(value)
    case 14 where name.lowercased() == "content-length": hasBody = hasBody || value != "0"
    case 15 where name.lowercased() == "accept-encoding": encodings.append(value)
    case 17 where name.lowercased() == "transfer-encoding": hasBody = true
    default: break
    }
  }

  /// Whether it can be answered at all, its path aside.
  func check(_ hosts: KnownHosts) throws(Refusal) {
    try hosts.check(self.hosts)
    guard method == "GET" || isHead else { throw .badMethod }
    if hasBody { throw .body }
  }
}
