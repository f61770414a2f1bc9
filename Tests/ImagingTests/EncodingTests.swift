import Foundation
import Imaging
import Recipes
import Testing

struct EncodingTests {
  private static let png = Encoding(format: .png)
  private static let webp = Encoding(format: .webp, quality: 80)
  private static let avif = Encoding(format: .avif, quality: 50)
  private static let jpeg = Encoding(format: .jpeg, quality: 85)
  private static let disc = Outline.circle(in: PixelSize(width: 64, height: 64))

  private static func all(_ picture: inout Picture) throws -> [RenderedImage] {
    [
      try picture.rendered(.simple(64, outline: disc, encoding: png)),
      try picture.rendered(.simple(64, outline: disc, encoding: webp)),
      try picture.rendered(.simple(64, encoding: png)),
      try picture.rendered(.simple(64, encoding: webp)),
      try picture.rendered(
        .simple(64, outline: disc, effects: [.matte(.white)], encoding: jpeg)),
      try picture.rendered(.simple(64, outline: disc, encoding: avif)),
    ]
  }

  /// I15: the chunks and markers of every output contain no EXIF, XMP, IPTC or text.
  @Test func `output files do not contain metadata`() throws {
    let marker = "SECRET-48.8584N"
    let source = Pixels.scene(300, 300)
    let profile = Array("ICC_PROFILE\0".utf8) + [1, 1] + SRGB.profile
    let bytes = Anatomy.jpeg(
      try source.encoded(as: "JPEG", quality: 90),
      adding: [
        (0xE1, Array("Exif\0\0MM\0*\0\0\0\u{8}\0\0".utf8) + Array(marker.utf8)),
        (0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x>\(marker)</x>".utf8)),
        (0xE2, profile), (0xED, Array("Photoshop 3.0\0\(marker)".utf8)),
        (0xFE, Array(marker.utf8)),
      ])
    var picture = try Picture(
      .encoded(Inspection(format: .jpeg, size: source.size), reduction: 2), bytes)
    let files = try Self.all(&picture)
    for file in files {
      for text in [marker, "Exif", "xap", "ICC_PROFILE", "acsp", "Photoshop", "date:"] {
        #expect(file.bytes.range(of: Data(text.utf8)) == nil)
      }
    }
    for file in [files[0], files[2]] {
      #expect(Anatomy.png(file.bytes) == ["IHDR", "IDAT", "IEND"])
    }
    for file in [files[1], files[3]] {
      #expect(Set(Anatomy.webp(file.bytes)).isSubset(of: ["VP8X", "ALPH", "VP8 ", "VP8L"]))
    }
    // The allowed markers are JFIF, tables, the frame, and the scan.
    #expect(Set(Anatomy.jpeg(files[4].bytes)).isSubset(of: [0xE0, 0xDB, 0xC0, 0xC2, 0xC4, 0xDA]))
  }

  /// E1: an overlay never paints outside the shape.
  @Test func `effects never paint outside the shape`() throws {
    var picture = try Pixels.scene(80, 80).picture()
    let effects: [Effect] = [
      .underlay(.ruby), .border(Border(width: 6, color: .lime, mode: .over)),
    ]
    for encoding in [Self.png, Self.webp, Self.avif] {
      let image = try Rendered.whole(
        try picture.rendered(
          .simple(64, outline: Self.disc, effects: effects, encoding: encoding)
        ).bytes)
      for (x, y) in [(0, 0), (63, 0), (0, 63), (63, 63), (5, 5)] { #expect(image.alpha(x, y) == 0) }
    }
  }

  /// G15: two radii and a square produce three different files.
  @Test func `each radius produces a different file`() throws {
    var picture = try Pixels.scene(80, 80).picture()
    let files = try [0.0, 8, 32].map { radius in
      try picture.rendered(.simple(64, outline: Outline(radius: radius))).bytes
    }
    #expect(Set(files).count == 3)
  }

  @Test func `invisible pixels are stored as transparent black`() throws {
    var picture = try Pixels.scene(80, 80).picture()
    let image = try Pixels(try picture.rendered(.simple(64, outline: Self.disc)))
    for at in stride(from: 0, to: image.bytes.count, by: 4) where image.bytes[at + 3] == 0 {
      #expect(image.bytes[at..<at + 3].allSatisfy { $0 == 0 })
    }
  }

  @Test func `a higher quality produces larger lossy files`() throws {
    var picture = try Pixels.scene(200, 200).picture()
    for format in [OutputFormat.webp, .avif, .jpeg] {
      let sizes = try [20, 60, 95].map { quality in
        let encoding = Encoding(format: format, quality: quality)
        return try picture.rendered(.simple(200, encoding: encoding)).bytes.count
      }
      #expect(sizes == sizes.sorted())
      #expect(sizes[0] < sizes[2])
    }
  }

  @Test func `a PNG preserves every pixel`() throws {
    let noise = Pixels(width: 70, height: 50) { x, y in
      [UInt8(x * 3), UInt8(y * 5), UInt8((x * 31 + y * 17) & 255), x < 35 ? 255 : UInt8(1 + y)]
    }
    var picture = try noise.picture()
    #expect(try Pixels(try picture.rendered(.simple(70, 50))) == noise)
  }

  @Test func `a one-pixel picture takes at most 100 bytes`() throws {
    try ImageMagick.start()
    var picture = try Picture(.color(Color(red: 0, green: 0, blue: 0, alpha: 51)))
    let file = try picture.rendered(.simple(1))
    #expect(file.bytes.count <= 100)
    #expect(try Pixels(file)[0, 0] == [0, 0, 0, 51])
  }
}
