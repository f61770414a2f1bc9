/// A link to a profile, with a label and the kind of its icon in `gallery.css`.
struct ProfileLink {
  enum Kind: String, CaseIterable { case web, code, talk, work, study, film, picture, mail }

  let label: String
  let kind: Kind

  init(_ address: String) {
    let parts = address.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() != "mailto" else {
      (label, kind) = (String(parts.last?.prefix { $0 != "?" } ?? ""), .mail)
      return
    }
    let rest = parts[1].drop { $0 == "/" }
    var host = rest.prefix { !"/?#".contains($0) }.lowercased()
    if host.hasPrefix("www.") { host.removeFirst(4) }
    let path = rest.drop { !"/?#".contains($0) }.prefix { !"?#".contains($0) }
    if let known = Self.hosts.first(where: { host == $0.host || host.hasSuffix("." + $0.host) }) {
      (label, kind) = (known.label, known.kind)
    } else if path.hasPrefix("/@"), path.count > 2 {
      // The path is a Mastodon handle, such as `/@ada` for `@ada@example.org`.
      (label, kind) = (path.dropFirst().prefix { $0 != "/" } + "@" + host, .talk)
    } else {
      var parts = path.split(separator: "/")
      if parts.count > 1, parts.last?.hasPrefix("index.") == true { parts.removeLast() }
      if host.count + path.count > 40 {
        let last = parts.last.map { $0.count > 32 ? $0.prefix(31) + "…" : $0 } ?? ""
        parts = (parts.count > 1 ? ["…"] : []) + [last]
      }
      (label, kind) = (([host[...]] + parts).joined(separator: "/"), .web)
    }
  }

  private static let hosts: [(host: String, label: String, kind: Kind)] = [
    ("github.com", "GitHub", .code), ("gitlab.com", "GitLab", .code),
    ("codeberg.org", "Codeberg", .code), ("bitbucket.org", "Bitbucket", .code),
    ("x.com", "X", .talk), ("twitter.com", "X", .talk), ("bsky.app", "Bluesky", .talk),
    ("facebook.com", "Facebook", .talk), ("t.me", "Telegram", .talk),
    ("linkedin.com", "LinkedIn", .work), ("xing.com", "XING", .work),
    ("orcid.org", "ORCID", .study), ("scholar.google.com", "Google Scholar", .study),
    ("dblp.org", "DBLP", .study), ("researchgate.net", "ResearchGate", .study),
    ("youtube.com", "YouTube", .film), ("vimeo.com", "Vimeo", .film),
    ("twitch.tv", "Twitch", .film), ("instagram.com", "Instagram", .picture),
    ("flickr.com", "Flickr", .picture),
  ]
}
