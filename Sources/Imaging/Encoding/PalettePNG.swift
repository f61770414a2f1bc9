import Bytes
import Foundation
import Magick

/// A PNG of colour type 3: a palette, and an index of 1, 2, 4 or 8 bits for each pixel.
///
/// ImageMagick could write one, but only by its own quantiser, which counts, sorts and may change
/// the colours.
struct PalettePNG {
  private let palette: Palette
  private let size: PixelSize
  private let depth: Int

  init(_ palette: Palette, size: PixelSize) {
    self.palette = palette
    self.size = size
    depth =
      switch palette.colors.count {
      case ...2: 1
      case ...4: 2
      case ...16: 4
      default: 8
      }
  }

  func data() throws(MagickError) -> Data {
    let stream: [UInt8]
    do {
      stream = try Zlib.compressed(rows, as: .zlib)
    } catch {
      throw MagickError(call: "compress2", message: "memory allocation failed")
    }
    var file = Signature.png
    func write(_ type: FourCC, _ payload: [UInt8]) {
      let covered = type.bytes + payload
      file += BigEndian.bytes(payload.count) + covered
      file += BigEndian.bytes(CRC32.checksum(of: covered.span))
    }
    let sides = BigEndian.bytes(size.width) + BigEndian.bytes(size.height)
    write("IHDR", sides + [UInt8(depth), 3, 0, 0, 0])
    write(
      "PLTE",
      palette.colors.flatMap { color in
        [24, 16, 8].map { UInt8(truncatingIfNeeded: color >> $0) }
      })
    // What is not opaque comes first; of the others nothing need be said.
    let alphas = palette.colors.map { UInt8($0 & 255) }.prefix { $0 < 255 }
    if !alphas.isEmpty { write("tRNS", Array(alphas)) }
    write("IDAT", stream)
    write("IEND", [])
    return Data(file)
  }

  /// Each row behind a 0 for "unfiltered": indices say nothing about their neighbours' values.
  private var rows: [UInt8] {
    let rowBytes = (size.width * depth + 7) / 8
    var rows = [UInt8](repeating: 0, count: (rowBytes + 1) * size.height)
    var packed = rows.mutableSpan
    let indices = palette.indices.span
    var index = 0
    for y in 0..<size.height {
      var at = y &* (rowBytes &+ 1)
      // Bits that are left of a byte; the first pixel begins one.
      var free = 0
      for _ in 0..<size.width {
        if free == 0 {
          at &+= 1
          free = 8
        }
        free &-= depth
        packed[at] |= indices[index] &<< UInt8(free)
        index &+= 1
      }
    }
    return rows
  }
}
