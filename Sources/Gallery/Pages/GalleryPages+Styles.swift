import Manifest
import Mustache
import Plan

extension GalleryPages {
  func stylesPage() throws -> [UInt8] {
    let path = GalleryPaths.styles
    let context = CardContext(root: GalleryPaths.root(of: path))
    let onSheets = content.stylesOnSheets
    var values = common(path: path, moreSheets: onSheets.isEmpty ? [] : [SpritesCSS.fileName])
    let drawn = content.manifest.styles.indices.filter { styleUsers.counts[$0] > 0 }
    values["styles"] = [
      "items": .list(drawn.map { style($0, context, isOnSheet: onSheets.contains($0)) }),
      "hasSheets": .bool(!onSheets.isEmpty),
    ]
    return try fill("styles", with: values)
  }

  func stylePage(_ style: Int, page: Int) throws -> [UInt8] {
    let name = content.manifest.styles[style].name
    let path = GalleryPaths.style(name, page: page)
    let hidden = styleUsers.hidden[style]
    let context = CardContext(root: GalleryPaths.root(of: path), styles: [style])
    var values = common(path: path)
    values["style"] = [
      "name": .text(name),
      "count": .number(hidden.count),
      "up": .text(
        "\(context.root)\(GalleryPaths.styles)#\(GalleryPaths.anchor("style", of: name))"),
    ]
    values["people"] = cards(of: hidden, page: page, context)
    values["pages"] = pagination(of: hidden.count, page) { GalleryPaths.style(name, page: $0) }
    return try fill("style", with: values)
  }

  private func style(_ number: Int, _ context: CardContext, isOnSheet: Bool) -> Value {
    let style = content.manifest.styles[number]
    let hasPage = !styleUsers.hidden[number].isEmpty
    return [
      "name": .text(style.name),
      "anchor": .text(GalleryPaths.anchor("style", of: style.name)),
      "href": Value(hasPage ? context.root + GalleryPaths.style(style.name) : nil),
      "count": .number(styleUsers.counts[number]),
      "recipe": .list(
        StyleDescription(style).lines.map { ["name": .text($0.term), "text": .text($0.text)] }),
      "examples": .list(
        styleUsers.examples[number].map { user in
          let person = people[Int(user)]
          var example = avatar(person.style(number), of: person, root: context.root)
          example["name"] = .text(person.user.name)
          example["href"] = .text(place(of: person, context))
          if isOnSheet {
            example["sprite"] = .text(SpritesCSS.classes(of: person.user, style: style))
          }
          return .record(example)
        }),
    ]
  }
}

struct StyleUsers: Sendable {
  /// For each style, the users whose picture in that style is not on a card, in ascending order.
  private(set) var hidden: [[Int32]]
  private(set) var counts: [Int]
  private(set) var examples: [[Int32]]

  private static let defaultExamples = 6

  init(_ content: SiteContent) {
    let styles = content.manifest.styles.count
    let named = content.manifest.pages.examples.map { Set($0) }
    hidden = Array(repeating: [], count: styles)
    counts = Array(repeating: 0, count: styles)
    examples = hidden
    for user in content.manifest.users.indices where content.source(of: user) != nil {
      let shown = content.shownStyles(of: user)
      let isNamed = named?.contains(content.manifest.users[user].id)
      for style in content.styles(of: user) {
        counts[style] += 1
        if !shown.contains(style) { hidden[style].append(Int32(user)) }
        if isNamed ?? (examples[style].count < Self.defaultExamples) {
          examples[style].append(Int32(user))
        }
      }
    }
  }

  var hasPictures: Bool { counts.contains { $0 > 0 } }
}
