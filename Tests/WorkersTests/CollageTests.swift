import Recipes
import TestSupport
import Workers

struct CollageTests {
  private static let size = PixelSize(width: 320, height: 200)
  private static let ground = Color(red: 240, green: 241, blue: 242)
  private static let font = "font"

  /// Returns a request with a title and 21 pictures in three rows; every second one is scaled down.
  private static func request(lines: [String] = ["Sample Team"]) -> RenderRequest {
    var files = Data()
    var cells: [Collage.Cell] = []
    for number in 0..<21 {
      let side = number % 2 == 0 ? 40 : 90
      let file = TestPicture.png(width: side, height: side) { x, y in
        TestPicture.Pixel(
          UInt8(number * 12), UInt8(x * 255 / side), UInt8(y * 255 / side),
          UInt8(255 - (x + y + number) % 200))
      }
      files += file
      let frame = PixelFrame(x: 5 + number % 7 * 45, y: 60 + number / 7 * 45, width: 40, height: 40)
      cells.append(Collage.Cell(frame: frame, bytes: file.count))
    }
    let words = Collage.Words(
      lines: lines, frame: PixelFrame(x: 10, y: 10, width: 300, height: 40), emPixels: 32,
      ink: .black, fonts: [font])
    return RenderRequest(
      source: .collage(Collage(size: size, ground: ground, cells: cells, words: [words])),
      payload: files, recipes: [recipe])
  }

  private static let recipe = Recipe(
    frame: Frame(base: size, box: size, fit: .stretch), outline: .square, effects: [],
    encoding: Encoding(format: .png))

  private func pool(_ bench: Bench, width: Int = 1) throws -> WorkerPool {
    let pool = bench.pool(width: width)
    pool.supply([Self.font: try DeclaredFonts.bytes(DeclaredFonts.latin)], draws: false)
    return pool
  }

  private func image(_ outcomes: [Result<RenderedImage, Rejection>]) throws -> RenderedImage {
    guard case .success(let image)? = outcomes.first, outcomes.count == 1 else {
      throw Rejection(.renderFailed, "\(outcomes)")
    }
    return image
  }

  /// D2: eight workers compose one card many times and produce identical files.
  @Test func `every worker composes the same card`() throws {
    let bench = Bench()
    let pool = try pool(bench, width: 8)
    defer { pool.stop() }
    let request = Self.request()
    let files = try pool.files(drawing: request, times: Extent.isAll ? 200 : 24)
    #expect(files.count == 1)
    let card = try PNGReader(try #require(files.first))
    // The title is inside its frame, and the rest of the area above the pictures is empty.
    var inked = 0
    for y in 0..<60 {
      for x in 0..<320 where card.crop(x: x, y: y, width: 1, height: 1) != [240, 241, 242, 255] {
        #expect((10..<310).contains(x) && (10..<50).contains(y))
        inked += 1
      }
    }
    #expect((500...6_000).contains(inked))
  }

  /// A title without glyphs is omitted, and a title that is too wide is scaled down.
  @Test func `titles that no font covers are omitted, and long titles are scaled down`() throws {
    let bench = Bench()
    let pool = try pool(bench)
    defer { pool.stop() }
    func ink(_ lines: [String]) throws -> [Int] {
      let image = try image(try pool.render(Self.request(lines: lines)) { false })
      let card = try PNGReader(image.bytes)
      return (0..<320).filter { x in
        card.crop(x: x, y: 0, width: 1, height: 60)
          != Array(repeating: [240, 241, 242, 255], count: 60).flatMap(\.self)
      }
    }
    #expect(try ink(["漢字"]).isEmpty && ink([]).isEmpty && ink([" "]).isEmpty)
    let wide = try ink([String(repeating: "Wide ", count: 30)])
    #expect(try #require(wide.first) < 14 && wide.last ?? 0 > 305)
    #expect(try !ink(["Two", "lines"]).isEmpty)
  }

  @Test func `a damaged picture causes a rejection but does not stop the worker`() throws {
    let bench = Bench()
    let pool = try pool(bench)
    defer { pool.stop() }
    let good = Self.request()
    guard case .collage(let collage) = good.source else { return }
    let files = good.payload
    _ = try image(try pool.render(good) { false })
    for count in [0, 1, 40, files.count - 1] {
      let cut = RenderRequest(
        source: .collage(collage), payload: files.prefix(count), recipes: good.recipes)
      #expect(throws: Rejection.self) { try image(try pool.render(cut) { false }) }
    }
    for frame in [
      PixelFrame(x: -1, y: 0, width: 40, height: 40),
      PixelFrame(x: 281, y: 0, width: 40, height: 40),
      PixelFrame(x: 0, y: 0, width: 0, height: 40), PixelFrame(x: 0, y: 0, width: .max, height: 1),
    ] {
      var outside = collage
      outside.cells[3].frame = frame
      let request = RenderRequest(source: .collage(outside), payload: files, recipes: good.recipes)
      #expect(throws: Rejection.self) { try image(try pool.render(request) { false }) }
    }
    var random = SeededRandom(seed: 9)
    for _ in Extent.seeds(40, all: 100) {
      var bytes = files
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(
        in: 1...255, using: &random)
      let request = RenderRequest(source: .collage(collage), payload: bytes, recipes: good.recipes)
      // The result may be a picture or a rejection, but the worker must survive.
      _ = try pool.render(request) { false }
    }
    #expect(pool.workersStarted == 1)
  }
}
