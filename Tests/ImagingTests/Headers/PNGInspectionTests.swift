import Recipes
import TestSupport

struct PNGInspectionTests {
  private let paint = TestPicture.quarters(width: 8, height: 8)
  private let palette = TestPicture.chunk("PLTE", [0, 0, 0, 255, 255, 255])
  private let data = TestPicture.chunk("IDAT", Zlib.zeros(300))

  private func file(_ kind: TestPicture.PNGKind = .color, _ chunks: [UInt8]...) -> Data {
    TestPicture.png(width: 8, height: 8, kind: kind, chunks: chunks)
  }

  @Test(arguments: TestPicture.PNGKind.allCases)
  func `all PNG colour types are accepted`(kind: TestPicture.PNGKind) throws {
    for interlaced in [false, true] {
      let file = TestPicture.png(
        width: 13, height: 7, kind: kind, interlaced: interlaced, dataChunk: 64, pixel: paint)
      #expect(
        try Inspection(inspecting: file)
          == Inspection(format: .png, size: PixelSize(width: 13, height: 7)))
    }
  }

  @Test func `invalid PNG colour types are rejected`() {
    for (type, depth) in [(0, 3), (0, 0), (1, 8), (2, 4), (3, 16), (4, 2), (5, 8), (6, 1), (7, 8)] {
      let kind = TestPicture.PNGKind(colorType: type, depth: depth)
      #expect(rejection(of: file(kind, palette, data))?.reason == .corrupt)
    }
  }

  @Test func `a critical chunk with a wrong checksum is rejected`() throws {
    let file = TestPicture.png(width: 8, height: 8, kind: .palette, pixel: paint)
    for type in ["IHDR", "PLTE", "IDAT", "IEND"] {
      let place = try #require(file.firstRange(of: Data(type.utf8)))
      var bad = file
      bad[place.lowerBound - 4 + 8 + (type == "IEND" ? 0 : 1)] ^= 0x40
      #expect(rejection(of: bad)?.reason == .corrupt, "\(type)")
      #expect(rejection(of: bad)?.detail.contains("checksum") == true, "\(type)")
    }
  }

  @Test func `a wrong checksum in a text chunk is ignored`() {
    var text = TestPicture.chunk("tEXt", [65, 0, 66])
    text[text.count - 1] ^= 1
    #expect(rejection(of: file(.color, text, data)) == nil)
  }

  @Test func `a palette must appear once, before the data, with a valid colour type`() {
    let indexed = TestPicture.PNGKind(colorType: 3, depth: 1)
    #expect(rejection(of: file(indexed, palette, data)) == nil)
    #expect(rejection(of: file(.color, palette, data)) == nil)
    #expect(rejection(of: file(indexed, data))?.reason == .corrupt)
    #expect(rejection(of: file(indexed, data, palette))?.reason == .corrupt)
    #expect(rejection(of: file(.color, data, palette))?.reason == .corrupt)
    #expect(rejection(of: file(indexed, palette, palette, data))?.reason == .corrupt)
    #expect(rejection(of: file(.gray, palette, data))?.reason == .corrupt)
    for count in [0, 2, 4, 771] {
      let odd = TestPicture.chunk("PLTE", [UInt8](repeating: 0, count: count))
      #expect(rejection(of: file(indexed, odd, data))?.reason == .corrupt)
    }
  }

  @Test func `image data must be present, complete and contiguous`() {
    let text = TestPicture.chunk("tEXt", [65, 0, 66])
    #expect(rejection(of: file(.color, data, data)) == nil)
    #expect(rejection(of: file(.color, data, text)) == nil)
    #expect(rejection(of: file(.color, data).dropLast(13)) == nil)
    #expect(rejection(of: file(.color, data, text, data))?.reason == .corrupt)
    #expect(rejection(of: file(.color))?.reason == .truncated)
    #expect(rejection(of: file(.color, TestPicture.chunk("IDAT", [])))?.reason == .truncated)
    let large = TestPicture.png(width: 3_000, height: 3_000, kind: .color, chunks: [data])
    #expect(rejection(of: large)?.reason == .truncated)
    // The picture has 3,000 rows of 9,001 bytes, and deflate compresses at most 1,032 to 1.
    #expect(rejection(of: large)?.detail.contains("at least 26,165 bytes") == true)
    // 7,000 rows of 876 bytes.
    let bits = TestPicture.PNGKind(colorType: 0, depth: 1)
    let narrow = { (count: Int) in
      let data = TestPicture.chunk("IDAT", [UInt8](repeating: 0, count: count))
      return rejection(of: TestPicture.png(width: 7_000, height: 7_000, kind: bits, chunks: [data]))
    }
    #expect(narrow(5_940)?.detail.contains("at least 5,941 bytes") == true)
    #expect(narrow(5_941) == nil)
  }

  @Test func `unknown critical chunks and iOS-optimized PNGs are rejected`() {
    #expect(rejection(of: file(.color, TestPicture.chunk("ABCD", []), data))?.reason == .corrupt)
    #expect(rejection(of: file(.color, TestPicture.chunk("A1CD", []), data))?.reason == .corrupt)
    let signature = file(.color, data).prefix(8)
    let apple = signature + Data(TestPicture.chunk("CgBI", [0x50, 0, 0x20, 6]))
    #expect(rejection(of: apple + file(.color, data).dropFirst(8))?.reason == .unsupportedFormat)
    #expect(rejection(of: signature + Data(data))?.reason == .corrupt)
  }

  @Test func `checksums match zlib's`() {
    var random = SeededRandom(seed: 3)
    for length in [0, 1, 7, 8, 9, 15, 16, 17, 1_000] {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(
        rejection(of: file(.color, data + TestPicture.chunk("ABCD", bytes)))?
          .detail.contains("unknown critical") == true)
    }
  }
}
