import Manifest
import Plan
import Recipes

/// `sprites.css`: for each style a class of its size, for each user the place on a sheet.
///
/// Lengths are points, so that they hold whichever scale a browser takes. Users who share a sheet
/// share the rule that names it: its names are long.
struct SpritesCSS {
  static let fileName = "sprites.css"

  /// Selectors of one rule: a browser reads each rule at once.
  private static let selectorsOfRule = 256

  private let sets: [(set: SpriteSet, sheets: SpriteSheetAssets)]
  private let styles: [AvatarStyle]
  private let users: [User]

  init(_ sets: [(set: SpriteSet, sheets: SpriteSheetAssets)], _ content: SiteContent) {
    self.sets = sets
    styles = content.manifest.styles
    users = content.manifest.users
  }

  func write(_ emit: ([UInt8]) throws -> Void) throws {
    var css: [UInt8] = []
    func flush(above count: Int) throws {
      guard css.count > count else { return }
      try emit(css)
      css.removeAll(keepingCapacity: true)
    }
    for (set, sheets) in sets {
      let name = "sprite-\(CSSName.escape(styles[set.style].name))"
      css += Array(Self.size(of: set, styles[set.style], name: name).utf8)
      for (sheet, people) in set.usersOfSheets.enumerated() where sheets.isThere(sheet) {
        let images = Self.images(sheets.scaled(sheet))
        for part in Chunks(of: people, size: Self.selectorsOfRule) {
          css += Array(Self.rule(part.map { selector(name, $0) }, images).utf8)
          try flush(above: 1 << 16)
        }
        var rest = people[...]
        while let first = rest.first {
          let number = Int(set.numbers[first])
          let part = rest.prefix { set.numbers[$0] == set.numbers[first] }
          rest = rest.dropFirst(part.count)
          let place = set.grid.place(of: set.place(of: number).number)
          let position = "background-position: -\(place.x)px -\(place.y)px"
          css += Array(Self.rule(part.map { selector(name, $0) }, [position]).utf8)
          try flush(above: 1 << 16)
        }
      }
    }
    try emit(css)
  }

  /// The classes of a user's sprite, as an attribute has them.
  static func classes(of user: User, style: AvatarStyle) -> String {
    "sprite-\(CSSName.escape(style.name)) of-\(CSSName.escape(user.id))"
  }

  private func selector(_ name: String, _ user: Int) -> String {
    ".\(name).of-\(CSSName.escape(users[user].id))"
  }

  private static func size(of set: SpriteSet, _ style: AvatarStyle, name: String) -> String {
    let width = set.grid.size(of: 1, amid: set.pictures.count).width
    let lines = ["display: inline-block"] + StyleLayout(style).declarations
    let sheet = [
      // The height follows: sheets differ in it.
      "background-size: \(width)px auto", "background-repeat: no-repeat",
      // Else browsers leave backgrounds out when they print.
      "-webkit-print-color-adjust: exact", "print-color-adjust: exact",
    ]
    return rule([".\(name)"], lines + sheet)
  }

  /// The declarations that name a sheet: one for browsers without `image-set`, which get the
  /// smallest that has a pixel for each point; and one for all others.
  private static func images(_ sheets: [(scale: Double, asset: Asset)]) -> [String] {
    guard let fallback = sheets.first(where: { $0.scale >= 1 }) ?? sheets.last else { return [] }
    let lines = ["background-image: \(CSSText.url(fallback.asset))"]
    return sheets.count == 1 ? lines : lines + ["background-image: \(CSSText.imageSet(sheets))"]
  }

  private static func rule(_ selectors: [String], _ lines: [String]) -> String {
    var css = CSSText()
    css.rule(selectors, lines)
    return css.text
  }
}
