import Bytes
import CMicroHTTPD
import Foundation

struct Request: Sendable {
  let method: String
  /// The path as it was sent, without decoding and without the query.
  let target: String
  private(set) var headers: [String: [String]] = [:]
  private var isMalformed = false

  init(method: String, target: String) { (self.method, self.target) = (method, target) }

  init(_ connection: OpaquePointer, method: String, target: String) {
    self.init(method: method, target: target)
    // The library uses the pointer only during the call.
    unsafe withUnsafeMutablePointer(to: &self) { request in
      _ = unsafe mhd.get_connection_values_n(
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
    // A name such as `Content-Length ` is not a token (RFC 9110), but other parsers may accept it.
    if unsafe name.isEmpty || !name.allSatisfy(\.isHTTPTokenByte) { isMalformed = true }
    let name = unsafe String(decoding: name, as: UTF8.self).lowercased()
    headers[name, default: []].append(unsafe String(decoding: value, as: UTF8.self))
  }

  private subscript(name: String) -> [String] { headers[name] ?? [] }

  /// Whether the request has a body or an ambiguous length.
  ///
  /// The server replies to such a request without reading the body, and closes the connection.
  var isUnclear: Bool {
    isMalformed || !self["transfer-encoding"].isEmpty
      || self["content-length"].contains { $0 != "0" }
  }

  func check(_ hosts: AllowedHosts) throws(Refusal) {
    if isMalformed { throw Refusal(400, "A header name is malformed.") }
    let names = self["host"]
    guard names.count == 1 else { throw Refusal(400, "Exactly one Host header is required.") }
    guard hosts.allows(names[0]) else {
      throw Refusal(421, "The Host header does not name this machine.")
    }
    guard method == "GET" || method == "HEAD" else {
      throw Refusal(405, "Only GET and HEAD are allowed.")
    }
    if isUnclear { throw Refusal(400, "The request must not have a body.") }
  }

  /// Throws an error if the request comes from a page on another site.
  ///
  /// Such a page could observe when the user works, or use up all event streams.
  func checkSameSite(_ hosts: AllowedHosts) throws(Refusal) {
    guard self["sec-fetch-site"].allSatisfy({ $0 == "same-origin" || $0 == "none" }),
      self["origin"].count <= 1, self["origin"].allSatisfy({ hosts.allows(origin: $0) })
    else { throw Refusal(403, "Only pages on this server can receive events.") }
  }

  /// Returns whether `If-None-Match` contains a tag, by weak comparison.
  func knows(_ tag: String) -> Bool {
    self["if-none-match"].joined(separator: ",").split(separator: ",").contains { name in
      let name = name.trimmingBlanks
      return name == "*" || name == tag || name == "W/" + tag
    }
  }

  /// Returns the requested path without the leading slash, decoded once.
  ///
  /// Parts that are empty or begin with a dot are rejected, which prevents path traversal.
  func path() throws(Refusal) -> String {
    guard target.utf8.first == UInt8(ascii: "/"),
      let path = String(Substring(target.utf8.dropFirst())).removingPercentEncoding
    else { throw .notFound }
    // Compare bytes, because a combining character may merge with a preceding dot or slash.
    var parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true { parts.removeLast() }
    guard parts.allSatisfy({ !$0.isEmpty && $0.first != UInt8(ascii: ".") }) else {
      throw .notFound
    }
    return path
  }
}

struct Refusal: Error, Hashable {
  let status: Int
  let text: String

  init(_ status: Int, _ text: String) {
    (self.status, self.text) = (status, text)
  }

  static let notFound = Refusal(404, "File not found.")
}
