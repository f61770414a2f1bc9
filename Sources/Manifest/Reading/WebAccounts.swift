import Bytes
import Documents

enum WebAccounts {
  /// Each service's URL prefix, up to the account name.
  static let starts = [
    "bluesky": "https://bsky.app/profile/", "codeberg": "https://codeberg.org/",
    "github": "https://github.com/", "gitlab": "https://gitlab.com/",
    "instagram": "https://www.instagram.com/", "linkedin": "https://www.linkedin.com/in/",
    "mastodon": "", "orcid": "https://orcid.org/",
    "scholar": "https://scholar.google.com/citations?user=", "twitter": "https://x.com/",
    "xtwitter": "https://x.com/", "youtube": "https://www.youtube.com/@",
  ]

  /// Returns the URL prefix for a column such as `github`, `GitHub username` or `your GitHub`.
  static func service(_ name: String) -> String? {
    let affixes = [
      "", "url", "link", "profile", "username", "user", "handle", "account", "page", "name",
    ]
    let name = name.hasPrefix("your") ? name.dropFirst(4) : name[...]
    return starts.first { service, _ in
      guard name.hasPrefix(service) else { return false }
      let rest = name.dropFirst(service.utf8.count)
      // Only ORCID and Google Scholar use an id as the account name.
      return affixes.contains { $0 == rest }
        || rest == "id" && ["orcid", "scholar"].contains(service)
    }?.value
  }

  static func link(_ text: String) -> String {
    if WebURL.isLink(text) { return text }
    let host = text.prefix { $0 != "/" }
    let isBare = host.contains(".") && !host.contains(":") && !host.contains("@")
    return isBare && WebURL.isLink("https://" + text) ? "https://" + text : text
  }

  /// Returns the URLs from a column of URLs or account names, and drops other values.
  static func links(_ node: Node, _ name: String) -> [Node] {
    switch node.content {
    case .sequence(let items): return items.flatMap { links($0, name) }
    case .mapping(let entries):
      // Both `{ icon: github, link: … }` and `{ github: ada }` occur.
      let names = ["url", "href", "link", "address"]
      if let value = names.lazy.compactMap({ node.value(at: [$0][...]) }).first {
        return links(value, name)
      }
      return entries.flatMap { links($0.value, ValuePath.plain($0.key)) }
    case .scalar(let scalar):
      let text = scalar.text.plain
      if scalar.isAnswer || text.isPlaceholder { return [] }
      let link = service(name).map { account(text, $0) } ?? Self.link(text)
      // Email addresses are not published.
      guard WebURL.isLink(link), !link.hasPrefix("mailto:") else { return [] }
      return [node.with(link)]
    }
  }

  private static func account(_ text: String, _ start: String) -> String {
    if text.contains("/") { return link(text) }
    let parts = text.split(separator: "@")
    if start.isEmpty { return parts.count == 2 ? "https://\(parts[1])/@\(parts[0])" : text }
    return parts.count == 1 ? start + parts[0] : text
  }
}

extension Scalar {
  var isAnswer: Bool {
    (style == .plain || style == .boolean) && (text == "true" || text == "false")
  }
}

extension String {
  var isPlaceholder: Bool { isDash || ["none", "na", "null", "?"].contains(lowercased()) }

  var isDash: Bool { ["-", "–", "—", "n/a", "#n/a"].contains(lowercased()) }

  /// Whether the text marks an empty cell; in names, ids and tags, `NA` may also be a value.
  var isMissing: Bool { isDash || self == "NA" }
}
