import Bytes
import Manifest
import Plan
import Recipes

extension ExportedFiles {
  init(spritesOf content: SiteContent) {
    guard content.manifest.exports.contains(.sprites) else { return }
    let styles = content.sprites.map { StyleSheets($0, content) }
    images = styles.flatMap { $0.all.map { Site.File($0) } }
    let users = content.manifest.users
    let css = SpritesCSS(styles: styles, users: users)
    let json = SpritesJSON(styles, users: users)
    pages = [
      Site.Page(path: SpritesCSS.fileName) { try css.write($0) },
      Site.Page(path: "sprites.json") { try json.write($0) },
    ]
  }
}

struct StyleSheets {
  let style: AvatarStyle
  let set: SpriteSet
  /// The images, indexed by sheet and then by scale; nil for images that failed to render.
  private let assets: [[Asset?]]

  init(_ set: SpriteSet, _ content: SiteContent) {
    self.set = set
    style = content.manifest.styles[set.style]
    assets = (0..<set.sheetCount).map { sheet in
      set.scales.indices.map { scale in
        set.siteImage(sheet: sheet, scale: scale).flatMap { content.asset(of: $0) }
      }
    }
  }

  /// Returns whether a sheet was rendered at every scale; only then is the sheet used.
  func isThere(_ sheet: Int) -> Bool { assets[sheet].allSatisfy { $0 != nil } }

  var areAllThere: Bool { assets.indices.allSatisfy(isThere) }

  func files(of sheet: Int) -> [(scale: Double, asset: Asset)] {
    zip(set.scales, assets[sheet]).compactMap { scale, asset in asset.map { (scale, $0) } }
  }

  var all: [Asset] { assets.indices.filter(isThere).flatMap { assets[$0].compactMap(\.self) } }
}

extension SiteContent {
  var stylesOnSheets: Set<Int> {
    guard manifest.exports.contains(.sprites) else { return [] }
    return Set(sprites.filter { StyleSheets($0, self).areAllThere }.map(\.style))
  }
}

/// `sprites.css`: a class for each style's size, and one for each user's position on a sheet.
///
/// Lengths are in CSS pixels, so they are correct at every scale. Users on the same sheet share one
/// rule for the sheet's file names, which are long.
struct SpritesCSS {
  static let fileName = "sprites.css"

  private static let selectorLimit = 256

  let styles: [StyleSheets]
  let users: [User]

  func write(_ emit: Emit) throws {
    var css = CSSWriter()
    func add(_ name: String, _ people: some Sequence<Int>, _ lines: [String]) throws {
      css.rule(people.map { ".\(name).of-\(CSSName.escaped(users[$0].id))" }, lines)
      guard css.text.utf8.count > 1 << 16 else { return }
      try emit(Array(css.text.utf8))
      css = CSSWriter()
    }
    for sheets in styles {
      let set = sheets.set
      let name = "sprite-\(CSSName.escaped(sheets.style.name))"
      css.rule([".\(name)"], Self.size(of: sheets))
      for (sheet, people) in set.usersOfSheets.enumerated() where sheets.isThere(sheet) {
        let images = Self.images(sheets.files(of: sheet))
        for part in people.chunks(of: Self.selectorLimit) { try add(name, part, images) }
        var rest = people[...]
        while let first = rest.first {
          let number = set.numbers[first]
          let part = rest.prefix { set.numbers[$0] == number }
          rest = rest.dropFirst(part.count)
          let origin = set.grid.origin(of: set.position(of: Int(number)).number)
          try add(name, part, ["background-position: -\(origin.x)px -\(origin.y)px"])
        }
      }
    }
    try emit(Array(css.text.utf8))
  }

  static func classes(of user: User, style: AvatarStyle) -> String {
    "sprite-\(CSSName.escaped(style.name)) of-\(CSSName.escaped(user.id))"
  }

  private static func size(of sheets: StyleSheets) -> [String] {
    let width = sheets.set.grid.size(of: 1, amid: sheets.set.pictures.count).width
    return ["display: inline-block"] + StyleLayout(sheets.style).declarations + [
      // Sheets differ in height, so only the width is fixed.
      "background-size: \(width)px auto", "background-repeat: no-repeat",
      // By default, browsers omit backgrounds when they print a page.
      "-webkit-print-color-adjust: exact", "print-color-adjust: exact",
    ]
  }

  /// Returns the background image, after a fallback for browsers without `image-set`.
  private static func images(_ files: [(scale: Double, asset: Asset)]) -> [String] {
    guard let fallback = files.first(where: { $0.scale >= 1 }) ?? files.last else { return [] }
    let line = "background-image: \(CSSWriter.url(fallback.asset))"
    return files.count == 1 ? [line] : [line, "background-image: \(CSSWriter.imageSet(files))"]
  }
}
