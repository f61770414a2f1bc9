import Bytes
import Diagnostics
package import Recipes

enum WebURL {
  private static let longest = 2048

  /// Returns the URL in ASCII, with a lower-case scheme and host and without a fragment.
  static func normalize(scheme: String, rest: String) throws(Rejection) -> String {
    guard rest.utf8.starts(with: "//".utf8) else { throw bad("its host is missing") }
    guard scheme.utf8.count + 1 + rest.utf8.count <= longest else { throw tooLong }
    guard !rest.unicodeScalars.contains(where: \.isBlankOrControl) else {
      throw bad("it contains a space or a control character")
    }
    // Some parsers treat `\` as `/`, so the host would be ambiguous.
    guard !rest.utf8.contains(UInt8(ascii: "\\")) else { throw bad("it contains a backslash") }
    let bytes = rest.utf8.dropFirst(2).prefix { $0 != UInt8(ascii: "#") }
    let authority = bytes.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    guard !authority.contains(UInt8(ascii: "@")) else {
      throw bad("it contains a username or password")
    }
    let host = try host(Substring(authority).lowercased(), scheme: scheme)
    var path = Percent.encoded(bytes.dropFirst(authority.count)) {
      $0 < 0x80 && !"\"<>^`{|}".utf8.contains($0)
    }
    if !path.hasPrefix("/") { path = "/" + path }
    let url = scheme + "://" + host + path
    guard url.utf8.count <= longest else { throw tooLong }
    return url
  }

  /// Returns the host, with the port unless it is the scheme's default.
  private static func host(_ authority: String, scheme: String) throws(Rejection) -> String {
    let parts = HostAndPort(authority)
    let host = parts?.host ?? authority[...]
    guard !host.isEmpty else { throw bad("its host is missing") }
    guard parts != nil, HostName.isValid(host) || HostName.isBracketedAddress(host) else {
      throw bad("its host is not a valid ASCII host name")
    }
    guard let digits = parts?.port, !digits.isEmpty else { return String(host) }
    guard let port = HostAndPort.port(digits) else { throw bad("its port is not valid") }
    return port == (scheme == "https" ? 443 : 80) ? String(host) : "\(host):\(port)"
  }

  private static var tooLong: Rejection { bad("it is longer than \(longest) bytes") }

  private static func bad(_ detail: String) -> Rejection { Rejection(.badAddress, detail) }

  /// Removes the query and fragment, and replaces path segments that may contain an email address.
  static func spelling(of url: String) -> String {
    let bare = url.prefix { $0 != "?" && $0 != "#" }
    let parts = bare.split(separator: "/", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      index > 2 && mayTellAMail(part) ? "…" : String(part)
    }.joined(separator: "/")
  }

  /// Returns whether the segment contains an `@`, possibly percent-encoded several times.
  private static func mayTellAMail(_ part: Substring) -> Bool {
    var part = part.lowercased()
    while let range = part.firstRange(of: "%25") { part.replaceSubrange(range, with: "%") }
    return ["@", "%40", "%ef%bc%a0", "%ef%b9%ab"].contains { part.contains($0) }
  }

  static func parts(of text: String) -> (scheme: String, rest: Substring)? {
    text.utf8.firstIndex(of: UInt8(ascii: ":")).map {
      (text[..<$0].lowercased(), Substring(text.utf8[$0...].dropFirst()))
    }
  }

  /// Returns whether pages may link to the URL: an HTTP URL with a host, or a `mailto:` address.
  ///
  /// Other schemes such as `javascript:` could be harmful. User info, as in
  /// `https://bank.example@other.example`, and bidirectional controls could disguise the host.
  static func isLink(_ text: String) -> Bool {
    guard isUnbroken(text), let (scheme, rest) = parts(of: text) else { return false }
    switch scheme {
    case "http", "https":
      let host = rest.unicodeScalars.dropFirst(2).prefix { !"/?#".unicodeScalars.contains($0) }
      return rest.utf8.starts(with: "//".utf8) && !host.isEmpty && host.first != ":"
        && !host.contains { $0 == "@" || !$0.isASCII && $0.properties.isBidiControl }
    case "mailto": return !rest.isEmpty && rest.utf8.first != UInt8(ascii: "?")
    default: return false
    }
  }

  private static func isUnbroken(_ text: String) -> Bool {
    !text.utf8.contains { $0 <= 0x20 || $0 == 0x7F || "\"<>\\^`{|}".utf8.contains($0) }
      && !text.unicodeScalars.contains { !$0.isASCII && $0.properties.isWhitespace }
  }

  /// Returns the base URL of a site, or nil if it is invalid.
  ///
  /// Lowercases the scheme and adds a missing trailing `/`. Rejects queries, fragments, user
  /// info, `.` and `..`.
  static func site(_ text: String) -> String? {
    guard isLink(text), let (scheme, path) = parts(of: text) else { return nil }
    let rest = Substring(path.utf8.dropFirst("//".utf8.count))
    let parts = rest.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { Substring($0) }
    guard scheme.hasPrefix("http"), !rest.utf8.contains(where: "?#".utf8.contains),
      Percent.decoded(rest.utf8) != nil, let authority = parts.first, isAuthority(authority),
      // `.` and `..` point to other folders, even if they are percent-encoded.
      !parts.dropFirst().contains(where: {
        [".", ".."].contains($0.lowercased().replacing("%2e", with: "."))
      })
    else { return nil }
    // Compare bytes, because a slash and a following combining mark form one `Character`.
    return "\(scheme)://\(rest)\(rest.utf8.last == UInt8(ascii: "/") ? "" : "/")"
  }

  private static func isAuthority(_ text: Substring) -> Bool {
    guard let parts = HostAndPort(text), parts.port.map({ HostAndPort.port($0) != nil }) ?? true
    else { return false }
    return HostName.isBracketedAddress(parts.host)
      || (!parts.host.isEmpty && !parts.host.utf8.contains(where: "[]".utf8.contains))
  }
}

extension Unicode.Scalar {
  var isBlankOrControl: Bool { properties.isWhitespace || properties.generalCategory == .control }
}

extension Reason {
  package static let badAddress = Reason(rawValue: DiagnosticID.badAddress.rawValue)
  package static let badData = Reason(rawValue: DiagnosticID.badDataAddress.rawValue)
}
