import Manifest
import Plan
import Recipes

/// `sprites.json`: the sheets of each style, and where each user's picture lies on them.
///
/// Written as a stream with keys sorted by bytes; the shape only ever gains keys.
struct SpritesJSON {
  /// By the names of their styles.
  private let sets: [(set: SpriteSet, sheets: SpriteSheetAssets)]
  private let styles: [AvatarStyle]
  private let users: [User]

  init(_ sets: [(set: SpriteSet, sheets: SpriteSheetAssets)], _ content: SiteContent) {
    let styles = content.manifest.styles
    self.styles = styles
    users = content.manifest.users
    self.sets = sets.sorted {
      AssetsJSON.precedes(styles[$0.set.style].name, styles[$1.set.style].name)
    }
  }

  func write(_ emit: ([UInt8]) throws -> Void) throws {
    var json = JSONBytes()
    try json.object { json in
      json.line(indent: 2)
      json.key("styles")
      json.object { json in
        for (set, sheets) in sets { write(set, sheets, to: &json) }
      }
      json.line(indent: 2)
      json.key("users")
      try json.object { json in
        for user in users.indices.sorted(by: { AssetsJSON.precedes(users[$0].id, users[$1].id) }) {
          write(user: user, to: &json)
          if json.bytes.count > 1 << 16 {
            try emit(json.bytes)
            json.removeAll()
          }
        }
      }
      json.line(indent: 2)
      json.key("version")
      json.number(1)
    }
    json.endLine()
    try emit(json.bytes)
  }

  private func write(_ set: SpriteSet, _ sheets: SpriteSheetAssets, to json: inout JSONBytes) {
    let style = styles[set.style]
    let size = StyleLayout(style).size
    json.line(indent: 4)
    json.key(style.name)
    json.object { json in
      json.key("height")
      json.number(size.height)
      json.key("sheets")
      json.array { json in
        for sheet in 0..<set.sheetCount where sheets.isThere(sheet) {
          for (scale, asset) in sheets.scaled(sheet) {
            json.line(indent: 6)
            json.object(of: asset, scale: scale, sheet: sheet)
          }
        }
      }
      json.key("width")
      json.number(size.width)
    }
  }

  private func write(user: Int, to json: inout JSONBytes) {
    let own = sets.filter { set, sheets in
      set.numbers[user] >= 0 && sheets.isThere(set.place(of: Int(set.numbers[user])).sheet)
    }
    guard !own.isEmpty else { return }
    json.line(indent: 4)
    json.key(users[user].id)
    json.object { json in
      for (set, _) in own {
        let place = set.place(of: Int(set.numbers[user]))
        json.key(styles[set.style].name)
        json.object { json in
          json.key("frames")
          json.array { json in
            for scale in set.scales.indices {
              write(set, number: place.number, scale: scale, to: &json)
            }
          }
          json.key("sheet")
          json.number(place.sheet)
        }
      }
    }
  }

  /// The part of a sheet that is one picture, in pixels.
  private func write(_ set: SpriteSet, number: Int, scale: Int, to json: inout JSONBytes) {
    let place = set.grid.pixels(of: number, at: set.scales[scale])
    let size = set.cellSize(at: scale)
    json.object { json in
      json.key("height")
      json.number(size.height)
      json.key("scale")
      json.number(set.scales[scale])
      json.key("width")
      json.number(size.width)
      json.key("x")
      json.number(place.x)
      json.key("y")
      json.number(place.y)
    }
  }
}
