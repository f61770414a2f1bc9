package import Fetch

/// Who is asked for the avatars of people: the services themselves, or mirrors of them.
///
/// Each is the beginning of an address, without a `/` at its end.
package struct RemoteServices: Hashable, Sendable {
  package var gravatar = "https://gravatar.com"
  /// For people whose domain names no server of its own.
  package var libravatar = "https://seccdn.libravatar.org"
  package var github = "https://github.com"

  package init() {}

  /// Reads the address of a mirror.
  package static func mirror(_ text: String) -> Result<String, FetchFailure> {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, ["https", "http"].contains(parts[0].lowercased()) else {
      return .failure(FetchFailure(.badAddress, "neither https:// nor http://"))
    }
    guard !text.contains("?"), !text.contains("#") else {
      return .failure(FetchFailure(.badAddress, "a query or a fragment in it"))
    }
    return RemoteURL.normalize(scheme: parts[0].lowercased(), rest: String(parts[1])).map { url in
      var url = url
      while url.hasSuffix("/") { url.removeLast() }
      return url
    }
  }
}
