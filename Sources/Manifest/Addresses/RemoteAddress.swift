package import Bytes
package import Recipes

/// The network location of an avatar.
///
/// Mail addresses are hashed when they are read and never stored.
package enum RemoteAddress: Hashable, Sendable {
  /// ASCII without a fragment, normalized so that equal addresses compare equal.
  case url(String)
  case gravatar(Digest)
  case libravatar(Digest)
  /// A lower-case user name.
  case github(String)

  /// An avatar service; its raw value is the scheme in a manifest.
  package enum Service: String, CaseIterable, Sendable {
    case gravatar, libravatar, github

    /// Parses an account name or mail address; rejections never repeat the input.
    package func address(_ word: String) -> Result<RemoteAddress, Rejection> {
      switch self {
      case .gravatar: MailHash.read(word).map { .gravatar($0) }
      case .libravatar: MailHash.read(word).map { .libravatar($0) }
      case .github:
        isGitHubName(word)
          ? .success(.github(word.lowercased()))
          : .failure(Rejection(.badAddress, "no name of a GitHub user"))
      }
    }
  }

  /// Accepts letters, digits and single inner hyphens, at most 39 bytes.
  private static func isGitHubName(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return text.utf8.count <= 39
      && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy(\.isASCIILetterOrDigit) }
  }
}

extension RemoteAddress {
  /// The name of the source type in a manifest.
  package var kindName: String {
    switch self {
    case .url(let url): url.hasPrefix("https:") ? "https" : "http"
    case .gravatar: "gravatar"
    case .libravatar: "libravatar"
    case .github: "github"
    }
  }

  /// A description for messages without mail addresses and secrets.
  package var spelling: String {
    switch self {
    case .url(let url): WebURL.spelling(of: url)
    case .gravatar(let digest): "gravatar:\(digest.hex.prefix(8))…"
    case .libravatar(let digest): "libravatar:\(digest.hex.prefix(8))…"
    case .github(let user): "github:\(user)"
    }
  }
}

extension RemoteAddress {
  /// Returns the cache key; pictures that may differ get different keys.
  package func key(pixels: Int, services: RemoteServices = RemoteServices()) -> String {
    let size = size(pixels)
    return switch self {
    case .url(let url): "url \(Digest(of: url))"
    case .gravatar(let digest): "gravatar \(digest) \(size) \(Digest(of: services.gravatar))"
    case .libravatar(let digest):
      "libravatar \(digest) \(size) \(Digest(of: services.libravatar))"
    case .github(let user): "github \(user) \(size) \(Digest(of: services.github))"
    }
  }

  /// Returns the size to request; a plain URL has only one.
  package func size(_ pixels: Int) -> Int {
    let largest =
      switch self {
      case .url: 1
      case .gravatar: 2048
      case .libravatar: 512
      case .github: 460
      }
    return min(max(1, pixels), largest)
  }
}

/// Base URLs of the avatar services or their mirrors, without a trailing `/`.
package struct RemoteServices: Hashable, Sendable {
  package var gravatar = "https://gravatar.com"
  package var libravatar = "https://seccdn.libravatar.org"
  package var github = "https://github.com"

  package init() {}

  package static func mirror(_ text: String) -> Result<String, Rejection> {
    guard let (scheme, rest) = WebURL.parts(of: text), ["https", "http"].contains(scheme) else {
      return .failure(Rejection(.badAddress, "neither https:// nor http://"))
    }
    guard !text.contains("?"), !text.contains("#") else {
      return .failure(Rejection(.badAddress, "a query or a fragment in it"))
    }
    return WebURL.normalize(scheme: scheme, rest: String(rest)).map { url in
      var url = url
      while url.hasSuffix("/") { url.removeLast() }
      return url
    }
  }
}

private enum MailHash {
  /// Reads a mail address, or its SHA-256 in hex for people who want to keep it private.
  static func read(_ text: String) -> Result<Digest, Rejection> {
    let mail = String(text.unicodeScalars.trimmed(while: \.properties.isWhitespace)).lowercased()
    if let digest = Digest(hex: mail) { return .success(digest) }
    guard mail.utf8.count <= longest else { return failure("longer than \(longest) bytes") }
    guard !mail.unicodeScalars.contains(where: \.isBlankOrControl) else {
      return failure("a space or a control character in it")
    }
    let parts = mail.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      return failure("nor the 64 digits of its SHA-256")
    }
    return .success(Digest(of: mail))
  }

  /// The SMTP limit (RFC 5321, 4.5.3.1.3, without the brackets).
  private static let longest = 254

  private static func failure(_ detail: String) -> Result<Digest, Rejection> {
    .failure(Rejection(.badAddress, "no mail address, \(detail)"))
  }
}
