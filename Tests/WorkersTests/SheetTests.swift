import Recipes
import TestSupport
import Workers

struct SheetTests {
  /// Returns a sheet of squares; the first `kinds` squares differ, and the others repeat them.
  private static func request(
    side: Int, count: Int, kinds: Int? = nil, columns: Int, pitch: Int, limit: Int,
    paint: (Int, Int, Int) -> [UInt8]
  ) -> RenderRequest {
    let kinds = (0..<(kinds ?? count)).map { number in
      TestPicture.png(width: side, height: side) { x, y in
        let pixel = paint(number, x, y)
        return TestPicture.Pixel(pixel[0], pixel[1], pixel[2], pixel[3])
      }
    }
    var files = Data()
    var cells: [Collage.Cell] = []
    for number in 0..<count {
      let file = kinds[number % kinds.count]
      files += file
      cells.append(
        Collage.Cell(
          frame: PixelFrame(
            x: 1 + number % columns * pitch, y: 1 + number / columns * pitch, width: side,
            height: side), bytes: file.count))
    }
    let size = PixelSize(width: limit, height: limit)
    let sheet = Collage(size: size, ground: .invisible, cells: cells)
    return RenderRequest(source: .collage(sheet), payload: files, recipes: [recipe(size)])
  }

  private static func recipe(_ size: PixelSize) -> Recipe {
    Recipe(
      frame: Frame(base: size, box: size, fit: .stretch), outline: .square, effects: [],
      encoding: Encoding(format: .png))
  }

  private func image(_ outcomes: [Result<RenderedImage, Rejection>]) throws -> RenderedImage {
    guard case .success(let image)? = outcomes.first, outcomes.count == 1 else {
      throw Rejection(.renderFailed, "\(outcomes)")
    }
    return image
  }

  /// F14: eight workers draw one sheet many times and produce identical files.
  @Test func `every worker draws the same sheet`() throws {
    let bench = Bench()
    let pool = bench.pool(width: 8)
    defer { pool.stop() }
    let request = Self.request(side: 24, count: 100, columns: 10, pitch: 25, limit: 251) {
      number, x, y in
      [UInt8(number), UInt8(x * 10), UInt8(y * 10), UInt8(255 - (x + y + number) % 200)]
    }
    let files = try pool.files(drawing: request, times: Extent.isAll ? 100 : 24)
    #expect(files.count == 1)
    let whole = try PNGReader(try #require(files.first))
    for number in 0..<100 {
      let crop = whole.crop(x: 1 + number % 10 * 25, y: 1 + number / 10 * 25, width: 24, height: 24)
      #expect(crop[0] == UInt8(number) && crop[24 * 4 - 3] == 230)
    }
  }

  /// Noise cannot be compressed, so the request and the response reach their largest sizes.
  @Test func `the largest incompressible sheet fits within the limits`() throws {
    let bench = Bench()
    let pool = bench.pool()
    defer { pool.stop() }
    var random = SeededRandom(seed: 5)
    let request = Self.request(
      side: 255, count: 225, kinds: 15, columns: 15, pitch: 273, limit: 4_096
    ) {
      _, _, _ in
      let noise = random.next()
      return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: noise >> $0) }
    }
    let image = try image(try pool.render(request) { false })
    #expect(image.bytes.count > 225 * 255 * 255 * 4)
  }
}
