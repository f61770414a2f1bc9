import Bytes
import Foundation
import Magick
import Recipes

struct PNGFile {
  private static let paletteType: UInt8 = 3
  /// The libdeflate level for pictures with a palette; higher levels take far longer.
  private static let paletteLevel = 9

  private var bytes = Signature.png

  /// Encodes pixels; passing a `level` selects libdeflate, which is slower but compresses better.
  static func data(
    of raster: Raster, as channels: FilteredRows.Channels, level: Int? = nil
  ) throws(MagickError) -> Data {
    let rows = FilteredRows(rgba: raster.bytes, width: raster.size.width, keeping: channels).bytes
    var file = PNGFile(raster.size, depth: 8, colorType: channels.rawValue)
    let data =
      if let level { try compressed(rows, level: level) } else { RunLengthDeflate.compressed(rows) }
    file.write("IDAT", data)
    return file.finished()
  }

  static func data(of palette: Palette, size: PixelSize) throws(MagickError) -> Data {
    let depth =
      switch palette.colors.count {
      case ...2: 1
      case ...4: 2
      case ...16: 4
      default: 8
      }
    var file = PNGFile(size, depth: depth, colorType: paletteType)
    file.write(
      "PLTE",
      palette.colors.flatMap { color in
        [24, 16, 8].map { UInt8(truncatingIfNeeded: color >> $0) }
      })
    // Translucent colours come first, so that opaque ones do not need a `tRNS` entry.
    let alphas = palette.colors.map { UInt8($0 & 255) }.prefix { $0 < 255 }
    if !alphas.isEmpty { file.write("tRNS", Array(alphas)) }
    let rows = palette.rows(size: size, depth: depth)
    file.write("IDAT", try compressed(rows, level: paletteLevel))
    return file.finished()
  }

  private init(_ size: PixelSize, depth: Int, colorType: UInt8) {
    let sides = BigEndian.bytes(size.width) + BigEndian.bytes(size.height)
    write("IHDR", sides + [UInt8(depth), colorType, 0, 0, 0])
  }

  private mutating func write(_ type: FourCC, _ payload: [UInt8]) {
    bytes += type.pngChunk(payload)
  }

  private consuming func finished() -> Data {
    write("IEND", [])
    return Data(bytes)
  }

  static func compressed(_ rows: [UInt8], level: Int) throws(MagickError) -> [UInt8] {
    do {
      return try Deflate.compressed(rows, level: level)
    } catch {
      throw MagickError(call: "libdeflate_alloc_compressor", message: "memory allocation failed")
    }
  }
}

extension FilteredRows.Channels {
  /// Selects the fewest channels that can represent the picture.
  init(of raster: Raster) {
    self =
      switch (raster.isGray, raster.isOpaque) {
      case (true, true): .gray
      case (false, true): .rgb
      case (true, false): .grayAlpha
      case (false, false): .rgba
      }
  }
}

extension Raster {
  fileprivate var isGray: Bool {
    let span = bytes.span
    for index in stride(from: 0, to: span.count, by: 4)
    where span[index] != span[index &+ 1] || span[index] != span[index &+ 2] {
      return false
    }
    return true
  }
}
