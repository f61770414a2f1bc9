import Foundation
import Imaging
import Recipes
import Testing

struct LimitTests {
  private static let scene = Pixels(width: 120, height: 120) { x, y in
    let wave = sin(Double(x * y) / 40) * 60 + cos(Double(x - 3 * y) / 9) * 50
    return [UInt8(128 + wave), UInt8(x * 2), UInt8(min(max(wave + Double(y), 0), 255)), 255]
  }

  private static func render(
    _ format: OutputFormat, quality: Int?, limit: Int? = nil
  ) throws -> RenderedImage {
    var picture = try scene.picture()
    let encoding = Encoding(format: format, quality: quality, limit: limit)
    return try picture.rendered(.simple(120, encoding: encoding))
  }

  @Test(arguments: [OutputFormat.webp, .avif, .jpeg])
  func `the highest quality that meets the limit is chosen`(format: OutputFormat) throws {
    // The file sizes at each quality, without a limit.
    let sizes = try (1...85).map { try Self.render(format, quality: $0).bytes.count }
    for limit in [sizes[84], sizes[84] - 1, (sizes[0] + sizes[84]) / 2, sizes[9], sizes[0]] {
      let image = try Self.render(format, quality: 85, limit: limit)
      #expect(image.bytes.count <= limit)
      let quality = try #require(image.metadata.quality)
      #expect(image.bytes.count == sizes[quality - 1])
      if quality < 85 { #expect(sizes[quality] > limit) }
      let same = try Self.render(format, quality: quality)
      #expect(image.bytes == same.bytes)
    }
  }

  @Test(arguments: [OutputFormat.webp, .avif, .jpeg])
  func `a file that cannot meet its limit is as small as possible`(format: OutputFormat) throws {
    let image = try Self.render(format, quality: 85, limit: 10)
    #expect(image.metadata.quality == 1)
    #expect(image.bytes.count == (try Self.render(format, quality: 1).bytes.count))
  }

  @Test func `if no file fits and the smallest is lossless, no quality is reported`() throws {
    // The pixels have many colours, and lossy compression saves less than its headers need.
    let pixels = Pixels(width: 6, height: 1) { x, _ in [UInt8(x * 50), 9, 200, 255] }
    var picture = try pixels.picture()
    let encoding = Encoding(format: .webp, quality: 80, limit: 10)
    let image = try picture.rendered(.simple(6, 1, encoding: encoding))
    #expect(Anatomy.webp(image.bytes) == ["VP8L"])
    #expect(image.metadata.quality == nil)
  }

  @Test func `a large picture is re-encoded three times, finally at the lowest quality`() throws {
    try ImageMagick.start()
    let size = PixelSize(width: 2049, height: 2048)
    var bytes = [UInt8](repeating: 255, count: size.width * size.height * 4)
    for index in 0..<size.width * size.height where index % 2048 < 512 {
      bytes[index * 4] = UInt8(truncatingIfNeeded: index &* index >> 7)
      bytes[index * 4 + 1] = UInt8(truncatingIfNeeded: index >> 6)
    }
    var picture = try Picture(.raster(size), Data(bytes))
    func file(_ quality: Int, _ limit: Int? = nil) throws -> RenderedImage {
      try picture.rendered(
        .simple(
          size.width, size.height,
          encoding: Encoding(format: .jpeg, quality: quality, limit: limit)))
    }
    let sizes = try [1, 8, 40].map { try file($0).bytes.count }
    // A bisection would need 40, 20, 10, 5, … to reach the quality that fits.
    for limit in [sizes[0], sizes[1], sizes[0] - 1] {
      let image = try file(80, limit)
      #expect(image.metadata.quality == 1)
      #expect(image.bytes.count == sizes[0])
    }
    let image = try file(80, sizes[2])
    #expect(image.bytes.count <= sizes[2])
    #expect(try #require(image.metadata.quality) >= 40)
  }

  @Test func `quality is reported only if there is a size limit`() throws {
    #expect(try Self.render(.webp, quality: 80).metadata.quality == nil)
  }

  @Test func `a PNG over its limit is compressed harder but stays lossless`() throws {
    let usual = try Self.render(.png, quality: nil)
    let dense = try Self.render(.png, quality: nil, limit: usual.bytes.count - 1)
    #expect(dense.metadata.quality == nil)
    #expect(dense.bytes.count < usual.bytes.count)
    #expect(try Pixels(dense) == Pixels(usual))
    let loose = try Self.render(.png, quality: nil, limit: usual.bytes.count)
    #expect(loose.bytes == usual.bytes)
  }

  @Test func `the requested quality is reported if a flat picture fits losslessly`() throws {
    try ImageMagick.start()
    var blank = try Picture(.color(.sky))
    let encoding = Encoding(format: .webp, quality: 80, limit: 2_000)
    let image = try blank.rendered(.simple(120, encoding: encoding))
    #expect(image.metadata.quality == 80)
    #expect(Anatomy.webp(image.bytes) == ["VP8L"])
  }

  @Test func `a limit is part of the recipe only if it is set`() throws {
    let encoder = JSONEncoder()
    let none = String(decoding: try encoder.encode(Encoding(format: .png)), as: UTF8.self)
    #expect(none == "{\"format\":\"png\"}")
    #expect(
      Encoding(format: .webp, quality: 80) != Encoding(format: .webp, quality: 80, limit: 9_000))
  }
}
