import Lettering

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

  /// Lays a picture over this one; what is outside of this one is lost.
  private mutating func lay(_ upper: Raster, x: Int, y: Int) {
    let size = size
    let width = size.width
    var pixels = bytes.mutableSpan
    let source = upper.bytes.span
    for row in max(0, -y)..<max(0, -y, min(upper.size.height, size.height - y)) {
      for column in max(0, -x)..<max(0, -x, min(upper.size.width, width - x)) {
        let from = (row &* upper.size.width &+ column) &* 4
        let to = ((row &+ y) &* width &+ column &+ x) &* 4
        let color = Color(
          red: source[from], green: source[from &+ 1], blue: source[from &+ 2],
          alpha: source[from &+ 3])
        guard color.alpha > 0 else { continue }
        Paint(color).mix(
          into: &pixels, at: to, keeping: Int(pixels[to &+ 3]) &* (255 &- Int(color.alpha)),
          adding: Int(color.alpha) &* 255)
      }
    }
  }
}
