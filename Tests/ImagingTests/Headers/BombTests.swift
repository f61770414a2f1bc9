import Recipes
import TestSupport

struct BombTests {
  /// I1: a header is enough to reject a picture that is too wide or tall, or has too many pixels.
  @Test(arguments: [
    Bomb.png(width: 50_000, height: 50_000), Bomb.png(width: 15_000, height: 15_000),
    Bomb.jpeg(width: 65_500, height: 65_500), Bomb.jpeg(width: 16_000, height: 13_000),
    Bomb.gif(screen: 65_535), Bomb.webp(width: 16_383, height: 16_383),
    TestPicture.heifStructure(width: 30_000, height: 30_000),
    TestPicture.heifStructure(width: 4_000, height: 4_000, tiles: (2, 2), gridSize: (60_000, 9)),
  ])
  func `a picture with too many pixels is rejected`(bomb: Data) {
    #expect(rejection(of: bomb)?.reason == .tooManyPixels)
  }

  /// G32: a header that claims 30,000×30,000 pixels is rejected before any allocation.
  @Test func `an oversized picture is rejected after its first bytes`() {
    let png = Bomb.png(width: 30_000, height: 30_000)
    #expect(rejection(of: png.prefix(33))?.reason == .tooManyPixels)
    let jpeg = Bomb.jpeg(width: 30_000, height: 30_000)
    #expect(rejection(of: jpeg.prefix(21))?.reason == .tooManyPixels)
    #expect(rejection(of: Bomb.webp(width: 12_000, height: 12_000))?.reason == .tooManyPixels)
  }

  @Test func `the largest allowed pictures are accepted`() throws {
    let png = Bomb.png(width: 10_000, height: 5_000)
    #expect(try Inspection(inspecting: png).size == PixelSize(width: 10_000, height: 5_000))
    let wide = Bomb.png(width: 16_384, height: 3_051)
    #expect(try Inspection(inspecting: wide).size.width == 16_384)
    #expect(rejection(of: Bomb.png(width: 16_385, height: 1))?.reason == .tooManyPixels)
  }

  /// I2: scans, chunks and parts are limited, and compressed metadata never reaches the decoder.
  @Test func `expensive parts of a file are rejected or dropped`() throws {
    #expect(rejection(of: Bomb.jpeg(scans: 1_000))?.reason == .tooManyScans)
    #expect(rejection(of: Bomb.png(textChunks: 20_000))?.reason == .tooManyChunks)
    #expect(rejection(of: Bomb.avif(columns: 64, rows: 64))?.reason == .tooManyChunks)
    let comments = [[UInt8]](repeating: TestPicture.segment(0xFE, []), count: 5_000)
    let jpeg = TestPicture.jpeg(width: 8, height: 8, extra: comments) { _, _ in .red }
    #expect(rejection(of: jpeg)?.reason == .tooManyChunks)
    let junk = [[UInt8]](repeating: TestPicture.riffChunk("JUNK", []), count: 5_000)
    let webp = TestPicture.webp(width: 8, height: 8, extra: junk) { _, _ in .red }
    #expect(rejection(of: webp)?.reason == .tooManyChunks)
    let boxes = [[UInt8]](repeating: TestPicture.box("free", []), count: 5_000).joined()
    let avif = TestPicture.heifStructure(width: 8, height: 8) + Data(boxes)
    #expect(rejection(of: avif)?.reason == .tooManyChunks)

    let good = TestPicture.png(width: 2, height: 2) { _, _ in .red }
    for type in ["zTXt", "iTXt", "iCCP"] {
      let bomb = Bomb.png(inflating: 100_000_000, in: type)
      #expect(try Inspection(inspecting: bomb).sanitized(bomb) == good)
    }
  }

  /// I13: libpng allocates the memory that a profile claims to need.
  @Test(arguments: [(4 << 20, true), ((4 << 20) + 1, false), (1_761_607_752, false)])
  func `a profile that claims a huge size never reaches the decoder`(
    claimed: Int, isKept: Bool
  ) throws {
    let profile = [UInt8].big(claimed, width: 4) + [UInt8](repeating: 0, count: 128)
    let chunk = TestPicture.chunk("iCCP", Array("p\0\0".utf8) + Zlib.stored(profile))
    let file = TestPicture.png(width: 4, height: 4, before: [chunk]) { _, _ in .red }
    let without = TestPicture.png(width: 4, height: 4) { _, _ in .red }
    #expect(try Inspection(inspecting: file).sanitized(file) == (isKept ? file : without))
  }

  @Test func `up to 64 scans are allowed`() {
    #expect(rejection(of: Bomb.jpeg(scans: 64))?.reason != .tooManyScans)
    #expect(
      rejection(of: Bomb.jpeg(scans: 65))
        == Rejection(.tooManyScans, "the JPEG has more than 64 scans"))
  }

  /// I3: an animation is reduced to its first frame, and counting frames stops at a limit.
  @Test func `only the first frame of an animation is kept`() throws {
    let colors: [TestPicture.Pixel] = [.red, .green, .blue]
    let first = [
      TestPicture.gif(width: 6, height: 4) { _, _, _ in .red },
      TestPicture.png(width: 6, height: 4) { _, _ in .red },
    ]
    let gif = TestPicture.gif(width: 6, height: 4, frames: 3) { frame, _, _ in colors[frame] }
    #expect(try Inspection(inspecting: gif).frames == 3)
    let restOfGIF = try Inspection(inspecting: gif).sanitized(gif)
    // The palette still contains the other frames' colours; the picture is the same.
    #expect(restOfGIF.dropFirst(781) == first[0].dropFirst(781))

    let png = TestPicture.apng(width: 6, height: 4, frames: 3) { frame, _, _ in colors[frame] }
    #expect(try Inspection(inspecting: png).sanitized(png) == first[1])

    let webp = TestPicture.webp(width: 6, height: 4, frames: 3) { frame, _, _ in colors[frame] }
    let one = TestPicture.webp(width: 6, height: 4, frames: 1) { frame, _, _ in colors[frame] }
    #expect(try Inspection(inspecting: webp).frames == 3)
    #expect(try Inspection(inspecting: webp).sanitized(webp) == one)

    let many = Bomb.gif(frames: 10_001)
    #expect(try Inspection(inspecting: many).frames == 10_000)
    #expect(try Inspection(inspecting: many).sanitized(many).count < 1_000)
  }
}
