package import Fetch
package import Store

/// Where on the network a person's picture is.
///
/// A mail address is hashed as soon as it is read, and kept nowhere.
package enum RemoteAddress: Hashable, Sendable {
  /// In ASCII, without a fragment: two spellings of one address are one.
  case url(String)
  case gravatar(Digest)
  /// The domain decides who is asked; empty where only a digest is known.
  case libravatar(Digest, domain: String)
  /// A user's name, in lower case.
  case github(String)

  /// What a source in a manifest means.
  ///
  /// - Parameters:
  ///   - scheme: What stands before the first colon.
  ///   - rest: What stands behind it.
  /// - Returns: A failure says what is wrong, and never repeats what was written.
  package static func parse(
    scheme: String, rest: String
  ) -> Result<RemoteAddress, FetchFailure> {
    switch scheme.lowercased() {
    case "https", "http":
      RemoteURL.normalize(scheme: scheme.lowercased(), rest: rest).map { .url($0) }
    case "gravatar":
      MailHash.read(rest).map { .gravatar($0.digest) }
    case "libravatar":
      MailHash.read(rest).map { .libravatar($0.digest, domain: $0.domain) }
    case "github":
      isGitHubName(rest)
        ? .success(.github(rest.lowercased()))
        : .failure(FetchFailure(.badAddress, "no name of a GitHub user"))
    default:
      .failure(FetchFailure(.badAddress, "nothing is fetched from such an address"))
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
    case .url(let url): RemoteURL.spelling(of: url)
    case .gravatar(let digest): "gravatar:\(digest.hex.prefix(8))…"
    case .libravatar(let digest, _): "libravatar:\(digest.hex.prefix(8))…"
    case .github(let user): "github:\(user)"
    }
  }
}

// MARK: - What is asked

extension RemoteAddress {
  /// Identifies what is kept: what differs in it is never taken for the same picture.
  ///
  /// Without the host of a federated server, so that a name server out of order forgets nothing.
  package func key(pixels: Int, services: RemoteServices = RemoteServices()) -> String {
    let size = size(pixels)
    return switch self {
    case .url(let url): "url \(Digest(of: url))"
    case .gravatar(let digest): "gravatar \(digest) \(size) \(Digest(of: services.gravatar))"
    case .libravatar(let digest, let domain):
      "libravatar \(digest) \(Digest(of: domain)) \(size) \(Digest(of: services.libravatar))"
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

extension UInt8 {
  var isASCIILetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  /// The value of a hexadecimal digit.
  var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
