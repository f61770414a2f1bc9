import Manifest
import Plan
import Recipes
import Store

/// All that is known of the people of one page, for the detail view: a script that calls
/// `gallery.js` with it.
struct PersonDetails: Sendable {
  let gallery: GalleryPages

  private var content: SiteContent { gallery.content }

  /// Those of a page, from 1, as the pages of people are numbered.
  func write(page: Int, _ emit: ([UInt8]) throws -> Void) throws {
    let first = (page - 1) * gallery.pageSize
    let last = min(first + gallery.pageSize, content.manifest.users.count)
    var json = JSONBytes(isScript: true)
    json.code("sitegen.people(\(page),")
    json.array { json in
      for user in first..<last {
        json.line(indent: 0)
        json.object { write(user, to: &$0) }
      }
    }
    json.code(");\n")
    try emit(json.bytes)
  }

  private func write(_ user: Int, to json: inout JSONBytes) {
    let person = content.manifest.users[user]
    let pages = content.manifest.pages
    json.key("id")
    json.string(person.id)
    json.key("anchor")
    json.string(GalleryPages.anchor("person", of: person.id))
    json.key("name")
    json.string(person.name)
    json.pair("title", person.title)
    if !person.tags.isEmpty {
      json.key("tags")
      json.array { json in
        for tag in person.tags { json.string(tag) }
      }
    }
    json.pair("link", person.link)
    if pages.people { json.pair("page", GalleryPaths.person(person.id)) }
    if pages.cards { json.pair("vcard", GalleryPaths.card(person.id)) }
    json.pair("status", content.assignment.status(of: user).rawValue)
    json.pair("reason", gallery.reason(of: user))
    json.pair("source", content.sourceKind(of: user))
    json.key("styles")
    json.array { json in
      guard content.source(of: user) != nil else { return }
      for style in content.styles(of: user) {
        json.object { write(style, of: user, to: &$0) }
      }
    }
  }

  private func write(_ style: Int, of user: Int, to json: inout JSONBytes) {
    let size = gallery.layouts[style]
    json.key("name")
    json.string(content.manifest.styles[style].name)
    json.key("width")
    json.number(size.width)
    json.key("height")
    json.number(size.height)
    if let placeholder = content.placeholder(of: user, style: style) {
      json.pair("color", placeholder.colorText)
      json.pair("thumbhash", placeholder.thumbHashText)
    }
    json.key("images")
    json.array { json in
      for record in content.records(of: user, style: style) {
        json.array { json in
          json.number(record.image.scale)
          json.string(record.image.format.rawValue)
          json.number(Int(record.asset.width))
          json.number(Int(record.asset.height))
          json.number(Int(record.asset.bytes))
          json.string(record.asset.digest.hex)
        }
      }
    }
  }
}
