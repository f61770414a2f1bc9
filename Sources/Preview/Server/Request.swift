import Bytes
import CMicroHTTPD
import Foundation

/// The parts of a request that its reply depends on.
struct Request: Sendable {
  let method: String
  /// As it came, without the query.
  let target: String
  /// By their names in lower case; a header may come several times.
  private(set) var headers: [String: [String]] = [:]
  /// The name of a header is not a token.
  private var isMalformed = false

  /// A request without headers.
  init(method: String, target: String) { (self.method, self.target) = (method, target) }

  init(_ connection: OpaquePointer, method: String, target: String) {
    self.init(method: method, target: target)
    // The library uses the pointer during the call only.
    unsafe withUnsafeMutablePointer(to: &self) { request in
      _ = unsafe MHD_get_connection_values_n(
        connection, .HEADER_KIND,
        { request, _, name, nameSize, value, valueSize in
          guard let request = unsafe request, let name = unsafe name else { return .YES }
          unsafe request.assumingMemoryBound(to: Request.self).pointee.take(
            UnsafeRawBufferPointer(start: name, count: nameSize),
            UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize))
          return .YES
        }, request)
    }
  }

  mutating func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    // `Content-Length ` is not a token of RFC 9110, but others may read it as `Content-Length`.
    if unsafe name.isEmpty || !name.allSatisfy(\.isHTTPTokenByte) { isMalformed = true }
    let name = unsafe String(decoding: name, as: UTF8.self).lowercased()
    headers[name, default: []].append(unsafe String(decoding: value, as: UTF8.self))
  }

  private subscript(name: String) -> [String] { headers[name] ?? [] }

  /// Whether it announces a body, or it is unclear where it ends.
  ///
  /// The reply to such a request comes before anything of a body is read, and ends the connection.
  var isUnclear: Bool {
    isMalformed || !self["transfer-encoding"].isEmpty
      || self["content-length"].contains { $0 != "0" }
  }

  /// Checks everything but the path.
  func check(_ hosts: AllowedHosts) throws(Refusal) {
    if isMalformed { throw Refusal(400, "The name of a header is malformed.") }
    let names = self["host"]
    guard names.count == 1 else { throw Refusal(400, "The request must have one Host header.") }
    guard hosts.allows(names[0]) else {
      throw Refusal(421, "This server answers for this machine only.")
    }
    guard method == "GET" || method == "HEAD" else {
      throw Refusal(405, "Only GET and HEAD are answered.")
    }
    if isUnclear { throw Refusal(400, "A request for a file must not have a body.") }
  }

  /// Whether it comes from a page of this server, or from no page at all.
  ///
  /// A page of another site could learn from events when the user works, and take all streams.
  func checkSameSite(_ hosts: AllowedHosts) throws(Refusal) {
    guard self["sec-fetch-site"].allSatisfy({ $0 == "same-origin" || $0 == "none" }),
      self["origin"].count <= 1, self["origin"].allSatisfy({ hosts.allows(origin: $0) })
    else { throw Refusal(403, "Events are for pages of this server.") }
  }

  /// Whether If-None-Match names a tag; weakly, as that header demands.
  func knows(_ tag: String) -> Bool {
    self["if-none-match"].joined(separator: ",").split(separator: ",").contains { name in
      let name = name.trimmingBlanks
      return name == "*" || name == tag || name == "W/" + tag
    }
  }

  /// The path that it asks for, without the first slash, decoded once.
  ///
  /// Parts that are empty or begin with a dot are refused, and with them every way out of the folder.
  func path() throws(Refusal) -> String {
    guard target.utf8.first == UInt8(ascii: "/"),
      let path = String(Substring(target.utf8.dropFirst())).removingPercentEncoding
    else { throw .notFound }
    // By bytes, since a dot or a slash may combine with what follows to another character.
    var parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true { parts.removeLast() }
    guard parts.allSatisfy({ !$0.isEmpty && $0.first != UInt8(ascii: ".") }) else {
      throw .notFound
    }
    return path
  }
}

/// Why a request gets no file: a status of HTTP, with a line for people.
struct Refusal: Error, Hashable {
  let status: Int
  let text: String

  init(_ status: Int, _ text: String) {
    (self.status, self.text) = (status, text)
  }

  static let notFound = Refusal(404, "There is no such file.")
}
