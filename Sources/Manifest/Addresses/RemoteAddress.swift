import Bytes
package import Recipes

package enum RemoteAddress: Hashable, Sendable {
  /// An ASCII URL without a fragment, normalized so that equivalent URLs compare equal.
  case url(String)
  /// A lower-case username, or the hash of an email address; the address itself is never stored.
  case account(AvatarService, String)

  package var kindName: String {
    switch self {
    case .url(let url): url.hasPrefix("https:") ? "https" : "http"
    case .account(let service, _): service.rawValue
    }
  }

  /// The address as shown in messages, without email addresses or secrets.
  package var spelling: String {
    switch self {
    case .url(let url): WebURL.spelling(of: url)
    case .account(let service, let account):
      "\(service.rawValue):" + (service.takesUserName ? account : "\(account.prefix(8))…")
    }
  }

  /// Returns the URL to request, with the size capped at the service's maximum.
  package func url(pixels: Int, services: [AvatarService: String] = AvatarService.urls) -> String {
    switch self {
    case .url(let url): url
    case .account(let service, let account):
      (services[service] ?? service.url) + service.path(of: account, "\(service.size(pixels))")
    }
  }

  /// Returns the cache key; requests that may return different pictures have different keys.
  package func key(pixels: Int, services: [AvatarService: String] = AvatarService.urls) -> String {
    switch self {
    case .url(let url): "url \(Digest(of: url))"
    case .account(let service, let account):
      "\(service.rawValue) \(account) \(service.size(pixels)) "
        + "\(Digest(of: services[service] ?? service.url))"
    }
  }
}

/// An avatar service; the raw value is its scheme in a manifest.
package enum AvatarService: String, CaseIterable, Sendable {
  case gravatar, libravatar, github

  var url: String {
    switch self {
    case .gravatar: "https://gravatar.com"
    case .libravatar: "https://seccdn.libravatar.org"
    case .github: "https://github.com"
    }
  }

  var takesUserName: Bool { self == .github }

  package static let urls = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.url) })

  func path(of account: String, _ size: String) -> String {
    switch self {
    case .gravatar, .libravatar: "/avatar/\(account)?s=\(size)&d=404"
    case .github: "/\(account).png?size=\(size)"
    }
  }

  fileprivate func size(_ pixels: Int) -> Int {
    let largest =
      switch self {
      case .gravatar: 2048
      case .libravatar: 512
      case .github: 460
      }
    return min(max(1, pixels), largest)
  }

  /// Parses a username or email address, without quoting it in rejections.
  package func address(_ word: String) throws(Rejection) -> RemoteAddress {
    guard takesUserName else { return .account(self, try Self.mailHash(word)) }
    let parts = word.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard word.utf8.count <= 39,
      parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIILetterOrDigit) })
    else { throw Rejection(.badAddress, "it is not a GitHub username") }
    return .account(self, word.lowercased())
  }

  /// Returns the hash of an email address, or the text itself if it is a hex SHA-256 or MD5.
  private static func mailHash(_ text: String) throws(Rejection) -> String {
    let mail = String(text.unicodeScalars.trimmed(while: \.properties.isWhitespace)).lowercased()
    if mail.isMailHash { return mail }
    let parts = mail.split(separator: "@", omittingEmptySubsequences: false)
    guard mail.utf8.count <= longestMail, parts.count == 2, !parts.contains(where: \.isEmpty),
      !mail.unicodeScalars.contains(where: \.isBlankOrControl)
    else {
      throw Rejection(
        .badAddress, "it is neither an email address nor the hex SHA-256 or MD5 of one")
    }
    return Digest(of: mail).hex
  }

  /// The maximum address length in SMTP (RFC 5321, 4.5.3.1.3), not counting angle brackets.
  private static let longestMail = 254

  package static func mirror(_ text: String) throws(Rejection) -> String {
    guard let (scheme, rest) = WebURL.parts(of: text), ["https", "http"].contains(scheme) else {
      throw Rejection(.badAddress, "it does not begin with https:// or http://")
    }
    guard !text.contains("?"), !text.contains("#") else {
      throw Rejection(.badAddress, "it contains a query or a fragment")
    }
    var url = try WebURL.normalize(scheme: scheme, rest: String(rest))
    while url.hasSuffix("/") { url.removeLast() }
    return url
  }
}

extension String {
  var isMailHash: Bool { [64, 32].contains(utf8.count) && utf8.allSatisfy(\.isHexDigit) }
}
