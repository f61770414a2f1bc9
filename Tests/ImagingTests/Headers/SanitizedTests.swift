import Recipes
import TestSupport

struct SanitizedTests {
  private let marker = Data("<script>MARKER</script>".utf8)
  private let paint = TestPicture.quarters(width: 16, height: 8)

  private func sanitized(_ file: Data) throws -> Data {
    try Inspection(inspecting: file).sanitized(file)
  }

  @Test func `a file with nothing to remove is unchanged`() throws {
    let files = [
      TestPicture.jpeg(width: 16, height: 8, pixel: paint),
      TestPicture.jpeg(width: 16, height: 8, colors: .cmyk, isProgressive: true, pixel: paint),
      TestPicture.png(width: 16, height: 8, kind: .palette, interlaced: true, pixel: paint),
      TestPicture.webp(width: 16, height: 8, pixel: paint),
      TestPicture.gif(width: 16, height: 8) { _, x, y in paint(x, y) },
      TestPicture.heifStructure(width: 16, height: 8),
    ]
    for file in files { #expect(try sanitized(file) == file) }
  }

  /// I8: JPEG+HTML, GIFAR and PNG+ZIP are identified by magic bytes only, and the tail is dropped.
  @Test func `trailing data is dropped`() throws {
    let tails = [
      marker, Data("PK\u{3}\u{4}".utf8) + marker, Data("%PDF-1.4".utf8) + marker, Data([0xFF]),
    ]
    let files = [
      TestPicture.jpeg(width: 16, height: 8, pixel: paint),
      TestPicture.png(width: 16, height: 8, pixel: paint),
      TestPicture.webp(width: 16, height: 8, pixel: paint),
      TestPicture.webp(width: 16, height: 8, extra: [TestPicture.riffChunk("JUNK", [])]) { _, _ in
        .red
      },
      TestPicture.gif(width: 16, height: 8) { _, x, y in paint(x, y) },
    ]
    for file in files {
      let clean = try sanitized(file)
      for tail in tails { #expect(try sanitized(file + tail) == clean) }
    }
    #expect(rejection(of: marker + files[0])?.reason == .unsupportedFormat)
    #expect(rejection(of: Data([0x1F, 0x8B, 8]) + files[1])?.reason == .unsupportedFormat)
  }

  @Test func `a JPEG keeps its profile and colour transform but not its metadata`() throws {
    let profile = TestPicture.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 9, 9, 9])
    let metadata = [
      TestPicture.exifSegment(orientation: 6),
      TestPicture.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + marker),
      TestPicture.segment(0xE2, Array("MPF\0".utf8) + marker),
      TestPicture.segment(0xED, Array("Photoshop 3.0\0".utf8) + marker),
      TestPicture.segment(0xFE, Array(marker)),
    ]
    for colors in TestPicture.JPEGColors.allCases {
      let full = TestPicture.jpeg(
        width: 16, height: 8, colors: colors, extra: metadata + [profile], pixel: paint)
      let clean = TestPicture.jpeg(
        width: 16, height: 8, colors: colors, extra: [profile], pixel: paint)
      #expect(try sanitized(full) == clean)
    }
  }

  @Test func `a PNG keeps the chunks that affect its colours`() throws {
    let colors = [
      TestPicture.chunk("gAMA", .big(45_455, width: 4)), TestPicture.chunk("sRGB", [0]),
      TestPicture.chunk("cHRM", [UInt8](repeating: 1, count: 32)),
      TestPicture.chunk("iCCP", Array("p\0\0".utf8) + Zlib.stored([1, 2, 3])),
    ]
    let metadata = [
      TestPicture.chunk("tEXt", Array("Comment\0".utf8) + marker),
      TestPicture.chunk("tIME", [7, 228, 1, 1, 0, 0, 0]), TestPicture.chunk("sBIT", [8, 8, 8, 8]),
      TestPicture.chunk("eXIf", TestPicture.exif(orientation: 6)),
      TestPicture.chunk("zzZz", Array(marker)),
    ]
    let full = TestPicture.png(
      width: 16, height: 8, before: metadata + colors, after: metadata, pixel: paint)
    let clean = TestPicture.png(width: 16, height: 8, before: colors, pixel: paint)
    #expect(try sanitized(full) == clean)
  }

  @Test func `a PNG colour chunk with a wrong checksum is dropped`() throws {
    var gamma = TestPicture.chunk("gAMA", .big(45_455, width: 4))
    gamma[gamma.count - 1] ^= 1
    let full = TestPicture.png(width: 16, height: 8, before: [gamma], pixel: paint)
    #expect(try sanitized(full) == TestPicture.png(width: 16, height: 8, pixel: paint))
  }

  @Test func `a WebP keeps its canvas and profile but not its metadata`() throws {
    let profile = TestPicture.riffChunk("ICCP", [1, 2, 3])
    let picture = Array(TestPicture.webp(width: 16, height: 8, pixel: paint).dropFirst(12))
    let full = TestPicture.riff([
      TestPicture.canvas(width: 16, height: 8, flags: 0x3C), profile, picture,
      TestPicture.riffChunk("EXIF", TestPicture.exif(orientation: 6)),
      TestPicture.riffChunk("XMP ", Array(marker)),
    ])
    let clean = TestPicture.riff([
      TestPicture.canvas(width: 16, height: 8, flags: 0x30), profile, picture,
    ])
    #expect(try Inspection(inspecting: full).orientation == 6)
    #expect(try sanitized(full) == clean)
    #expect(try sanitized(clean) == clean)
  }

  @Test func `an oversized profile is dropped`() throws {
    let webp = TestPicture.riff([
      TestPicture.canvas(width: 16, height: 8, flags: 0x20),
      TestPicture.riffChunk("ICCP", [UInt8](repeating: 0, count: 101)),
      Array(TestPicture.webp(width: 16, height: 8, pixel: paint).dropFirst(12)),
    ])
    let segment = TestPicture.segment(
      0xE2, Array("ICC_PROFILE\0".utf8) + [1, 2] + [UInt8](repeating: 0, count: 60))
    let jpeg = TestPicture.jpeg(width: 16, height: 8, extra: [segment, segment], pixel: paint)
    let chunk = TestPicture.chunk("iCCP", [UInt8](repeating: 0, count: 101))
    let png = TestPicture.png(width: 16, height: 8, before: [chunk], pixel: paint)
    var limits = InspectionLimits.standard
    limits.profileBytes = 100
    limits.compressedProfileBytes = 100
    for file in [webp, jpeg, png] {
      let inspection = try Inspection(inspecting: file)
      let rest = try inspection.sanitized(file, limits: limits)
      #expect(rest.count < file.count - 100)
      #expect(try Inspection(inspecting: rest) == inspection)
    }
  }
}
