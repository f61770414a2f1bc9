import SiteSupport

/// `sprites.json` as read by a program.
struct SpritesFile: Decodable {
  struct Sheet: Decodable {
    var sheet: Int
    var scale: Double
    var format: String
    var path: String
    var width: Int
    var height: Int
    var bytes: Int
    var sha256: String
  }

  struct Style: Decodable {
    var width: Double
    var height: Double
    var sheets: [Sheet]
  }

  struct Frame: Decodable, Hashable {
    var scale: Double
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  struct Sprite: Decodable {
    var sheet: Int
    var frames: [Frame]
  }

  var version: Int
  var styles: [String: Style]
  var users: [String: [String: Sprite]]
}

extension TestSite {
  func sprites() throws -> SpritesFile {
    try JSONDecoder().decode(SpritesFile.self, from: folder.read("output/sprites.json"))
  }

  /// Compares every pixel in every sheet: sprites match their files, and gutters are transparent.
  func checkSprites() throws {
    let sprites = try sprites()
    let assets = try assets()
    #expect(sprites.version == 1)
    var named: Set<String> = []
    for (name, style) in sprites.styles {
      for sheet in style.sheets {
        named.insert(sheet.path)
        let bytes = try folder.read("output/\(sheet.path)")
        #expect(bytes.count == sheet.bytes && sheet.format == "png")
        #expect(sheet.path == "assets/\(sheet.sha256.prefix(2))/\(sheet.sha256).png")
        #expect(sheet.width <= 4_096 && sheet.height <= 4_096)
        let whole = try PNGReader(bytes)
        #expect(whole.width == sheet.width && whole.height == sheet.height)
        var map = SheetMap(width: whole.width, height: whole.height)
        var seen: [SpritesFile.Frame: String] = [:]
        for (user, own) in sprites.users {
          guard let sprite = own[name], sprite.sheet == sheet.sheet else { continue }
          let frame = try #require(sprite.frames.first { $0.scale == sheet.scale })
          let image = try #require(
            assets.users[user]?.avatars[name]?.first {
              $0.scale == sheet.scale && $0.format == "png"
            })
          #expect(frame.width == image.width && frame.height == image.height)
          #expect(frame.width >= 1 && frame.height >= 1)
          guard seen[frame] == nil else {
            #expect(seen[frame] == image.path, "two pictures in one place")
            continue
          }
          seen[frame] = image.path
          let fits =
            frame.x >= 1 && frame.y >= 1 && frame.x + frame.width < sheet.width
            && frame.y + frame.height < sheet.height
          guard fits else {
            Issue.record("\(user) \(frame) is outside \(sheet)")
            continue
          }
          let alone = try PNGReader(folder.read("output/\(image.path)"))
          let crop = whole.crop(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
          #expect(crop == alone.pixels, "\(name) \(user) @\(sheet.scale)")
          let isAlone = map.take(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
          #expect(isAlone, "\(name) \(user) @\(sheet.scale) lies on another or touches it")
        }
        #expect(!seen.isEmpty)
        #expect(map.isClearElsewhere(whole.pixels), "the gutter of \(sheet.path) has colour")
      }
    }
    #expect(named.isSubset(of: Set(assetFiles())))
    for (user, own) in sprites.users {
      for (style, sprite) in own {
        let scales = sprites.styles[style]?.sheets.filter { $0.sheet == sprite.sheet }.map(\.scale)
        #expect(sprite.frames.map(\.scale) == scales, "\(user)")
      }
    }
  }
}
