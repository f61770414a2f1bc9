import Mustache

extension GalleryPages {
  /// All tags, with how many have each.
  func writeTags() throws -> [UInt8] {
    let root = GalleryPaths.root(of: GalleryPaths.tags)
    var values = common(path: GalleryPaths.tags)
    values["tags"] = [
      "items": .lazy(count: tagBook.tags.count) { number in
        let tag = tagBook.tags[number]
        return [
          "name": .text(tag.name),
          "href": .text(root + GalleryPaths.tag(tag.name)),
          "count": .number(tag.users.count),
        ]
      }
    ]
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
      "up": .text(root + GalleryPaths.tags),
    ]
    values["people"] = people(tag.users, page: page, spot: CardSpot(on: path))
    values["pages"] = pagination(of: tag.users.count, page) { GalleryPaths.tag(tag.name, page: $0) }
    return try fill("tag", with: values)
  }
}
