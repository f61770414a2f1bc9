import Imaging
import Recipes
import TestSupport

/// Renders sheets in this process, and reads them back with an independent reader.
struct SpriteSheetTests {
  private static let cell = PixelSize(width: 19, height: 7)

  /// Returns each kind of picture that our encoders write: palettes, greys, with and without alpha.
  private static func files() throws -> [Data] {
    try ImageMagick.start()
    let paints: [TestPicture.Paint] = [
      { _, _ in .red }, { _, _ in .clear }, { x, _ in x < 4 ? .clear : .blue },
      { x, y in .init(UInt8(x * 13), UInt8(y * 36), UInt8(x * y)) },
      { x, y in .init(UInt8(x * 13), UInt8(y * 36), UInt8(x * y), UInt8(255 - x * 9)) },
      { x, y in .init(UInt8(x * 13), UInt8(x * 13), UInt8(x * 13), UInt8(7 + y * 30)) },
      { x, y in .init(UInt8(x + y * 19), UInt8(x + y * 19), UInt8(x + y * 19)) },
    ]
    return try paints.map { paint in
      let source = TestPicture.png(width: cell.width, height: cell.height, pixel: paint)
      var picture = try Picture(
        .encoded(Inspection(format: .png, size: cell), reduction: 1), source)
      return try picture.rendered(recipe(cell)).bytes
    }
  }

  private static func recipe(_ size: PixelSize, _ format: OutputFormat = .png) -> Recipe {
    Recipe(
      frame: Frame(base: size, box: size, fit: .stretch), outline: .square, effects: [],
      encoding: Encoding(format: format))
  }

  /// Returns a sheet with three cells per row and gutters of 2 and 3 pixels.
  private static func sheet(_ files: [Data]) -> Collage {
    let cells = files.enumerated().map { number, file in
      Collage.Cell(
        frame: PixelFrame(
          x: 2 + number % 3 * 21, y: 3 + number / 3 * 10, width: cell.width, height: cell.height),
        bytes: file.count)
    }
    return Collage(size: PixelSize(width: 65, height: 33), ground: .invisible, cells: cells)
  }

  /// G19: each part of a sheet matches its picture exactly, and the gutters are transparent.
  @Test func `each frame in a sheet matches its picture exactly`() throws {
    let files = try Self.files()
    let sheet = Self.sheet(files)
    var picture = try Picture(.collage(sheet), Data(files.joined()))
    let image = try picture.rendered(Self.recipe(sheet.size))
    #expect(image.metadata == RenderMetadata())
    let whole = try PNGReader(image.bytes)
    #expect(whole.width == 65 && whole.height == 33)
    var covered = Set<Int>()
    for (file, place) in zip(files, sheet.cells) {
      let alone = try PNGReader(file)
      let frame = place.frame
      let crop = whole.crop(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
      #expect(crop == alone.pixels)
      for y in frame.y..<frame.y + frame.height {
        for x in frame.x..<frame.x + frame.width { covered.insert(y * 65 + x) }
      }
    }
    #expect(covered.count == files.count * Self.cell.width * Self.cell.height)
    for place in 0..<65 * 33 where !covered.contains(place) {
      #expect(whole.pixels[place * 4..<place * 4 + 4] == [0, 0, 0, 0])
    }
  }

  @Test func `a sheet too small for its pictures is rejected`() throws {
    let files = try Self.files()
    let bytes = Data(files.joined())
    func isRejected(_ change: (inout Collage) -> Void) -> Bool {
      var sheet = Self.sheet(files)
      change(&sheet)
      do throws(Rejection) {
        _ = try Picture(.collage(sheet), bytes)
        return false
      } catch {
        return true
      }
    }
    #expect(!isRejected { _ in })
    #expect(isRejected { $0.cells[1].frame.x = -1 })
    #expect(isRejected { $0.cells[1].frame.x = 47 })
    #expect(isRejected { $0.cells[1].frame.y = .max })
    #expect(isRejected { $0.cells[1].frame.width = 66 })
    #expect(isRejected { $0.cells[1].frame.height = 0 })
    #expect(isRejected { $0.cells[6].bytes += 1 })
    #expect(isRejected { $0.cells[0].bytes -= 13 })
    #expect(isRejected { $0.cells[0].bytes = -1 })
    #expect(isRejected { $0.size.width = 0 })
    #expect(isRejected { $0.size.height = -5 })
    #expect(isRejected { $0.size.width = .max })
  }

  @Test func `recipes that would change a sheet are rejected`() throws {
    let files = try Self.files()
    let sheet = Self.sheet(files)
    func isRejected(_ recipe: Recipe) throws -> Bool {
      var picture = try Picture(.collage(sheet), Data(files.joined()))
      return (try? picture.rendered(recipe)) == nil
    }
    #expect(try !isRejected(Self.recipe(sheet.size)))
    #expect(try isRejected(Self.recipe(PixelSize(width: 64, height: 33))))
    #expect(try isRejected(Self.recipe(sheet.size, .jpeg)))
    var changed = Self.recipe(sheet.size)
    changed.effects = [.matte(.white)]
    #expect(try isRejected(changed))
    changed = Self.recipe(sheet.size)
    changed.filters = [.grayscale]
    #expect(try isRejected(changed))
    changed = Self.recipe(sheet.size)
    changed.outline = .circle(in: sheet.size)
    #expect(try isRejected(changed))
  }
}
