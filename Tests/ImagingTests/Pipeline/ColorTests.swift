import Foundation
import Imaging
import Recipes
import Testing

struct ColorTests {
  /// An 8 × 8 CMYK file in Adobe's inverted form, whose pixels are all (255, 0, 0).
  private static let cmyk = """
    /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggL\
    CAkKCgoKCgYICwwLCgwJCgoK/8AAFAgACAAIBEMRAE0RAFkRAEsRAP/EABUAAQEAAAAAAAAAAAAAAAAAAAkK/8QAFBAB\
    AAAAAAAAAAAAAAAAAAAAAP/aAA4EQwBNAFkASwAAPwB/E/6f8/j/2Q==
    """

  private func render(_ file: PNGFile, to side: Int = 8) throws -> Pixels {
    try ImageMagick.start()
    let size = PixelSize(width: file.width, height: file.height)
    var picture = try Picture(
      .encoded(Inspection(format: .png, size: size), reduction: 1), file.data)
    let image = try picture.rendered(.simple(side))
    #expect(image.bytes[24] <= 8)
    return try Pixels(image)
  }

  /// F10: CMYK, grey, 16-bit and indexed sources become 8-bit sRGB, and are decoded once.
  @Test func `CMYK, grey, 16-bit and indexed sources become 8-bit sRGB`() throws {
    try ImageMagick.start()
    let bytes = try #require(Data(base64Encoded: Self.cmyk))
    var picture = try Picture(
      .encoded(Inspection(format: .jpeg, size: PixelSize(width: 8, height: 8)), reduction: 1), bytes
    )
    let red = try Pixels(try picture.rendered(.simple(8)))
    #expect(red == .solid(.ruby, 8, 8))

    let gray = try render(
      PNGFile(width: 8, height: 8, depth: 8, colorType: 0, row: [UInt8](repeating: 100, count: 8)))
    #expect(gray[4, 4] == [100, 100, 100, 255])

    let deep = (0..<8).flatMap { _ -> [UInt8] in [0x33, 0x33, 0x66, 0x66, 0xCC, 0xCC] }
    let sixteen = try render(PNGFile(width: 8, height: 8, depth: 16, colorType: 2, row: deep))
    #expect(sixteen[4, 4] == [51, 102, 204, 255])

    let indexed = try render(
      PNGFile(
        width: 8, height: 8, depth: 8, colorType: 3, row: [UInt8](repeating: 1, count: 8),
        chunks: [("PLTE", [255, 0, 0, 51, 102, 204]), ("tRNS", [255, 128])]))
    #expect(indexed[4, 4] == [51, 102, 204, 128])

    let veiled = try render(
      PNGFile(
        width: 8, height: 8, depth: 8, colorType: 4,
        row: (0..<8).flatMap { _ -> [UInt8] in [200, 90] }))
    #expect(veiled[4, 4] == [200, 200, 200, 90])
  }

  /// I12: greys of 1, 2 and 4 bits become 8-bit sRGB with the same colours as the reference.
  @Test(arguments: [(1, [0, 255]), (2, [0, 85, 170, 255]), (4, [0, 17, 51, 119, 187, 255])])
  func `greys with a low bit depth are scaled to the full range`(depth: Int, levels: [Int]) throws {
    for level in levels {
      let sample = level / (255 / ((1 << depth) - 1))
      let byte = (0..<8 / depth).reduce(0) { packed, _ in packed << depth | sample }
      let image = try render(
        PNGFile(
          width: 8, height: 8, depth: UInt8(depth), colorType: 0,
          row: [UInt8](repeating: UInt8(byte), count: depth)))
      let gray = UInt8(level)
      #expect(image[4, 4] == [gray, gray, gray, 255])
    }
  }

  @Test func `a greyscale JPEG keeps its values`() throws {
    let pixels = Pixels.solid(Color(red: 120, green: 120, blue: 120), 16, 16)
    var picture = try Picture(
      .encoded(Inspection(format: .jpeg, size: pixels.size), reduction: 1),
      try pixels.encoded(as: "JPEG", quality: 100))
    #expect(try Pixels(try picture.rendered(.simple(16))).difference(to: pixels) <= 1)
  }

  @Test func `a gAMA chunk is applied as in browsers`() throws {
    func value(_ gamma: Int?) throws -> Int {
      var file = PNGFile(
        width: 8, height: 8, depth: 8, colorType: 2, row: [UInt8](repeating: 100, count: 24))
      if let gamma { file.chunks = [("gAMA", PNGFile.number(gamma))] }
      return Int(try render(file)[4, 4][0])
    }
    #expect(try value(nil) == 100)
    #expect(try value(45_455) == 100)
    // 255 · (100/255)^(1 / (2.2 · 0.5556)), the gamma of old Macs.
    #expect(abs(try value(55_560) - 118) <= 2)
    // Linear light: 39.2 % is encoded as 66.1 %.
    #expect(abs(try value(100_000) - 168) <= 2)
  }

  /// F11: the centre pixel equals the source's centre pixel.
  @Test func `a circle shows the centre of the picture`() throws {
    var picture = try Pixels.solid(.sky, 80, 80).picture()
    let outline = Outline.circle(in: PixelSize(width: 40, height: 40))
    #expect(
      try Pixels(try picture.rendered(.simple(40, outline: outline)))[20, 20] == [
        51, 102, 204, 255,
      ]
    )
  }
}
