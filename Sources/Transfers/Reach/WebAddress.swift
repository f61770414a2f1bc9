import Bytes
import CCurl
package import Fetch
import Glibc

/// A URL parsed by libcurl, so that checks and connections interpret it in the same way.
package struct WebAddress: Hashable, Sendable {
  /// The normalized URL, with a lower-case host in Punycode and without a fragment.
  package let text: String
  package let isSecure: Bool
  /// The host in lower case, without a trailing dot; an IPv6 address is in brackets.
  package let host: String
  package let port: UInt16

  /// - Throws: `badAddress`; the message contains no part of the URL except the scheme.
  package init(_ text: String) throws(FetchFailure) {
    // libcurl would stop at a zero byte.
    guard text.utf8.count <= FetchRequest.longestAddress, !text.utf8.contains(0) else {
      throw Self.notURL
    }
    let parts = CurlURL()
    try WebAddress.check(
      parts.set(
        CURLUPART_URL, text, CURLU_DISALLOW_USER | CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME))
    try WebAddress.checkScheme(parts.get(CURLUPART_SCHEME))
    guard parts.get(CURLUPART_ZONEID) == nil, var host = parts.asciiHost()?.lowercased() else {
      throw Self.badHost
    }
    if host.hasSuffix(".") { host.removeLast() }
    guard !host.hasSuffix(".") else { throw Self.badHost }
    try WebAddress.check(parts.set(CURLUPART_HOST, host))
    try WebAddress.check(parts.set(CURLUPART_FRAGMENT, nil))
    // Parsing may turn a name into an IP address. Parse until the result is stable, so that
    // libcurl reads the same URL when it connects.
    var plain = parts.get(CURLUPART_URL) ?? ""
    for _ in 0..<4 {
      let address = try WebAddress(plain: plain)
      if address.text == plain {
        self = address
        return
      }
      plain = address.text
    }
    throw Self.notURL
  }

  private init(plain: String) throws(FetchFailure) {
    let parts = CurlURL()
    try WebAddress.check(
      parts.set(CURLUPART_URL, plain, CURLU_DISALLOW_USER | CURLU_NON_SUPPORT_SCHEME))
    let scheme = try WebAddress.checkScheme(parts.get(CURLUPART_SCHEME))
    guard let host = parts.get(CURLUPART_HOST), (1...HostName.limit).contains(host.utf8.count),
      host.utf8.allSatisfy({ $0 < 0x80 }),
      let port = parts.get(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap({ UInt16($0) }),
      let text = parts.get(CURLUPART_URL)
    else { throw Self.badHost }
    // Check again, because percent-encoding can triple the length.
    guard text.utf8.count <= FetchRequest.longestAddress else { throw Self.notURL }
    self.text = text
    isSecure = scheme == "https"
    self.host = host
    self.port = port
  }

  /// The host's key for limits, pauses and failure counts.
  package var authority: String { "\(host):\(port)" }

  /// The host, with the port unless it is the scheme's default.
  package var name: String { port == (isSecure ? 443 : 80) ? host : authority }

  var origin: String { "\(isSecure ? "https" : "http")://\(name)" }

  /// Resolves a redirect's `location` relative to this URL.
  ///
  /// - Throws: `redirectRefused` for an unsupported scheme, an invalid URL, or a downgrade to http.
  package func leading(to location: String) throws(FetchFailure) -> WebAddress {
    let parts = CurlURL()
    guard location.utf8.count <= FetchRequest.longestAddress, !location.utf8.contains(0),
      parts.set(CURLUPART_URL, text) == CURLUE_OK,
      parts.set(
        CURLUPART_URL, location, CURLU_URLENCODE | CURLU_ALLOW_SPACE | CURLU_NON_SUPPORT_SCHEME)
        == CURLUE_OK,
      let next = parts.get(CURLUPART_URL)
    else { throw FetchFailure(.redirectRefused, "redirected to an invalid URL") }
    let address: WebAddress
    do throws(FetchFailure) {
      address = try WebAddress(next)
    } catch {
      throw FetchFailure(.redirectRefused, "redirected to an invalid address: \(error.detail)")
    }
    if isSecure, !address.isSecure {
      throw FetchFailure(.redirectRefused, "redirected from https to http")
    }
    return address
  }

  private static let notURL = FetchFailure(.badAddress, "it is not a valid URL")
  private static let badHost = FetchFailure(.badAddress, "its host name is not valid")
  private static let badScheme = FetchFailure(
    .badAddress, "it does not begin with http:// or https://")

  private static func check(_ code: CURLUcode) throws(FetchFailure) {
    switch code {
    case CURLUE_OK: return
    case CURLUE_USER_NOT_ALLOWED:
      throw FetchFailure(.badAddress, "it contains a username or password")
    case CURLUE_NO_HOST: throw FetchFailure(.badAddress, "its host is missing")
    case CURLUE_BAD_HOSTNAME, CURLUE_BAD_IPV6, CURLUE_LACKS_IDN: throw badHost
    case CURLUE_BAD_PORT_NUMBER: throw FetchFailure(.badAddress, "its port is not valid")
    case CURLUE_BAD_SCHEME, CURLUE_UNSUPPORTED_SCHEME, CURLUE_NO_SCHEME: throw badScheme
    default: throw notURL
    }
  }

  @discardableResult
  private static func checkScheme(_ scheme: String?) throws(FetchFailure) -> String {
    guard let scheme, scheme == "http" || scheme == "https" else { throw badScheme }
    return scheme
  }
}

@safe
struct CurlURL: ~Copyable {
  private let handle: OpaquePointer

  init() {
    guard let handle = unsafe Curl.functions.pointee.url() else { fatalError("out of memory") }
    unsafe self.handle = handle
  }

  deinit {
    unsafe Curl.functions.pointee.url_cleanup(handle)
  }

  borrowing func set(_ part: CURLUPart, _ text: String?, _ flags: Int32 = 0) -> CURLUcode {
    unsafe Curl.functions.pointee.url_set(handle, part, text, UInt32(flags))
  }

  borrowing func get(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe Curl.functions.pointee.url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK,
      let text = unsafe text
    else { return nil }
    defer { unsafe Curl.functions.pointee.release(text) }
    return unsafe String(cString: text)
  }

  /// Uses a UTF-8 locale, because libcurl decodes names in the current locale's encoding.
  borrowing func asciiHost() -> String? {
    guard let host = get(CURLUPART_HOST) else { return nil }
    if host.utf8.allSatisfy({ $0 < 0x80 }) { return host }
    guard let locale = unsafe newlocale(1 << LC_CTYPE, "C.UTF-8", nil) else { return nil }
    let before = unsafe uselocale(locale)
    defer {
      _ = unsafe uselocale(before)
      unsafe freelocale(locale)
    }
    return get(CURLUPART_HOST, CURLU_PUNYCODE)
  }
}
