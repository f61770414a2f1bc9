import Imaging
import Magick
import Recipes
import TestSupport

struct ProfileTests {
  private static let displayP3 = SRGB.profile(colorants: [
    [0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407],
  ])

  /// A 16 × 16 AVIF whose pixels are all (200, 100, 50) in Display P3.
  private static let avif = """
    AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAAKcbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAA\
    AAAAAAAAAAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAALEAAAAIAAAAChpaW5mAAAAAAABAAAA\
    GmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAAIbaXBycAAAAftpcGNvAAAAFGlzcGUAAAAAAAAAEAAAABAAAAAQcGl4aQAA\
    AAADCAgIAAAADGF2MUOBIAAAAAABsGNvbHJwcm9mAAABpAAAAAAEIAAAbW50clJHQiBYWVogAAAAAAAAAAAAAAAAYWNz\
    cAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPbWAAEAAAAA0y0AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAJZGVzYwAAAPAAAAAgY3BydAAAARAAAAAid3RwdAAAATQAAAAUclhZWgAAAUgA\
    AAAUZ1hZWgAAAVwAAAAUYlhZWgAAAXAAAAAUclRSQwAAAYQAAAAgZ1RSQwAAAYQAAAAgYlRSQwAAAYQAAAAgbWx1YwAA\
    AAAAAAABAAAADGVuVVMAAAAEAAAAHABQADNtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAYAAAAcAEMAQwAwAABYWVogAAAA\
    AAAA9tYAAQAAAADTLVhZWiAAAAAAAACD3wAAPb////+7WFlaIAAAAAAAAEq/AACxNwAACrlYWVogAAAAAAAAKDgAABEL\
    AADIuXBhcmEAAAAAAAMAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAE2NvbHJuY2x4AAIAAgAGgAAAABhpcG1hAAAAAAAA\
    AAEAAQUBAoMEBQAAAChtZGF0EgAKCDgM/9hAgIGkMhIQAAA5ULrcUR0GstZyt1cubt4=
    """

  private static func png(_ row: [UInt8], profile: [UInt8]) -> PNGFile {
    PNGFile(
      width: row.count / 3, height: 8, depth: 8, colorType: 2, row: row,
      chunks: [("iCCP", Array("p".utf8) + [0, 0] + PNGFile.deflated(profile))])
  }

  private static func render(_ bytes: Data, _ inspection: Inspection) throws -> Pixels {
    try ImageMagick.start()
    var picture = try Picture(.encoded(inspection, reduction: 1), bytes)
    return try Pixels(try picture.rendered(.simple(inspection.size.width, inspection.size.height)))
  }

  private static func render(_ file: PNGFile) throws -> Pixels {
    let size = PixelSize(width: file.width, height: file.height)
    return try render(file.data, Inspection(format: .png, size: size))
  }

  @Test func `an sRGB profile does not change any pixels`() throws {
    let row = (0..<64).flatMap { step -> [UInt8] in [UInt8(step * 4), UInt8(255 - step), 9] }
    let image = try Self.render(Self.png(row, profile: SRGB.profile))
    for x in 0..<64 { #expect(Array(image[x, 3].prefix(3)) == Array(row[x * 3..<x * 3 + 3])) }
  }

  @Test func `an invalid profile is ignored`() throws {
    let image = try Self.render(
      Self.png([200, 100, 50, 200, 100, 50], profile: [UInt8](repeating: 7, count: 200)))
    #expect(image[1, 1] == [200, 100, 50, 255])
  }

  /// I13: a bad profile is ignored, and the image is flagged.
  @Test(arguments: ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "length", "whole"])
  func `a profile with tags of the wrong type is ignored`(broken: String) throws {
    var profile = Self.displayP3
    for entry in stride(from: 132, to: 132 + 9 * 12, by: 12)
    where profile[entry..<entry + 4].elementsEqual(broken.utf8) {
      let start = profile[entry + 4..<entry + 8].reduce(0) { $0 << 8 | Int($1) }
      profile.replaceSubrange(start..<start + 4, with: "text".utf8)
    }
    if broken == "length" { profile[2] += 1 }
    let jpeg = Anatomy.jpeg(
      TestPicture.jpeg(width: 16, height: 16, quality: 100) { _, _ in
        TestPicture.Pixel(200, 100, 50)
      }, adding: [TestProfile.jpegSegment(profile)])
    try ImageMagick.start()
    var picture = try Picture(.encoded(try Inspection(inspecting: jpeg), reduction: 1), jpeg)
    let image = try picture.rendered(.simple(16, 16))
    // Display P3 (200, 100, 50) is sRGB (215, 93, 31).
    let wanted = broken == "whole" ? [215, 93, 31, 255] : [200, 100, 50, 255]
    for (value, wanted) in zip(try Pixels(image)[8, 8], wanted) {
      #expect(abs(Int(value) - wanted) <= 3)
    }
    #expect(image.metadata.ignoresProfile == (broken != "whole"))
  }

  @Test func `bytes after a profile are ignored`() throws {
    let row: [UInt8] = [200, 100, 50, 200, 100, 50]
    let image = try Self.render(Self.png(row, profile: Self.displayP3))
    let jpeg = Anatomy.jpeg(
      TestPicture.jpeg(width: 16, height: 16, quality: 100) { _, _ in
        TestPicture.Pixel(200, 100, 50)
      }, adding: [TestProfile.jpegSegment(Self.displayP3 + [0, 0, 0])])
    let padded = try Rendered.whole(jpeg)[8, 8]
    for (first, second) in zip(padded, image[1, 1]) { #expect(abs(Int(first) - Int(second)) <= 3) }
  }

  @Test func `our conversion matches ImageMagick's`() throws {
    var random = SeededRandom(seed: 7)
    let row = (0..<3 * 256).map { _ in UInt8.random(in: 0...255, using: &random) }
    let file = Self.png(row, profile: Self.displayP3)
    let image = try Self.render(file)
    var canvas = try Canvas(decoding: file.data, coder: "PNG")
    try canvas.convert(toProfile: SRGB.profile)
    let engine = try canvas.rgba()
    for (ours, theirs) in zip(image.bytes, engine) { #expect(abs(Int(ours) - Int(theirs)) <= 1) }
    #expect(Array(engine[0..<3]) != Array(row[0..<3]))
  }

  @Test func `a profile in an AVIF is applied`() throws {
    let bytes = try #require(Data(base64Encoded: Self.avif))
    let image = try Self.render(
      bytes, Inspection(format: .avif, size: PixelSize(width: 16, height: 16)))
    // Display P3 (200, 100, 50) is sRGB (215, 93, 31).
    for (value, wanted) in zip(image[8, 8], [215, 93, 31, 255]) {
      #expect(abs(Int(value) - wanted) <= 3)
    }
  }

  /// Our own conversion does not support curve type 1.
  @Test func `ImageMagick converts AVIF profiles that we do not support`() throws {
    var bytes = try #require(Data(base64Encoded: Self.avif))
    let curve = try #require(bytes.range(of: Data("para\0\0\0\0\0\u{3}".utf8)))
    bytes[curve.upperBound - 1] = 1
    let image = try Self.render(bytes, try Inspection(inspecting: bytes))
    for (value, wanted) in zip(image[8, 8], [215, 93, 31, 255]) {
      #expect(abs(Int(value) - wanted) <= 4)
    }
  }

  @Test(arguments: [(15, 2, 8), (31, 4, 8), (29, 4, 7), (31, 2, 16), (33, 5, 7), (32, 2, 16)])
  func `a fractional crop produces the same size as in libheif`(
    numerator: Int, denominator: Int, side: Int
  ) throws {
    var bytes = try #require(Data(base64Encoded: Self.avif))
    let number = PNGFile.number
    let crop = [numerator, denominator, numerator, denominator, 0, 1, 0, 1].flatMap(number)
    let parts: [(old: [UInt8], new: [UInt8])] = [
      // The patch replaces the last box in `ipco` and all of `ipma`, which gets property 6.
      (
        number(24) + Array("ipma".utf8) + number(0) + number(1) + [0, 1, 5, 1, 2, 0x83, 4, 5],
        TestPicture.box("clap", crop) + number(25) + Array("ipma".utf8) + number(0) + number(1)
          + [0, 1, 6, 1, 2, 0x83, 4, 5, 0x86]
      ),
      (number(0x1FB) + Array("ipco".utf8), number(0x1FB + 40) + Array("ipco".utf8)),
      (number(0x21B) + Array("iprp".utf8), number(0x21B + 41) + Array("iprp".utf8)),
      (number(0x29C) + Array("meta".utf8), number(0x29C + 41) + Array("meta".utf8)),
      (number(0x2C4) + number(0x20), number(0x2C4 + 41) + number(0x20)),
    ]
    for part in parts {
      bytes.replaceSubrange(try #require(bytes.range(of: Data(part.old))), with: part.new)
    }
    let inspection = try Inspection(inspecting: bytes)
    #expect(inspection.size == PixelSize(width: side, height: side))
    // A decode with a different size would be rejected.
    #expect(try Self.render(bytes, inspection).width == side)
  }

  @Test func `a profile in the wrong place in an AVIF is ignored`() throws {
    var bytes = try #require(Data(base64Encoded: Self.avif))
    // A decoy profile comes first, in an ignored box, and moves the offsets by its length.
    let turned = SRGB.profile(colorants: [
      [0.15710, 0.06657, 0.78407], [0.29198, 0.69225, 0.04189], [0.51512, 0.24120, -0.00105],
    ])
    let decoy = TestPicture.box("free", TestPicture.box("colr", Array("prof".utf8) + turned))
    let place = try #require(bytes.range(of: Data([0, 0, 2, 0xC4, 0, 0, 0, 0x20])))
    bytes.replaceSubrange(place.prefix(4), with: PNGFile.number(0x2C4 + decoy.count))
    bytes.insert(contentsOf: decoy, at: 32)
    let image = try Self.render(bytes, try Inspection(inspecting: bytes))
    for (value, wanted) in zip(image[8, 8], [215, 93, 31, 255]) {
      #expect(abs(Int(value) - wanted) <= 3)
    }
  }
}
