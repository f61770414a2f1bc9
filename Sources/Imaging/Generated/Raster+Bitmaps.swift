import Lettering
import Recipes

extension Raster {
  /// Scales a glyph's picture to its place, which may begin anywhere in a pixel, and lays it on.
  mutating func lay(_ placed: PlacedBitmap) {
    guard placed.width > 0, placed.height > 0 else { return }
    let bitmap = placed.bitmap
    let columns = Int(placed.x.rounded(.down))..<Int((placed.x + placed.width).rounded(.up))
    let rows = Int(placed.y.rounded(.down))..<Int((placed.y + placed.height).rounded(.up))
    guard !columns.isEmpty, !rows.isEmpty else { return }
    let horizontal = Double(bitmap.width) / placed.width
    let vertical = Double(bitmap.height) / placed.height
    // Less than a pixel is left of a glyph that a hostile font makes this small beside another.
    guard max(horizontal, vertical) <= 256 else { return }
    // Transparent pixels around it: at its edges the filter shall find them, not more of the edge.
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
