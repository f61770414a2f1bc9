import Manifest
import Mustache
import Plan
import Recipes
import Store

extension GalleryPages {
  /// All about one person: every style at its real size, and every file of it.
  func writePerson(_ user: Int) throws -> [UInt8] {
    let users = content.manifest.users
    let path = GalleryPaths.person(users[user].id)
    let root = GalleryPaths.root(of: path)
    var spot = CardSpot(on: path)
    // They are all below, each with its files.
    spot.styles = []
    var person = person(user, place: 0, spot)
    let source = content.source(of: user)
    person["source"] = Value(content.sourceKind(of: user))
    person["styles"] =
      source == nil
      ? .absent
      : .list(
        content.styles(of: user).enumerated().map { number, style in
          variants(of: user, style: style, root: root, isFirst: number == 0)
        })
    var values = common(path: path)
    values["person"] = .record(person)
    values["up"] = .text(
      "\(root)\(GalleryPaths.people(page: user / pageSize + 1))#\(Self.anchor("person", of: users[user].id))"
    )
    values["previous"] = user > 0 ? link(to: user - 1, from: spot) : .absent
    values["next"] = user + 1 < users.count ? link(to: user + 1, from: spot) : .absent
    return try fill("person-page", with: values)
  }

  private func link(to user: Int, from spot: CardSpot) -> Value {
    [
      "name": .text(content.manifest.users[user].name),
      "href": .text(href(of: user, from: spot)),
    ]
  }

  /// A style as one person has it.
  private func variants(of user: Int, style: Int, root: String, isFirst: Bool) -> Value {
    let name = content.manifest.styles[style].name
    var values = avatar(of: user, style: style, root: root, isFirst: isFirst)
    values["name"] = .text(name)
    values["anchor"] = .text(Self.anchor("style", of: name))
    values["href"] =
      hasStylePages
      ? .text("\(root)\(GalleryPaths.styles)#\(Self.anchor("style", of: name))") : .absent
    values["images"] = .list(
      content.records(of: user, style: style).map { record in
        [
          "scale": .text(JSONBytes.text(of: record.image.scale) + "x"),
          "format": .text(record.image.format.rawValue),
          "width": .number(Int(record.asset.width)),
          "height": .number(Int(record.asset.height)),
          "bytes": .number(Int(record.asset.bytes)),
          "hash": .text(record.asset.digest.hex),
          "path": .text(record.path),
          "href": .text(root + record.path),
        ]
      })
    return .record(values)
  }
}
