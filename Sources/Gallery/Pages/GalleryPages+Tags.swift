import Bytes
import Manifest
import Mustache

extension GalleryPages {
  /// The number of tags per page, which can be large because a tag is only a link.
  static let tagsOnPage = 500
  /// The number of pictures per tag; a page with more than `tagsWithFaces` tags omits pictures.
  private static let facesOfTag = 6
  private static let tagsWithFaces = 60

  func tagsPage(_ page: Int) throws -> [UInt8] {
    let path = GalleryPaths.tags(page: page)
    let root = GalleryPaths.root(of: path)
    var values = common(path: path)
    let shown = tags.all.dropFirst((page - 1) * Self.tagsOnPage).prefix(Self.tagsOnPage)
    values["tags"] = [
      "items": .list(
        shown.map { tag in
          [
            "name": .text(tag.name), "href": .text(root + tagPath(tag.name)),
            "count": .number(tag.users.count),
            "people": .text(templates.words.people(tag.users.count)),
            "faces": shown.count > Self.tagsWithFaces ? .absent : faces(of: tag, root: root),
          ]
        })
    ]
    values["pages"] = pagination(of: tags.all.count, size: Self.tagsOnPage, page) {
      GalleryPaths.tags(page: $0)
    }
    return try fill("tags", with: values)
  }

  private func faces(of tag: TagIndex.Tag, root: String) -> Value {
    let people = tag.users.lazy.map { self.people[Int($0)] }.filter(\.hasPicture)
    // If more people have the tag, a number such as `+12` replaces the last picture.
    let most = Self.facesOfTag - (tag.users.count > Self.facesOfTag ? 1 : 0)
    let faces = people.prefix(most).compactMap { person -> Value? in
      guard let style = person.shownStyles.first else { return nil }
      return .record(self.avatar(person.style(style), of: person, root: root, isLazy: true))
    }
    let rest = tag.users.count - faces.count
    return faces.isEmpty
      ? .absent : ["items": .list(Array(faces)), "rest": Value(rest > 0 ? "+\(rest)" : nil)]
  }

  func tagPath(_ name: String, page: Int = 1) -> String {
    GalleryPaths.tag(tags.slug(of: name), page: page)
  }

  func tagPage(_ tag: TagIndex.Tag, page: Int) throws -> [UInt8] {
    let path = tagPath(tag.name, page: page)
    var values = common(path: path)
    values["tag"] = [
      "name": .text(tag.name),
      "count": .number(tag.users.count),
      "people": .text(templates.words.people(tag.users.count)),
      "up": .text(GalleryPaths.root(of: path) + GalleryPaths.tags()),
    ]
    values["people"] = cards(
      of: tag.users, page: page, CardContext(root: GalleryPaths.root(of: path), tag: tag.name))
    values["pages"] = pagination(of: tag.users.count, page) { tagPath(tag.name, page: $0) }
    return try fill("tag", with: values)
  }
}

struct TagIndex: Sendable {
  struct Tag: Sendable {
    var name: String
    var users: [Int32] = []
  }

  let all: [Tag]
  private let slugs: [String: String]

  init(_ users: [User]) {
    var tags: [String: Tag] = [:]
    var slugs: [String: String] = [:]
    var taken: Set<String> = []
    for (index, user) in users.enumerated() {
      for name in user.tags {
        if tags[name] == nil {
          // The first tag with a slug keeps it, so its URL does not change when people are added.
          let slug = Self.slug(name)
          slugs[name] = taken.insert(slug).inserted ? slug : "_-" + CSSName.segment(name)
        }
        tags[name, default: Tag(name: name)].users.append(Int32(index))
      }
    }
    self.slugs = slugs
    all = tags.values.sorted { left, right in
      left.users.count == right.users.count
        ? left.name.precedes(right.name) : left.users.count > right.users.count
    }
  }

  func slug(of tag: String) -> String { slugs[tag] ?? CSSName.segment(tag) }

  /// Converts a name such as `Research & Teaching` to `research-teaching`; escapes non-ASCII names.
  private static func slug(_ name: String) -> String {
    let words = Folding.folded(name).split { !($0.isLetter || $0.isNumber) }
    let isPlain = !words.isEmpty && words.joined().allSatisfy(\.isASCII)
    return CSSName.segment(isPlain ? words.joined(separator: "-") : name)
  }
}
