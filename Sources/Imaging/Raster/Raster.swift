import Foundation
import Lettering
import Recipes

/// Rows of RGBA pixels with straight alpha and 8 bits per channel.
struct Raster: Hashable, Sendable {
  let size: PixelSize
  var bytes: [UInt8]

  init(size: PixelSize, bytes: [UInt8]) {
    precondition(bytes.count == size.width * size.height * 4, "expected four bytes per pixel")
    self.size = size
    self.bytes = bytes
  }

  init(size: PixelSize, filledWith color: Color) {
    self.size = size
    let pixel = [color.red, color.green, color.blue, color.alpha]
    bytes = [UInt8](repeating: 0, count: size.width * size.height * 4)
    for index in bytes.indices {
      bytes[index] = pixel[index & 3]
    }
  }

  func placed(in box: PixelSize, x: Int, y: Int) -> Raster {
    guard size != box else { return self }
    var result = [UInt8](repeating: 0, count: box.width * box.height * 4)
    for row in 0..<size.height {
      let from = row * size.width * 4
      let to = ((row + y) * box.width + x) * 4
      result.replaceSubrange(to..<to + size.width * 4, with: bytes[from..<from + size.width * 4])
    }
    return Raster(size: box, bytes: result)
  }

  func rgba(columns: Range<Int>, rows: Range<Int>) -> [UInt8] {
    let stride = size.width * 4
    guard columns != 0..<size.width else {
      return Array(bytes[rows.lowerBound * stride..<rows.upperBound * stride])
    }
    var part: [UInt8] = []
    part.reserveCapacity(columns.count * rows.count * 4)
    for row in rows {
      let start = row * stride
      part += bytes[start + columns.lowerBound * 4..<start + columns.upperBound * 4]
    }
    return part
  }

  var isOpaque: Bool {
    let span = bytes.span
    for index in stride(from: 3, to: span.count, by: 4) where span[index] != 255 {
      return false
    }
    return true
  }

  /// Clears the colour of invisible pixels to shrink files and hide cropped content.
  mutating func forgetInvisibleColors() {
    var span = bytes.mutableSpan
    for index in stride(from: 0, to: span.count, by: 4) where span[index &+ 3] == 0 {
      for channel in 0..<3 { span[index &+ channel] = 0 }
    }
  }

  func fitted(_ window: Window, to size: PixelSize) -> Raster {
    if size == self.size, window == size.window { return self }
    var resampler = Resampler(window: window, of: self.size, to: size)
    let (columns, rows) = (resampler.columnRange, resampler.rowRange)
    for start in stride(from: rows.lowerBound, to: rows.upperBound, by: Resampler.band) {
      let band = start..<min(start + Resampler.band, rows.upperBound)
      resampler.add(rgba(columns: columns, rows: band).span)
    }
    return resampler.finish()
  }

  /// Composites `upper` over this picture, clipped to this picture's size.
  mutating func lay(_ upper: Raster, x: Int, y: Int) {
    let size = size
    var pixels = bytes.mutableSpan
    let source = upper.bytes.span
    for row in max(0, -y)..<max(0, -y, min(upper.size.height, size.height - y)) {
      for column in max(0, -x)..<max(0, -x, min(upper.size.width, size.width - x)) {
        let from = (row &* upper.size.width &+ column) &* 4
        let to = ((row &+ y) &* size.width &+ column &+ x) &* 4
        let (above, below) = (Int(source[from &+ 3]), Int(pixels[to &+ 3]))
        if above == 255 || below == 0 {
          for channel in 0..<4 { pixels[to &+ channel] = source[from &+ channel] }
        } else if above > 0 {
          Paint(source, at: from).mix(
            into: &pixels, at: to, keeping: below &* (255 &- above), adding: above &* 255)
        }
      }
    }
  }

  /// Scales a bitmap glyph and composites it, possibly at a fractional position.
  mutating func lay(_ placed: PlacedBitmap) {
    guard placed.width > 0, placed.height > 0 else { return }
    let bitmap = placed.bitmap
    let columns = Int(placed.x.rounded(.down))..<Int((placed.x + placed.width).rounded(.up))
    let rows = Int(placed.y.rounded(.down))..<Int((placed.y + placed.height).rounded(.up))
    guard !columns.isEmpty, !rows.isEmpty else { return }
    let horizontal = Double(bitmap.width) / placed.width
    let vertical = Double(bitmap.height) / placed.height
    // A hostile font can shrink a glyph to less than a pixel.
    guard max(horizontal, vertical) <= 256 else { return }
    // Add a transparent border, because the filter repeats edge pixels.
    let edge = Int(max(horizontal, vertical).rounded(.up)) * 4 + 4
    let padded = PixelSize(width: bitmap.width + 2 * edge, height: bitmap.height + 2 * edge)
    let source = Raster(
      size: PixelSize(width: bitmap.width, height: bitmap.height), bytes: bitmap.bytes
    ).placed(in: padded, x: edge, y: edge)
    let window = Window(
      x: (Double(columns.lowerBound) - placed.x) * horizontal + Double(edge),
      y: (Double(rows.lowerBound) - placed.y) * vertical + Double(edge),
      width: Double(columns.count) * horizontal, height: Double(rows.count) * vertical)
    let target = PixelSize(width: columns.count, height: rows.count)
    lay(source.fitted(window, to: target), x: columns.lowerBound, y: rows.lowerBound)
  }
}
