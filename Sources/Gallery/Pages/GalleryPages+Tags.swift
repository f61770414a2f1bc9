import Manifest
import Mustache

extension GalleryPages {
  /// Tags on a page of all tags: they are links alone, so there is room for more than people.
  static let tagsOnPage = 500

  /// One page of all tags, with how many people have each.
  func tagsPage(_ page: Int) throws -> [UInt8] {
    let path = GalleryPaths.tags(page: page)
    let root = GalleryPaths.root(of: path)
    var values = common(path: path)
    let shown = tags.all.dropFirst((page - 1) * Self.tagsOnPage).prefix(Self.tagsOnPage)
    values["tags"] = [
      "items": .list(
        shown.map { tag in
          [
            "name": .text(tag.name), "href": .text(root + GalleryPaths.tag(tag.name)),
            "count": .number(tag.users.count),
          ]
        })
    ]
    values["pages"] = pagination(of: tags.all.count, size: Self.tagsOnPage, page) {
      GalleryPaths.tags(page: $0)
    }
    return try fill("tags", with: values)
  }

  func tagPage(_ tag: TagIndex.Tag, page: Int) throws -> [UInt8] {
    let path = GalleryPaths.tag(tag.name, page: page)
    var values = common(path: path)
    values["tag"] = [
      "name": .text(tag.name),
      "count": .number(tag.users.count),
      "up": .text(GalleryPaths.root(of: path) + GalleryPaths.tags()),
    ]
    values["people"] = cards(
      of: tag.users, page: page, CardContext(root: GalleryPaths.root(of: path)))
    values["pages"] = pagination(of: tag.users.count, page) { GalleryPaths.tag(tag.name, page: $0) }
    return try fill("tag", with: values)
  }
}

struct TagIndex: Sendable {
  struct Tag: Sendable {
    var name: String
    /// Ascending.
    var users: [Int32] = []
  }

  /// The most used first, then by the bytes of their names.
  let all: [Tag]

  init(_ users: [User]) {
    var tags: [String: Tag] = [:]
    for (index, user) in users.enumerated() {
      for name in user.tags { tags[name, default: Tag(name: name)].users.append(Int32(index)) }
    }
    all = tags.values.sorted { left, right in
      left.users.count == right.users.count
        ? left.name.precedes(right.name) : left.users.count > right.users.count
    }
  }
}
