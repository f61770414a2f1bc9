import Bytes
package import Recipes

/// The network location of an avatar.
package enum RemoteAddress: Hashable, Sendable {
  /// ASCII without a fragment, normalized so that equal addresses compare equal.
  case url(String)
  /// A lower-case user name, or the SHA-256 of a mail address, which is never stored.
  case account(AvatarService, String)

  /// The name of the source type in a manifest.
  package var kindName: String {
    switch self {
    case .url(let url): url.hasPrefix("https:") ? "https" : "http"
    case .account(let service, _): service.rawValue
    }
  }

  /// A description for messages without mail addresses and secrets.
  package var spelling: String {
    switch self {
    case .url(let url): WebURL.spelling(of: url)
    case .account(let service, let account):
      "\(service.rawValue):" + (service.takesUserName ? account : "\(account.prefix(8))…")
    }
  }

  /// Returns the URL to request; `pixels` is limited to each service's maximum.
  package func url(
    pixels: Int, services: [AvatarService: String] = AvatarService.urls
  ) -> String {
    switch self {
    case .url(let url): url
    case .account(let service, let account):
      (services[service] ?? service.url) + service.path(of: account, "\(service.size(pixels))")
    }
  }

  /// Returns the cache key; pictures that may differ get different keys.
  package func key(
    pixels: Int, services: [AvatarService: String] = AvatarService.urls
  ) -> String {
    switch self {
    case .url(let url): "url \(Digest(of: url))"
    case .account(let service, let account):
      "\(service.rawValue) \(account) \(service.size(pixels)) "
        + "\(Digest(of: services[service] ?? service.url))"
    }
  }
}

/// An avatar service; its raw value is the scheme in a manifest.
package enum AvatarService: String, CaseIterable, Sendable {
  case gravatar, libravatar, github

  /// The base URL of the service, without a trailing `/`.
  var url: String {
    switch self {
    case .gravatar: "https://gravatar.com"
    case .libravatar: "https://seccdn.libravatar.org"
    case .github: "https://github.com"
    }
  }

  /// Whether an account is a public user name, and not a mail address.
  var takesUserName: Bool {
    switch self {
    case .gravatar, .libravatar: false
    case .github: true
    }
  }

  package static let urls = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.url) })

  func path(of account: String, _ size: String) -> String {
    switch self {
    case .gravatar, .libravatar: "/avatar/\(account)?s=\(size)&d=404"
    case .github: "/\(account).png?size=\(size)"
    }
  }

  /// Returns the size to request.
  fileprivate func size(_ pixels: Int) -> Int {
    let largest =
      switch self {
      case .gravatar: 2048
      case .libravatar: 512
      case .github: 460
      }
    return min(max(1, pixels), largest)
  }

  /// Parses an account name or mail address; rejections never repeat the input.
  package func address(_ word: String) throws(Rejection) -> RemoteAddress {
    guard takesUserName else { return .account(self, try Self.mailHash(word)) }
    let parts = word.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    // Letters, digits and single inner hyphens.
    guard word.utf8.count <= 39,
      parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIILetterOrDigit) })
    else { throw Rejection(.badAddress, "no name of a GitHub user") }
    return .account(self, word.lowercased())
  }

  /// Hashes a mail address; people who want to keep it private write its SHA-256 or MD5 in hex.
  private static func mailHash(_ text: String) throws(Rejection) -> String {
    let mail = String(text.unicodeScalars.trimmed(while: \.properties.isWhitespace)).lowercased()
    if mail.isMailHash { return mail }
    let parts = mail.split(separator: "@", omittingEmptySubsequences: false)
    guard mail.utf8.count <= longestMail, parts.count == 2, !parts.contains(where: \.isEmpty),
      !mail.unicodeScalars.contains(where: \.isBlankOrControl)
    else {
      throw Rejection(
        .badAddress, "neither a mail address nor the hexadecimal digits of its SHA-256 or MD5")
    }
    return Digest(of: mail).hex
  }

  /// The SMTP limit (RFC 5321, 4.5.3.1.3, without the brackets).
  private static let longestMail = 254

  /// Reads the base URL of a service or its mirror.
  package static func mirror(_ text: String) throws(Rejection) -> String {
    guard let (scheme, rest) = WebURL.parts(of: text), ["https", "http"].contains(scheme) else {
      throw Rejection(.badAddress, "neither https:// nor http://")
    }
    guard !text.contains("?"), !text.contains("#") else {
      throw Rejection(.badAddress, "a query or a fragment in it")
    }
    var url = try WebURL.normalize(scheme: scheme, rest: String(rest))
    while url.hasSuffix("/") { url.removeLast() }
    return url
  }
}

extension String {
  /// Whether the text may be the SHA-256 or the MD5 of a mail address.
  var isMailHash: Bool { [64, 32].contains(utf8.count) && utf8.allSatisfy(\.isHexDigit) }
}
