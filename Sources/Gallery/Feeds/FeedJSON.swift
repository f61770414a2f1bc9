import Manifest
import Plan

/// `feed.json`: everybody, as a JSON Feed (version 1.1), in the manifest's order.
///
/// A feed has whole addresses or none. Items have no date, because the manifest does not say when a
/// person came.
struct FeedJSON {
  let people: People

  func write(_ emit: Emit) throws {
    let site = people.content.manifest.site
    try JSONWriter.writeFile(to: emit) { json in
      json.pair("version", "https://jsonfeed.org/version/1.1", indent: 2)
      json.pair("title", site.title, indent: 2)
      json.pair("home_page_url", people.site?.of(GalleryPaths.people(page: 1)), indent: 2)
      json.pair("feed_url", people.site?.of(GalleryPaths.feed), indent: 2)
      json.pair("description", site.description, indent: 2)
      json.pair("language", site.language, indent: 2)
      try json.array("items", indent: 2) { json in
        for user in 0..<people.count {
          json.line(indent: 4)
          json.object { write(people[user], to: &$0) }
          try json.flush(to: emit)
        }
      }
    }
  }

  private func write(_ person: Person, to json: inout JSONWriter) {
    json.pair("id", person.urn)
    json.pair("url", person.url)
    json.pair("external_url", person.user.link.map(SiteAddress.encoded))
    json.pair("title", person.user.name)
    json.pair("content_text", Self.text(of: person))
    json.pair("image", person.portraitURL)
    json.pair("tags", person.user.tags)
  }

  /// An item must have a text: what is known of a person, else the name.
  private static func text(of person: Person) -> String {
    let tags = person.user.tags.joined(separator: ", ")
    let parts = [person.role ?? "", person.user.about ?? "", tags].filter { !$0.isEmpty }
    return parts.isEmpty ? person.user.name : parts.joined(separator: "\n")
  }
}
