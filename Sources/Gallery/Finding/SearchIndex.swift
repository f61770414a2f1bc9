import Manifest
import Plan

/// What the gallery finds people by: a head that says what there is, and parts that are fetched when
/// somebody types.
///
/// They are scripts that call `gallery.js`, since a page that was opened from a folder may load
/// nothing else.
struct SearchIndex: Sendable {
  let content: SiteContent
  let tags: TagBook

  /// People of a part: fetching and reading one takes a moment that nobody notices.
  static let partSize = 4096

  /// Tags of the head: `find.js` shows no more, and all have pages.
  private static let mostTags = 200

  var partCount: Int {
    (content.manifest.users.count + Self.partSize - 1) / Self.partSize
  }

  /// How many people there are, and by what they can be chosen.
  func writeHead(_ emit: ([UInt8]) throws -> Void) throws {
    var json = JSONBytes(isScript: true)
    json.code("sitegen.search(")
    json.object { json in
      json.key("people")
      json.number(content.manifest.users.count)
      json.key("pageSize")
      json.number(content.manifest.pages.size)
      json.key("chunk")
      json.number(Self.partSize)
      json.key("chunks")
      json.number(partCount)
      json.key("tags")
      json.array { json in
        for tag in tags.tags.prefix(Self.mostTags) {
          json.array { json in
            json.string(tag.name)
            json.number(tag.users.count)
          }
        }
      }
      json.key("statuses")
      json.object { json in
        for (status, count) in content.statusCounts {
          json.key(status)
          json.number(count)
        }
      }
    }
    json.code(");\n")
    try emit(json.bytes)
  }

  /// A part, from 1: a line for each of its people.
  func write(part: Int, _ emit: ([UInt8]) throws -> Void) throws {
    let first = (part - 1) * Self.partSize
    let last = min(first + Self.partSize, content.manifest.users.count)
    let lines = (first..<last).map { line(of: $0) }
    var json = JSONBytes(isScript: true)
    json.code("sitegen.index(\(part),")
    json.string(lines.joined(separator: "\n"))
    json.code(");\n")
    try emit(json.bytes)
  }

  /// Name, title, tags, status, and the first three folded where that is more than lower case.
  private func line(of user: Int) -> String {
    let person = content.manifest.users[user]
    let texts = [person.name, person.title ?? ""] + person.tags
    let folded = texts.map(Folding.folded)
    let status = Self.letter(of: content.assignment.status(of: user))
    var line =
      "\(person.name)\t\(person.title ?? "")\t\(person.tags.joined(separator: "\u{C}"))\t\(status)"
    if zip(texts, folded).contains(where: { Folding.changes($0, into: $1) }) {
      line += "\t" + folded.joined(separator: " ")
    }
    return line
  }

  private static func letter(of status: UserStatus) -> String {
    switch status {
    case .ok: "o"
    case .fallback: "f"
    case .stale: "s"
    case .skipped: "k"
    case .failed: "x"
    }
  }
}
