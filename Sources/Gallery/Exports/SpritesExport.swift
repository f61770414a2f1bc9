import Bytes
import Manifest
import Plan
import Recipes

extension ExportedFiles {
  /// Sheets of all avatars of each style, and the files that say where each avatar lies.
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
  /// By sheet, then by scale; nil for what could not be made.
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

  /// Whether a sheet could be made at every scale; if not, none of it is used.
  func isThere(_ sheet: Int) -> Bool { assets[sheet].allSatisfy { $0 != nil } }

  var areAllThere: Bool { assets.indices.allSatisfy(isThere) }

  func files(of sheet: Int) -> [(scale: Double, asset: Asset)] {
    zip(set.scales, assets[sheet]).compactMap { scale, asset in asset.map { (scale, $0) } }
  }

  /// Of all sheets that are there.
  var all: [Asset] { assets.indices.filter(isThere).flatMap { assets[$0].compactMap(\.self) } }
}

extension SiteContent {
  /// The styles whose pictures are all on sheets, if the manifest asks for sheets.
  var stylesOnSheets: Set<Int> {
    guard manifest.exports.contains(.sprites) else { return [] }
    return Set(sprites.filter { StyleSheets($0, self).areAllThere }.map(\.style))
  }
}

/// `sprites.css`: for each style a class of its size, for each user the position on a sheet.
///
/// Lengths are points, so they suit every scale. Users on the same sheet share the rule that names it,
/// since the names of its files are long.
struct SpritesCSS {
  static let fileName = "sprites.css"

  /// Selectors of one rule; a browser reads a rule as a whole.
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
      // Sheets differ in height, so it follows from the width.
      "background-size: \(width)px auto", "background-repeat: no-repeat",
      // Browsers would leave backgrounds out when they print.
      "-webkit-print-color-adjust: exact", "print-color-adjust: exact",
    ]
  }

  /// The declarations that name a sheet: one for browsers without `image-set`, with the smallest file
  /// that has a pixel for each point, and one for all others.
  private static func images(_ files: [(scale: Double, asset: Asset)]) -> [String] {
    guard let fallback = files.first(where: { $0.scale >= 1 }) ?? files.last else { return [] }
    let line = "background-image: \(CSSWriter.url(fallback.asset))"
    return files.count == 1 ? [line] : [line, "background-image: \(CSSWriter.imageSet(files))"]
  }
}
