extension TestPicture {
  /// A colour type and bit depth.
  package struct PNGKind: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    package let colorType: Int
    package let depth: Int

    package init(colorType: Int, depth: Int) { (self.colorType, self.depth) = (colorType, depth) }

    package static let gray = PNGKind(colorType: 0, depth: 8)
    package static let color = PNGKind(colorType: 2, depth: 8)
    package static let palette = PNGKind(colorType: 3, depth: 8)
    package static let colorWithAlpha = PNGKind(colorType: 6, depth: 8)

    /// All combinations that the standard allows.
    package static let allCases: [PNGKind] =
      [1, 2, 4, 8, 16].map { PNGKind(colorType: 0, depth: $0) }
      + [1, 2, 4, 8].map { PNGKind(colorType: 3, depth: $0) }
      + [2, 4, 6].flatMap { type in [8, 16].map { PNGKind(colorType: type, depth: $0) } }

    package var description: String { "type \(colorType), \(depth) bits" }
  }

  /// Returns a PNG with stored, uncompressed data.
  ///
  /// Palette entries are in order of appearance; if the palette is full, other colours become the
  /// last entry. `before` and `after` are whole chunks around the data.
  package static func png(
    width: Int, height: Int, kind: PNGKind = .colorWithAlpha, interlaced: Bool = false,
    before: [[UInt8]] = [], after: [[UInt8]] = [], dataChunk: Int = 65_536,
    pixel: Paint
  ) -> Data {
    var palette: [Pixel] = []
    var places: [Pixel: Int] = [:]
    func place(of color: Pixel) -> Int {
      if let known = places[color] { return known }
      guard palette.count < 1 << kind.depth else { return palette.count - 1 }
      palette.append(color)
      places[color] = palette.count - 1
      return palette.count - 1
    }

    // Without interlacing, the picture is a single pass.
    let passes =
      interlaced
      ? [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
      ] : [(0, 0, 1, 1)]
    var raw: [UInt8] = []
    for (left, top, stepX, stepY) in passes where left < width {
      for y in stride(from: top, to: height, by: stepY) {
        var row = RowWriter(depth: kind.depth)
        for x in stride(from: left, to: width, by: stepX) {
          let color = pixel(x, y)
          switch kind.colorType {
          case 0: row.write(color.luma)
          case 2: row.write(color.red, color.green, color.blue)
          case 3: row.write(index: place(of: color))
          case 4: row.write(color.luma, color.alpha)
          default: row.write(color.red, color.green, color.blue, color.alpha)
          }
        }
        raw.append(0)
        raw += row.bytes
      }
    }

    var colors: [[UInt8]] = []
    if kind.colorType == 3 {
      colors.append(chunk("PLTE", palette.flatMap { [$0.red, $0.green, $0.blue] }))
      if palette.contains(where: { $0.alpha < 255 }) {
        colors.append(chunk("tRNS", palette.map(\.alpha)))
      }
    }
    let data = Zlib.stored(raw)
    let pieces = stride(from: 0, to: data.count, by: dataChunk).map {
      chunk("IDAT", Array(data[$0..<min($0 + dataChunk, data.count)]))
    }
    return png(
      width: width, height: height, kind: kind, interlaced: interlaced,
      chunks: before + colors + pieces + after)
  }

  package static func png(
    width: Int, height: Int, kind: PNGKind = .colorWithAlpha, interlaced: Bool = false,
    chunks: [[UInt8]]
  ) -> Data {
    var header: [UInt8] = .big(width, width: 4) + .big(height, width: 4)
    header += [UInt8(kind.depth), UInt8(kind.colorType), 0, 0, interlaced ? 1 : 0]
    let all = [chunk("IHDR", header)] + chunks + [chunk("IEND", [])]
    return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + all.joined())
  }

  package static func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    let covered = Array(type.utf8) + payload
    return .big(payload.count, width: 4) + covered + .big(Zlib.crc32(covered), width: 4)
  }

  /// Returns an animated PNG with frames that cover the whole picture.
  package static func apng(
    width: Int, height: Int, frames: Int, pixel: (_ frame: Int, _ x: Int, _ y: Int) -> Pixel
  ) -> Data {
    var sequence = 0
    func control() -> [UInt8] {
      defer { sequence += 1 }
      let numbers = [sequence, width, height, 0, 0].flatMap { [UInt8].big($0, width: 4) }
      return chunk("fcTL", numbers + [0, 1, 0, 10, 0, 0])
    }
    var chunks = [chunk("acTL", .big(frames, width: 4) + .big(0, width: 4))]
    for frame in 0..<frames {
      chunks.append(control())
      var raw: [UInt8] = []
      for y in 0..<height {
        raw.append(0)
        for x in 0..<width {
          let color = pixel(frame, x, y)
          raw += [color.red, color.green, color.blue, color.alpha]
        }
      }
      let data = Zlib.stored(raw)
      if frame == 0 {
        chunks.append(chunk("IDAT", data))
      } else {
        chunks.append(chunk("fdAT", .big(sequence, width: 4) + data))
        sequence += 1
      }
    }
    return png(width: width, height: height, chunks: chunks)
  }
}

/// Packs samples from the highest bit down.
private struct RowWriter {
  let depth: Int
  private(set) var bytes: [UInt8] = []
  private var free = 0

  init(depth: Int) { self.depth = depth }

  mutating func write(_ samples: UInt8...) {
    for sample in samples {
      if depth == 16 {
        bytes += [sample, sample]
      } else {
        write(index: Int(sample) >> (8 - depth))
      }
    }
  }

  mutating func write(index: Int) {
    if free == 0 {
      bytes.append(0)
      free = 8
    }
    free -= depth
    bytes[bytes.count - 1] |= UInt8(index << free)
  }
}
