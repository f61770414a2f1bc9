package import Bytes
package import Recipes

/// Where on the network a person's picture is.
///
/// A mail address is hashed as soon as it is read, and kept nowhere.
package enum RemoteAddress: Hashable, Sendable {
  /// In ASCII, without a fragment: two spellings of one address are one.
  case url(String)
  case gravatar(Digest)
  case libravatar(Digest)
  /// A user's name, in lower case.
  case github(String)

  /// A service that knows people by a word; its name is the scheme in a manifest.
  package enum Service: String, CaseIterable, Sendable {
    case gravatar, libravatar, github

    /// Whose picture `word` names; a failure never repeats what was written.
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

  /// Letters, digits and single hyphens between them, at most 39.
  private static func isGitHubName(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return text.utf8.count <= 39
      && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy(\.isASCIILetterOrDigit) }
  }
}

// MARK: - In words

extension RemoteAddress {
  /// As a manifest calls it.
  package var kindName: String {
    switch self {
    case .url(let url): url.hasPrefix("https:") ? "https" : "http"
    case .gravatar: "gravatar"
    case .libravatar: "libravatar"
    case .github: "github"
    }
  }

  /// For messages: enough to find it, and nothing that tells a mail address or a secret.
  package var spelling: String {
    switch self {
    case .url(let url): WebURL.spelling(of: url)
    case .gravatar(let digest): "gravatar:\(digest.hex.prefix(8))…"
    case .libravatar(let digest): "libravatar:\(digest.hex.prefix(8))…"
    case .github(let user): "github:\(user)"
    }
  }
}

// MARK: - What is asked

extension RemoteAddress {
  /// Identifies what is kept: two pictures that may differ have two keys.
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

  /// What the service is asked for; an address of its own has one size.
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

/// Who is asked for the avatars of people: the services themselves, or mirrors of them.
///
/// Each is the beginning of an address, without a `/` at its end.
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

/// What avatar services know a mail address by.
private enum MailHash {
  /// Of a mail address, or of the 64 digits of its SHA-256, for people who do not want to write it down.
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

  /// What SMTP takes (RFC 5321, 4.5.3.1.3, without the brackets).
  private static let longest = 254

  private static func failure(_ detail: String) -> Result<Digest, Rejection> {
    .failure(Rejection(.badAddress, "no mail address, \(detail)"))
  }
}
