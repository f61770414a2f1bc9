import Imaging
import Recipes
import TestSupport

struct InputTests {
  private typealias Pixel = TestPicture.Pixel

  /// F10: in CMYK and YCCK JPEGs, red, the other inks and black keep their colours.
  @Test(arguments: [TestPicture.JPEGColors.cmyk, .ycck], [1, 6])
  func `CMYK and YCCK pictures keep their colours`(
    colors: TestPicture.JPEGColors, orientation: Int
  ) throws {
    let inks: [Pixel] = [.red, .green, .blue, .white, .black, Pixel(200, 120, 40)]
    let file = TestPicture.jpeg(
      width: 96, height: 16, colors: colors, orientation: orientation, quality: 98
    ) { x, _ in inks[x / 16] }
    let image = try Rendered.whole(file)
    for (index, ink) in inks.enumerated() {
      let (x, y) = orientation == 1 ? (index * 16 + 8, 8) : (8, index * 16 + 8)
      let wanted = [ink.red, ink.green, ink.blue, 255].map { Int($0) }
      #expect(Rendered.isNear(image[x, y], wanted, by: 3), "\(image[x, y]) for \(wanted)")
    }
  }

  @Test(arguments: TestPicture.PNGKind.allCases)
  func `interlacing does not change PNG pixels`(kind: TestPicture.PNGKind) throws {
    for (width, height) in [(1, 1), (3, 5), (17, 11)] {
      let paint = TestPicture.quarters(width: width, height: height)
      // A 1-bit palette has too few colours for larger pictures.
      guard kind != TestPicture.PNGKind(colorType: 3, depth: 1) || width == 1 else { continue }
      let files = [false, true].map {
        TestPicture.png(width: width, height: height, kind: kind, interlaced: $0, pixel: paint)
      }
      let plain = try Rendered.whole(files[0])
      #expect(try Rendered.whole(files[1]) == plain)
      guard kind.colorType == 2 || kind.colorType == 6 else { continue }
      let corner = paint(0, 0)
      #expect(plain[0, 0] == [corner.red, corner.green, corner.blue, 255])
    }
  }

  @Test func `only the tRNS colour becomes transparent`() throws {
    let gray = TestPicture.png(
      width: 4, height: 4, kind: .gray, before: [TestPicture.chunk("tRNS", [0, 90])]
    ) { x, _ in x < 2 ? Pixel(90, 90, 90) : Pixel(91, 91, 91) }
    let image = try Rendered.whole(gray)
    #expect(image.alpha(0, 0) == 0 && image[3, 0] == [91, 91, 91, 255])
    let color = TestPicture.png(
      width: 4, height: 4, kind: .color,
      before: [TestPicture.chunk("tRNS", [0, 1, 0, 2, 0, 3])]
    ) { x, _ in x < 2 ? Pixel(1, 2, 3) : Pixel(1, 2, 4) }
    let other = try Rendered.whole(color)
    #expect(other.alpha(0, 0) == 0 && other[3, 0] == [1, 2, 4, 255])
  }

  @Test func `16-bit channels are rounded to eight bits`() throws {
    let row: [UInt8] = [0x80, 0x00, 0x80, 0xFF, 0x7F, 0xFF, 0x00, 0x00, 0xFF, 0xFF, 0x01, 0x01]
    let image = try Rendered.whole(
      PNGFile(width: 2, height: 1, depth: 16, colorType: 2, row: row).data)
    #expect(Rendered.isNear(image[0, 0], [128, 129, 128, 255], by: 1))
    #expect(image[1, 0] == [0, 255, 1, 255])
    let veiled = PNGFile(
      width: 1, height: 1, depth: 16, colorType: 6, row: [0x40, 0x40, 0, 0, 0xFF, 0xFF, 0x80, 0x80])
    #expect(try Rendered.whole(veiled.data)[0, 0] == [64, 0, 255, 128])
  }

  @Test func `gamma is applied to colours but not to alpha`() throws {
    for (colorType, row): (UInt8, [UInt8]) in [(4, [100, 128]), (6, [100, 100, 100, 128])] {
      for (gamma, wanted) in [(45_455, 100), (55_560, 118), (100_000, 168)] {
        let file = PNGFile(
          width: 1, height: 1, depth: 8, colorType: colorType, row: row,
          chunks: [("gAMA", PNGFile.number(gamma))])
        let pixel = try Rendered.whole(file.data)[0, 0]
        #expect(
          Rendered.isNear(pixel, [wanted, wanted, wanted]), "\(colorType) \(gamma): \(pixel)")
        #expect(pixel[3] == 128, "\(colorType) \(gamma)")
      }
    }
  }

  /// G31: an animation becomes exactly one picture: frame 0, on its whole canvas.
  @Test func `the first frame of an animation is composited on its canvas`() throws {
    let small = Array(TestPicture.webp(width: 4, height: 2) { _, _ in .red }.dropFirst(12))
    let cover = Array(TestPicture.webp(width: 10, height: 8) { _, _ in .blue }.dropFirst(12))
    func frame(_ left: Int, _ top: Int, _ width: Int, _ height: Int, _ data: [UInt8]) -> [UInt8] {
      var payload: [UInt8] = .little(left / 2, width: 3) + .little(top / 2, width: 3)
      for number in [width - 1, height - 1, 100] { payload.appendLittle(number, width: 3) }
      return TestPicture.riffChunk("ANMF", payload + [0] + data)
    }
    let webp = TestPicture.riff([
      TestPicture.canvas(width: 10, height: 8, flags: 18),
      TestPicture.riffChunk("ANIM", [0, 0, 0, 0, 0, 0]), frame(2, 4, 4, 2, small),
      frame(0, 0, 10, 8, cover),
    ])
    // The first frame of this GIF is 4 × 2 at (2, 4) on a 10 × 8 screen.
    var gif = [UInt8](
      TestPicture.gif(width: 4, height: 2, frames: 2, screen: (10, 8)) { frame, _, _ in
        frame == 0 ? .red : .blue
      })
    let place = try #require(gif.indices.first { gif[$0] == 0x2C && gif[$0 + 5] == 4 })
    gif.replaceSubrange(place + 1..<place + 5, with: [2, 0, 4, 0])
    for file in [webp, Data(gif)] {
      let inspection = try Inspection(inspecting: file)
      #expect(inspection.isAnimated && inspection.frames == 2)
      #expect(inspection.size == PixelSize(width: 10, height: 8))
      let image = try Rendered.whole(file)
      for y in 0..<8 {
        for x in 0..<10 {
          let isInside = (2..<6).contains(x) && (4..<6).contains(y)
          #expect(image[x, y] == (isInside ? [255, 0, 0, 255] : [0, 0, 0, 0]), "\(x) \(y)")
        }
      }
    }
  }

  @Test func `an animated PNG is reduced to its first frame`() throws {
    let file = TestPicture.apng(width: 6, height: 4, frames: 3) { frame, _, _ in
      [Pixel.red, .green, .blue][frame]
    }
    #expect(try Inspection(inspecting: file).isAnimated)
    let still = TestPicture.apng(width: 6, height: 4, frames: 1) { _, _, _ in .red }
    #expect(try !Inspection(inspecting: still).isAnimated)
    #expect(try Rendered.whole(file) == .solid(.ruby, 6, 4))
  }

  @Test func `a transparent source stays transparent`() throws {
    let paint: TestPicture.Paint = { x, y in Pixel(200, 100, 50, UInt8(x * 16 + y)) }
    let files = [
      TestPicture.png(width: 16, height: 16, pixel: paint),
      TestPicture.webp(width: 16, height: 16, pixel: paint),
    ]
    for file in files {
      let image = try Rendered.whole(file)
      for y in 0..<16 {
        for x in 0..<16 {
          let alpha = UInt8(x * 16 + y)
          #expect(image[x, y] == (alpha == 0 ? [0, 0, 0, 0] : [200, 100, 50, alpha]))
        }
      }
    }
  }

  @Test(arguments: [(1, 1), (1, 500), (500, 1), (16_000, 16), (16, 16_000), (2, 3)])
  func `the centre colour is preserved at any aspect ratio`(
    width: Int, height: Int
  ) throws {
    let paint: TestPicture.Paint = { _, _ in Pixel(200, 100, 50) }
    let files = [
      TestPicture.png(width: width, height: height, kind: .color, pixel: paint),
      TestPicture.jpeg(width: width, height: height, quality: 95, pixel: paint),
      TestPicture.gif(width: width, height: height) { _, x, y in paint(x, y) },
    ]
    try ImageMagick.start()
    for file in files {
      let inspection = try Inspection(inspecting: file)
      for fit in Fit.allCases {
        let recipe = Recipe.simple(24, fit: fit)
        var picture = try Picture(
          .encoded(inspection, reduction: inspection.reduction(for: recipe.frame)), file)
        let image = try Pixels(try picture.rendered(recipe))
        // Checks four pixels, because the centre is between two pixels in each direction.
        let middle = [image[12, 12], image[11, 12], image[12, 11], image[11, 11]]
        #expect(
          middle.contains { Rendered.isNear($0, [200, 100, 50, 255], by: 3) }, "\(fit) \(middle)")
        #expect(image.size == PixelSize(width: 24, height: 24))
      }
    }
  }
}
