import Bytes
import Manifest
import Plan
import Recipes

/// The scripts for search and details, and their data files; pages load all of them on demand.
///
/// The data files are also scripts, because a page opened from disk cannot load JSON. They call
/// functions in `gallery.js`.
struct ScriptData: Sendable {
  let gallery: GalleryPages

  /// The maximum number of people in a part of the search index; small parts load quickly.
  private static let partSize = 4096

  private static let tagLimit = 200

  private var people: People { gallery.people }

  private var showsProblems: Bool { people.content.manifest.pages.problems }

  var scripts: [Site.Page] {
    let names = [Templates.findScriptName, Templates.detailScriptName]
    return people.count > 0 ? names.map(gallery.templates.page) : []
  }

  /// The data files, which are published after the pages that they refer to.
  var data: [Site.Page] {
    guard people.count > 0 else { return [] }
    let details = (1...gallery.pageCount(of: people.count)).map { page in
      Site.Page(path: GalleryPaths.details(page: page)) { try $0(self.details(page: page)) }
    }
    let parts = (1...partCount).map { part in
      Site.Page(path: GalleryPaths.search(part: part)) { try $0(self.index(part: part)) }
    }
    return details + parts + [Site.Page(path: GalleryPaths.search) { try $0(self.indexHead) }]
  }

  private func members(_ number: Int, size: Int) -> Range<Int> {
    (number - 1) * size..<min(number * size, people.count)
  }

  private func details(page: Int) -> [UInt8] {
    JSONWriter.call("sitegen.people") { json in
      json.value(page)
      json.array { json in
        for user in members(page, size: gallery.pageSize) {
          json.line(indent: 0)
          json.object { write(people[user], to: &$0) }
        }
      }
    }
  }

  private func write(_ person: Person, to json: inout JSONWriter) {
    json.pair("id", person.user.id)
    json.pair("anchor", person.anchor)
    json.pair("name", person.user.name)
    json.pair("title", person.role)
    json.pair("about", person.user.about)
    json.pair("tags", person.user.tags)
    if !person.profiles.isEmpty {
      json.array("links") { json in
        for (address, link) in person.profiles {
          json.array { json in
            json.value(address)
            json.value(link.label)
            json.value(link.kind.rawValue)
          }
        }
      }
    }
    json.pair("page", person.page)
    json.pair("vcard", person.addressCard)
    if showsProblems {
      json.pair("status", person.status.rawValue)
      json.pair("reason", person.reason)
    }
    json.pair("source", person.source?.kind)
    json.array("styles") { json in
      for style in person.styles {
        json.object { write(style, to: &$0) }
      }
    }
  }

  private func write(_ style: Person.Style, to json: inout JSONWriter) {
    json.pair("name", style.name)
    json.pair("width", gallery.sizes[style.number].width)
    json.pair("height", gallery.sizes[style.number].height)
    let zoom = gallery.cardZooms[style.number]
    if zoom != 1 { json.pair("zoom", zoom) }
    json.pair("color", style.placeholder?.colorText)
    json.array("images") { json in
      for image in style.images {
        json.array { json in
          json.value(image.scale)
          json.value(image.asset.format.rawValue)
          json.value(image.asset.width)
          json.value(image.asset.height)
          json.value(image.asset.bytes)
          json.value(image.asset.digest.hex)
        }
      }
    }
  }

  private var partCount: Int { (people.count + Self.partSize - 1) / Self.partSize }

  private var indexHead: [UInt8] {
    JSONWriter.call("sitegen.search") { json in
      json.object { json in
        json.pair("people", people.count)
        json.pair("pageSize", gallery.pageSize)
        json.pair("site", people.content.manifest.site.url)
        json.pair("chunk", Self.partSize)
        json.pair("chunks", partCount)
        json.array("tags") { json in
          for tag in gallery.tags.all.prefix(Self.tagLimit) {
            json.array { json in
              json.value(tag.name)
              json.value(tag.users.count)
              if gallery.hasTagPages { json.value(gallery.tagPath(tag.name)) }
            }
          }
        }
        json.object("statuses") { json in
          guard showsProblems else { return }
          for (status, count) in people.content.statusCounts { json.pair(status, count) }
        }
      }
    }
  }

  private func index(part: Int) -> [UInt8] {
    let lines = members(part, size: Self.partSize).map { line(of: people[$0]) }
    return JSONWriter.call("sitegen.index") { json in
      json.value(part)
      json.value(lines.joined(separator: "\n"))
    }
  }

  /// Returns the name, role, tags and status of a person, separated by tabs.
  ///
  /// If folding changes more than the case, a fifth field contains the folded texts.
  private func line(of person: Person) -> String {
    let user = person.user
    let texts = [user.name, person.role ?? ""] + user.tags
    let folded = texts.map(Folding.folded)
    var line =
      "\(user.name)\t\(person.role ?? "")\t\(user.tags.joined(separator: "\u{C}"))"
      + "\t\(showsProblems ? Self.letters[person.status] ?? "" : "o")"
    if zip(texts, folded).contains(where: { Folding.changes($0, into: $1) }) {
      let typed = Folding.typedWithoutUmlauts(user.name)
      line += "\t" + (folded + [typed].compactMap(\.self)).joined(separator: " ")
    }
    return line
  }

  private static let letters: [UserStatus: String] = [
    .ok: "o", .fallback: "f", .stale: "s", .skipped: "k", .failed: "x",
  ]
}
