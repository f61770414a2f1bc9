import CFreeType

package struct GlyphBitmap: Hashable, Sendable {
  package let width: Int
  package let height: Int
  package let bytes: [UInt8]
  /// The offset from the glyph's origin to the left edge, in bitmap pixels.
  let left: Int
  /// The offset from the baseline up to the top edge, in bitmap pixels.
  let top: Int

  var ink: InkBox {
    InkBox(
      left: Double(left), bottom: Double(top - height), right: Double(left + width),
      top: Double(top))
  }
}

/// A bitmap, its position from the top left corner, and its size, in pixels.
package struct PlacedBitmap: Hashable, Sendable {
  package let bitmap: GlyphBitmap
  package let x: Double
  package let y: Double
  package let width: Double
  package let height: Double
}

extension Typeface {
  private static let sideLimit = 1_024

  func readBitmap(of glyph: UInt32) throws(LetteringError) -> GlyphBitmap? {
    let slot = try unsafe load(glyph, sitegen_ft_colored())
    guard unsafe sitegen_ft_holds_colors(slot) != 0 else { return nil }
    let bitmap = unsafe slot.pointee.bitmap
    let width = Int(unsafe bitmap.width)
    let height = Int(unsafe bitmap.rows)
    let pitch = Int(unsafe bitmap.pitch)
    guard width <= Self.sideLimit, height <= Self.sideLimit, pitch >= width * 4 else {
      throw .unusable("its bitmap for glyph \(glyph) is too large")
    }
    guard width > 0, height > 0, let buffer = unsafe bitmap.buffer else { return nil }
    var bytes = [UInt8](repeating: 0, count: width * height * 4)
    for row in 0..<height {
      for column in 0..<width {
        // FreeType's rows contain `pitch` bytes of BGRA pixels with premultiplied alpha.
        let from = row * pitch + column * 4
        let alpha = Int(unsafe buffer[from + 3])
        guard alpha > 0 else { continue }
        let to = (row * width + column) * 4
        for channel in 0..<3 {
          let value = Int(unsafe buffer[from + 2 - channel])
          bytes[to + channel] = UInt8(min((value * 255 + alpha / 2) / alpha, 255))
        }
        bytes[to + 3] = UInt8(alpha)
      }
    }
    return GlyphBitmap(
      width: width, height: height, bytes: bytes, left: Int(unsafe slot.pointee.bitmap_left),
      top: Int(unsafe slot.pointee.bitmap_top))
  }

  func bitmaps(
    of run: Run, emPixels: Double, x: Double, y: Double
  ) throws(LetteringError) -> [PlacedBitmap] {
    guard let strikePixels else { return [] }
    let scale = emPixels / Double(unitsPerEm)
    let size = emPixels / strikePixels
    var placed: [PlacedBitmap] = []
    for glyph in run.glyphs {
      guard let bitmap = try bitmap(of: glyph.id) else { continue }
      placed.append(
        PlacedBitmap(
          bitmap: bitmap, x: x + Double(glyph.x) * scale + Double(bitmap.left) * size,
          y: y - Double(glyph.y) * scale - Double(bitmap.top) * size,
          width: Double(bitmap.width) * size, height: Double(bitmap.height) * size))
    }
    return placed
  }
}
