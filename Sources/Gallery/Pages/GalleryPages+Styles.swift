import Manifest
import Mustache
import Plan

extension GalleryPages {
  /// Every style: how it is made, in words, and what it looks like.
  func writeStyles() throws -> [UInt8] {
    let path = GalleryPaths.styles
    var values = common(path: path)
    let onSheets = content.stylesOnSheets
    values["styles"] = [
      "items": .list(
        drawnStyles.map { style($0, spot: CardSpot(on: path), isOnSheet: onSheets.contains($0)) }),
      "hasSheets": .bool(!onSheets.isEmpty),
    ]
    if !onSheets.isEmpty { addStyleSheet(SpritesCSS.fileName, to: &values, path: path) }
    return try fill("styles", with: values)
  }

  /// One page of the pictures of a style that stand on no card of the people's pages.
  func write(style: Int, page: Int) throws -> [UInt8] {
    let name = content.manifest.styles[style].name
    let path = GalleryPaths.style(name, page: page)
    let root = GalleryPaths.root(of: path)
    let hidden = shelves.hidden[style]
    var values = common(path: path)
    values["style"] = [
      "name": .text(name),
      "count": .number(hidden.count),
      "up": .text("\(root)\(GalleryPaths.styles)#\(Self.anchor("style", of: name))"),
    ]
    values["people"] = people(hidden, page: page, spot: CardSpot(on: path, styles: [style]))
    values["pages"] = pagination(of: hidden.count, page) { GalleryPaths.style(name, page: $0) }
    return try fill("style", with: values)
  }

  /// Styles that somebody has a picture of.
  private var drawnStyles: [Int] {
    content.manifest.styles.indices.filter { shelves.counts[$0] > 0 }
  }

  private func style(_ number: Int, spot: CardSpot, isOnSheet: Bool) -> Value {
    let style = content.manifest.styles[number]
    let hasPage = !shelves.hidden[number].isEmpty
    return [
      "name": .text(style.name),
      "anchor": .text(Self.anchor("style", of: style.name)),
      "href": hasPage ? .text(spot.root + GalleryPaths.style(style.name)) : .absent,
      "count": .number(shelves.counts[number]),
      "recipe": .list(
        StyleWords(style, size: layouts[number]).lines.map {
          ["name": .text($0.term), "text": .text($0.text)]
        }),
      "examples": .list(
        shelves.examples[number].map { user in
          var example = avatar(of: Int(user), style: number, root: spot.root)
          example["name"] = .text(content.manifest.users[Int(user)].name)
          example["href"] = .text(href(of: Int(user), from: spot))
          // The name stands beside it.
          example["alt"] = ""
          if isOnSheet {
            example["sprite"] = .text(
              SpritesCSS.classes(of: content.manifest.users[Int(user)], style: style))
          }
          return .record(example)
        }),
    ]
  }
}
