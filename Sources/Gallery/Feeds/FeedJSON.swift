import Manifest
import Plan

/// `feed.json`: everybody, as a JSON Feed (version 1.1), in the manifest's order.
///
/// A feed has whole addresses or none. Nobody says when a person came, so no item has a date.
struct FeedJSON {
  private let content: SiteContent
  private let address: SiteAddress?

  init(_ content: SiteContent) {
    self.content = content
    address = SiteAddress(content.manifest.site)
  }

  func write(_ emit: ([UInt8]) throws -> Void) throws {
    let site = content.manifest.site
    var json = JSONBytes()
    try json.object { json in
      json.pair("version", "https://jsonfeed.org/version/1.1", indent: 2)
      json.pair("title", site.title, indent: 2)
      json.pair("home_page_url", address?.of(GalleryPaths.people(page: 1)), indent: 2)
      json.pair("feed_url", address?.of(GalleryPaths.feed), indent: 2)
      json.pair("description", site.description, indent: 2)
      json.pair("language", site.language, indent: 2)
      json.line(indent: 2)
      json.key("items")
      try json.array { json in
        for user in content.manifest.users.indices {
          json.line(indent: 4)
          write(user, to: &json)
          if json.bytes.count > 1 << 16 {
            try emit(json.bytes)
            json.removeAll()
          }
        }
      }
    }
    json.endLine()
    try emit(json.bytes)
  }

  private func write(_ user: Int, to json: inout JSONBytes) {
    let person = content.manifest.users[user]
    json.object { json in
      json.pair("id", person.urn)
      json.pair("url", address.map { content.address(of: user, $0) })
      json.pair("external_url", person.link.map(SiteAddress.encoded))
      json.pair("title", person.name)
      json.pair("content_text", Self.text(of: person))
      if let address, let portrait = content.portrait(of: user) {
        json.pair("image", address.of(portrait.path))
      }
      guard !person.tags.isEmpty else { return }
      json.key("tags")
      json.array { json in
        for tag in person.tags { json.string(tag) }
      }
    }
  }

  /// An item must have some: the title and the tags, else the name.
  private static func text(of person: User) -> String {
    let tags = person.tags.joined(separator: ", ")
    let parts = [person.title ?? "", tags].filter { !$0.isEmpty }
    return parts.isEmpty ? person.name : parts.joined(separator: "\n")
  }
}
