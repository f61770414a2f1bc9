extension TestPicture {
  /// Returns an uncompressed lossless WebP, in which every code has eight bits.
  ///
  /// An orientation, written as EXIF, or extra chunks make it an extended file.
  package static func webp(
    width: Int, height: Int, orientation: Int? = nil, extra: [[UInt8]] = [], pixel: Paint
  ) -> Data {
    let picture = riffChunk("VP8L", lossless(width: width, height: height, pixel: pixel))
    guard orientation != nil || !extra.isEmpty else { return riff([picture]) }
    let metadata = orientation.map { [riffChunk("EXIF", exif(orientation: $0))] } ?? []
    let header = canvas(width: width, height: height, flags: orientation == nil ? 16 : 24)
    return riff([header, picture] + metadata + extra)
  }

  /// Returns an animated WebP with frames that cover the whole canvas.
  package static func webp(
    width: Int, height: Int, frames: Int,
    pixel: (_ frame: Int, _ x: Int, _ y: Int) -> Pixel
  ) -> Data {
    var chunks = [canvas(width: width, height: height, flags: 18)]
    chunks.append(riffChunk("ANIM", [0, 0, 0, 0, 0, 0]))
    for frame in 0..<frames {
      let picture = lossless(width: width, height: height) { pixel(frame, $0, $1) }
      var payload: [UInt8] = [0, 0, 0, 0, 0, 0]
      for number in [width - 1, height - 1, 100] { payload.appendLittle(number, width: 3) }
      chunks.append(riffChunk("ANMF", payload + [0] + riffChunk("VP8L", picture)))
    }
    return riff(chunks)
  }

  /// Returns a lossy WebP with a valid structure but undecodable data.
  package static func lossyWebPStructure(width: Int, height: Int, dataBytes: Int) -> Data {
    var payload: [UInt8] = .little(0x10 | (dataBytes / 2) << 5, width: 3) + [0x9D, 0x01, 0x2A]
    payload.appendLittle(width, width: 2)
    payload.appendLittle(height, width: 2)
    return riff([riffChunk("VP8 ", payload + [UInt8](repeating: 0x55, count: dataBytes))])
  }

  package static func riff(_ chunks: [[UInt8]]) -> Data {
    let body = Array("WEBP".utf8) + chunks.joined()
    return Data(Array("RIFF".utf8) + .little(body.count, width: 4) + body)
  }

  package static func riffChunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    Array(type.utf8) + .little(payload.count, width: 4) + payload
      + (payload.count % 2 == 0 ? [] : [0])
  }

  /// Returns the VP8X chunk; flags: 2 animation, 4 XMP, 8 EXIF, 16 alpha, 32 profile.
  package static func canvas(width: Int, height: Int, flags: UInt8) -> [UInt8] {
    riffChunk(
      "VP8X",
      [flags, 0, 0, 0] + .little(width - 1, width: 3) + .little(height - 1, width: 3))
  }

  private static func lossless(width: Int, height: Int, pixel: Paint) -> [UInt8] {
    var bits = BitWriter(bytes: [0x2F])
    bits.write(width - 1, count: 14)
    bits.write(height - 1, count: 14)
    // The header: uses alpha, version 0, no transform, no colour cache, one code group.
    bits.write(1, count: 1)
    bits.write(0, count: 6)
    for symbols in [280, 256, 256, 256] {
      // Code lengths are also coded: 12 length codes follow, and only the codes for lengths 0 and 8
      // are used, with one bit each.
      bits.write(0, count: 1)
      bits.write(8, count: 4)
      for length in [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8] {
        bits.write(length == 0 || length == 8 ? 1 : 0, count: 3)
      }
      bits.write(0, count: 1)
      for symbol in 0..<symbols { bits.write(symbol < 256 ? 1 : 0, count: 1) }
    }
    // Distances use a simple code with 0 as the only symbol.
    bits.write(0b0001, count: 4)
    for y in 0..<height {
      for x in 0..<width {
        let color = pixel(x, y)
        // Codes start with their highest bit.
        for sample in [color.green, color.red, color.blue, color.alpha] {
          bits.write(Int(sample.bitReversed), count: 8)
        }
      }
    }
    return bits.bytes
  }
}

extension UInt8 {
  fileprivate var bitReversed: UInt8 {
    var value = self
    var result: UInt8 = 0
    for _ in 0..<8 {
      result = result << 1 | value & 1
      value >>= 1
    }
    return result
  }
}
