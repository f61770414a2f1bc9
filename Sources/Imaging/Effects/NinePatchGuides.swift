import Recipes

extension NinePatchGuides {
  /// Makes every pixel of the margin opaque black or fully transparent, as Android requires.
  func apply(to raster: inout Raster, on layout: CanvasLayout) {
    let canvas = layout.canvas
    let (right, bottom) = (canvas.width - 1, canvas.height - 1)
    precondition(
      layout.x == 1 && layout.y == 1 && right == layout.box.width + 1
        && bottom == layout.box.height + 1,
      "guides need a one-pixel margin on every side")
    for x in 0...right {
      raster.paint(x, 0, isBlack: stretched.contains(x - 1))
      raster.paint(x, bottom, isBlack: content.contains(x - 1))
    }
    for y in 1..<bottom {
      raster.paint(0, y, isBlack: stretched.contains(y - 1))
      raster.paint(right, y, isBlack: content.contains(y - 1))
    }
  }
}

extension Raster {
  fileprivate mutating func paint(_ x: Int, _ y: Int, isBlack: Bool) {
    let pixel = (y * size.width + x) * 4
    for channel in 0..<3 { bytes[pixel + channel] = 0 }
    bytes[pixel + 3] = isBlack ? 255 : 0
  }
}
