import Mustache

extension GalleryPages {
  /// Tags on a page of all tags: links alone, so more than people.
  static let tagsOnPage = 500

  /// One page of all tags, with how many have each.
  func writeTags(page: Int) throws -> [UInt8] {
    let path = GalleryPaths.tags(page: page)
    let root = GalleryPaths.root(of: path)
    var values = common(path: path)
    let tags = Array(tagBook.tags.dropFirst((page - 1) * Self.tagsOnPage).prefix(Self.tagsOnPage))
    values["tags"] = [
      "items": .lazy(count: tags.count) { number in
        let tag = tags[number]
        return [
          "name": .text(tag.name),
          "href": .text(root + GalleryPaths.tag(tag.name)),
          "count": .number(tag.users.count),
        ]
      }
    ]
    values["pages"] = pagination(of: tagBook.tags.count, size: Self.tagsOnPage, page) {
      GalleryPaths.tags(page: $0)
    }
    return try fill("tags", with: values)
  }

  /// One page of the people of a tag.
  func write(_ tag: TagBook.Tag, page: Int) throws -> [UInt8] {
    let path = GalleryPaths.tag(tag.name, page: page)
    let root = GalleryPaths.root(of: path)
    var values = common(path: path)
    values["tag"] = [
      "name": .text(tag.name),
      "count": .number(tag.users.count),
      "up": .text(root + GalleryPaths.tags()),
    ]
    values["people"] = people(tag.users, page: page, spot: CardSpot(on: path))
    values["pages"] = pagination(of: tag.users.count, page) { GalleryPaths.tag(tag.name, page: $0) }
    return try fill("tag", with: values)
  }
}
