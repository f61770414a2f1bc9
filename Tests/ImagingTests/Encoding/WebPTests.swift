import Foundation
import Imaging
import Magick
import Recipes
import Testing

/// Compares with ImageMagick, which uses the same libwebp but recompresses alpha each time.
struct WebPTests {
  private static func photo(_ seed: Int, _ width: Int, _ height: Int) -> Pixels {
    Pixels(width: width, height: height) { x, y in
      let value = (x &* 7 &+ y &* 13 &+ (x &* y &* seed) / 5) & 255
      return [UInt8(value), UInt8((value &* 3 &+ x) & 255), UInt8((value ^ y) & 255), 255]
    }
  }

  private static func expected(
    _ pixels: Pixels, settings: [(String, String)] = [("segments", "1"), ("sns-strength", "0")]
  ) throws -> Data {
    let all = [("method", "2"), ("alpha-filtering", "0")] + settings
    return try Canvas(rgba: pixels.bytes.span, width: pixels.width, height: pixels.height).encoded(
      as: "WEBP", quality: 80, options: all.map { ("webp:\($0)", $1) })
  }

  @Test(arguments: [(96, 96), (61, 37), (17, 128), (192, 191)])
  func `a WebP matches libwebp's encoding of the whole picture`(width: Int, height: Int) throws {
    let size = PixelSize(width: width, height: height)
    let resources = RenderResources()
    let outlines = [Outline.square, .circle(in: size)]
    // The second and third pictures with an outline reuse the alpha of the first one.
    for (seed, outline) in [1, 2, 3].flatMap({ seed in outlines.map { (seed, $0) } }) {
      let source = Self.photo(seed, width, height)
      try ImageMagick.start()
      var picture = try Picture(.raster(size), Data(source.bytes), resources: resources)
      let exact = try Pixels(picture.rendered(.simple(width, height, outline: outline)))
      let webP = try picture.rendered(
        .simple(width, height, outline: outline, encoding: Encoding(format: .webp, quality: 80)))
      #expect(webP.bytes == (try Self.expected(exact)), "seed \(seed)")
    }
  }

  /// The first pass over a one-block picture ends before it can be cancelled.
  @Test func `a one-block picture matches libwebp's encoding`() throws {
    try ImageMagick.start()
    let pixels = Self.photo(3, 16, 16)
    var picture = try Picture(.raster(pixels.size), Data(pixels.bytes))
    let webP = try picture.rendered(.simple(16, 16, encoding: Encoding(format: .webp, quality: 80)))
    #expect(webP.bytes == (try Self.expected(pixels)))
  }

  private static func noise(_ file: RenderedImage, _ exact: Pixels) throws -> Double {
    let pixels = try Pixels(file, as: .webp)
    var (sum, weight) = (0.0, 0.0)
    for index in exact.alphas.indices where exact.alphas[index] > 0 {
      weight += Double(3 * exact.alphas[index])
      for channel in index * 4..<index * 4 + 3 {
        let error = Double(pixels.bytes[channel]) - Double(exact.bytes[channel])
        sum += error * error * Double(exact.alphas[index])
      }
    }
    return 10 * log10(255 * 255 * weight / sum)
  }

  @Test(arguments: [32, 64, 96, 128]) func `a small photo keeps its colours`(side: Int) throws {
    try ImageMagick.start()
    let size = PixelSize(width: side, height: side)
    let checkout = URL(filePath: #filePath).appending(path: "../../../..").standardized
    for name in ["badger", "otter"] {
      let photo = try Data(contentsOf: checkout.appending(path: "content/avatars/\(name).jpg"))
      let inspection = try Inspection(inspecting: photo)
      let frame = Recipe.simple(side).frame
      var picture = try Picture(
        .encoded(inspection, reduction: inspection.reduction(for: frame)), photo)
      func image(_ encoding: Encoding) throws -> RenderedImage {
        try picture.rendered(.simple(side, outline: .circle(in: size), encoding: encoding))
      }
      let exact = try Pixels(image(Encoding(format: .png)))
      let usual = RenderedImage(bytes: try Self.expected(exact, settings: []))
      let small = try image(Encoding(format: .webp, size: size))
      #expect(try Self.noise(small, exact) > Self.noise(usual, exact) + 0.8, "\(name)")
      #expect(Double(small.bytes.count) < 1.4 * Double(usual.bytes.count), "\(name)")
    }
  }

  @Test func `an alpha plane that differs in one pixel is not reused`() throws {
    try ImageMagick.start()
    let resources = RenderResources()
    for veiled in [nil, 0, 4_095] {
      var pixels = Self.photo(5, 64, 64)
      for index in 0..<64 { pixels.bytes[index * 4 + 3] = 128 }
      if let veiled { pixels.bytes[veiled * 4 + 3] = 129 }
      var picture = try Picture(.raster(pixels.size), Data(pixels.bytes), resources: resources)
      let webP = try picture.rendered(
        .simple(64, 64, encoding: Encoding(format: .webp, quality: 80)))
      #expect(webP.bytes == (try Self.expected(pixels)))
    }
  }
}
