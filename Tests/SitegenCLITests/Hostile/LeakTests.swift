import TestSupport

struct LeakTests {
  private static let marker = "MARKER-4711-<script>alert(1)</script>"
  private static let bytes = Array(marker.utf8)
  private static let paint = TestPicture.gradient(width: 16, height: 16)

  private static let style = """
    {"name": "s", "size": 8, "scales": [1, 2], "background": "#fff", "formats": ["png", "webp", "jpeg"]}
    """

  /// I15: output images contain no EXIF, XMP, IPTC, profile, comment or text chunk from a source.
  ///
  /// I8: data before or after the picture is dropped.
  @Test func `output images contain only the picture, without metadata`() throws {
    var portfolio = Portfolio()
    let exif = Array("Exif\0\0".utf8) + TestPicture.exif(orientation: 1) + Self.bytes
    portfolio.add(
      "jpeg",
      TestPicture.jpeg(
        width: 16, height: 16,
        extra: [
          TestPicture.segment(0xE1, exif),
          TestPicture.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Self.bytes),
          TestPicture.segment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + Self.bytes),
          TestPicture.segment(0xED, Array("Photoshop 3.0\0".utf8) + Self.bytes),
          TestPicture.segment(0xFE, Self.bytes),
        ], pixel: Self.paint))
    portfolio.add(
      "png",
      TestPicture.png(
        width: 16, height: 16,
        before: [
          TestPicture.chunk("tEXt", Array("Comment\0".utf8) + Self.bytes),
          TestPicture.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + Self.bytes),
          TestPicture.chunk("eXIf", TestPicture.exif(orientation: 1) + Self.bytes),
          TestPicture.chunk("tIME", [7, 230, 1, 2, 3, 4, 5]),
          TestPicture.chunk("prIv", Self.bytes),
        ],
        after: [TestPicture.chunk("tEXt", Array("Software\0".utf8) + Self.bytes)],
        pixel: Self.paint))
    portfolio.add(
      "webp",
      TestPicture.webp(
        width: 16, height: 16, orientation: 1,
        extra: [
          TestPicture.riffChunk("XMP ", Self.bytes), TestPicture.riffChunk("ICCP", Self.bytes),
          TestPicture.riffChunk("JUNK", Self.bytes),
        ], pixel: Self.paint))
    for (name, picture) in [
      ("gif", TestPicture.gif(width: 16, height: 16) { _, x, y in Self.paint(x, y / 8) }),
      ("jpeg tail", TestPicture.jpeg(width: 16, height: 16, pixel: Self.paint)),
      ("png tail", TestPicture.png(width: 16, height: 16, pixel: Self.paint)),
      ("webp tail", TestPicture.webp(width: 16, height: 16, pixel: Self.paint)),
    ] {
      portfolio.add(name, picture + Self.bytes)
      portfolio.add("\(name) zip", picture + Array("PK\u{3}\u{4}".utf8) + Self.bytes)
    }
    let outcome = try portfolio.build(style: Self.style)
    #expect(outcome.run.status == 0, "\(outcome.run.err)")

    let images = outcome.tree.files.filter { $0.key.hasPrefix("assets/") }
    #expect(images.count >= 6)
    #expect(Set(images.keys.map { $0.suffix(4) }) == [".png", "webp", ".jpg"])
    for (path, bytes) in images { #expect(strange(in: bytes, path) == [], "\(path)") }
    let cache = portfolio.site.tree(".sitegen")
    for (path, bytes) in outcome.tree.files.merging(cache.files, uniquingKeysWith: { $1 }) {
      #expect(bytes.range(of: Data(Self.bytes.prefix(11))) == nil, "\(path)")
    }
  }

  /// Returns the chunks and segments of a file that are not part of the picture.
  private func strange(in file: Data, _ path: String) -> [String] {
    let bytes = [UInt8](file)
    switch path.suffix(4) {
    case ".png":
      return pngChunks(bytes).filter { !["IHDR", "PLTE", "tRNS", "IDAT", "IEND"].contains($0) }
    case "webp":
      return webpChunks(bytes).filter { !["VP8X", "VP8 ", "VP8L", "ALPH"].contains($0) }
    default:
      return jpegSegments(bytes)
        .filter { ![0xC0, 0xC2, 0xC4, 0xDA, 0xDB, 0xDD, 0xE0].contains($0) }
        .map { String($0, radix: 16) }
    }
  }

  private func pngChunks(_ bytes: [UInt8]) -> [String] {
    var names: [String] = []
    var place = 8
    while place + 8 <= bytes.count {
      names.append(String(decoding: bytes[place + 4..<place + 8], as: UTF8.self))
      place += 12 + bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    return names + (place == bytes.count ? [] : ["tail"])
  }

  private func webpChunks(_ bytes: [UInt8]) -> [String] {
    var names: [String] = []
    var place = 12
    while place + 8 <= bytes.count {
      names.append(String(decoding: bytes[place..<place + 4], as: UTF8.self))
      let size = bytes[place + 4..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      place += 8 + size + size % 2
    }
    return names + (place == bytes.count ? [] : ["tail"])
  }

  private func jpegSegments(_ bytes: [UInt8]) -> [UInt8] {
    var markers: [UInt8] = []
    var place = 2
    while place + 4 <= bytes.count, bytes[place] == 0xFF {
      markers.append(bytes[place + 1])
      // The rest of the file is image data.
      if bytes[place + 1] == 0xDA { break }
      place += 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
    }
    return markers
  }
}
