/// Small files that are expensive to decode; most of them are valid.
package enum Bomb {
  /// Returns a JPEG with empty progressive scans; 1,000 scans are 15 KB and take libjpeg 16 s.
  package static func jpeg(scans: Int, width: Int = 7_000, height: Int = 7_000) -> Data {
    var file: [UInt8] = [0xFF, 0xD8]
    file += TestPicture.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    file += TestPicture.frameSegment(width: width, height: height, channels: 1, marker: 0xC2)
    file += TestPicture.segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
    for _ in 0..<scans {
      file += TestPicture.scanSegment(channels: [1], from: 1, through: 63) + [0]
    }
    return Data(file + [0xFF, 0xD9])
  }

  /// Returns a JPEG with a declared size and hardly any data.
  package static func jpeg(width: Int, height: Int) -> Data {
    let frame = TestPicture.frameSegment(width: width, height: height, channels: 3)
    let scan = TestPicture.scanSegment(channels: [1, 2, 3])
    return Data([0xFF, 0xD8] + frame + scan + [0x55, 0x55, 0xFF, 0xD9])
  }

  /// Returns a 1-bit PNG whose data would inflate to its declared size.
  package static func png(width: Int, height: Int) -> Data {
    let raw = ((width + 7) / 8 + 1) * height
    return TestPicture.png(
      width: width, height: height, kind: TestPicture.PNGKind(colorType: 0, depth: 1),
      chunks: [TestPicture.chunk("IDAT", Zlib.zeros(raw))])
  }

  /// Returns a PNG with compressed text or a profile that inflates to `count` bytes.
  package static func png(inflating count: Int, in type: String = "zTXt") -> Data {
    let payload = Array("Comment".utf8) + (type == "iTXt" ? [0, 1, 0, 0, 0] : [0, 0])
    return good(before: [TestPicture.chunk(type, payload + Zlib.zeros(count))])
  }

  package static func png(textChunks count: Int) -> Data {
    good(before: (0..<count).map { TestPicture.chunk("tEXt", Array("k\($0)\0v".utf8)) })
  }

  /// Returns a GIF with a one-pixel frame on a large screen.
  package static func gif(screen side: Int) -> Data {
    TestPicture.gif(width: 1, height: 1, screen: (side, side)) { _, _, _ in .red }
  }

  package static func gif(frames: Int, width: Int = 1, height: Int = 1) -> Data {
    TestPicture.gif(width: width, height: height, frames: frames) { frame, _, _ in
      TestPicture.Pixel(UInt8(frame % 5), 0, 0)
    }
  }

  /// Returns a WebP with a declared size and only a header.
  package static func webp(width: Int, height: Int) -> Data {
    let bits = width - 1 | (height - 1) << 14
    return TestPicture.riff([
      TestPicture.riffChunk("VP8L", [0x2F] + .little(bits, width: 4) + [0, 0, 0])
    ])
  }

  package static func avif(columns: Int, rows: Int) -> Data {
    TestPicture.heifStructure(width: 64 * columns, height: 64 * rows, tiles: (columns, rows))
  }

  private static func good(before chunks: [[UInt8]]) -> Data {
    TestPicture.png(width: 2, height: 2, before: chunks) { _, _ in .red }
  }
}
