import Recipes

extension Decoration {
  func apply(to raster: inout Raster, on layout: CanvasLayout, resources: RenderResources)
    throws(Rejection)
  {
    let x = Double(layout.x) + x
    let y = Double(layout.y) + y
    if gap > 0 {
      raster.withDisc(x, y, radius: diameter / 2 + gap) { pixels, pixel, coverage in
        let alpha = Int(pixels[pixel &+ 3])
        pixels[pixel &+ 3] = UInt8((alpha &* (255 &- coverage) &+ 127) / 255)
      }
    }
    switch content {
    case .dot(let color):
      let paint = Paint(color)
      raster.withDisc(x, y, radius: diameter / 2) { pixels, pixel, coverage in
        let added = coverage &* paint.alpha
        paint.mix(
          into: &pixels, at: pixel, keeping: Int(pixels[pixel &+ 3]) &* (255 &* 255 &- added),
          adding: added &* 255, scale: 255 &* 255)
      }
    case .picture(let digest, let inspection):
      let side = max(1, Int(diameter.rounded()))
      let box = PixelSize(width: side, height: side)
      let badge = try resources.badge(digest, inspection, box: box, fit: .contain)
      raster.lay(
        badge, x: Int((x - Double(side) / 2).rounded()), y: Int((y - Double(side) / 2).rounded()))
    }
  }
}

extension Raster {
  /// Calls `change` with the offset and coverage of each pixel touched by a disc.
  fileprivate mutating func withDisc(
    _ x: Double, _ y: Double, radius: Double,
    _ change: (_ pixels: inout MutableSpan<UInt8>, _ pixel: Int, _ coverage: Int) -> Void
  ) {
    guard radius > 0 else { return }
    let disc = Disc(x: x, y: y, radius: radius)
    let width = size.width
    let columns = Disc.touched(width, x, radius)
    let rows = Disc.touched(size.height, y, radius)
    var pixels = bytes.mutableSpan
    for row in rows {
      for column in columns {
        let coverage = Int(disc.coverage(column, row))
        if coverage > 0 { change(&pixels, (row &* width &+ column) &* 4, coverage) }
      }
    }
  }
}

/// A disc that computes coverage pixel by pixel, because it may be far larger than the canvas.
struct Disc {
  let x: Double
  let y: Double
  let radius: Double

  /// Returns the exact coverage of a pixel: the sum of the parts in each quadrant of the disc.
  func coverage(_ column: Int, _ row: Int) -> UInt8 {
    let (left, top) = (Double(column) - x, Double(row) - y)
    let (right, bottom) = (left + 1, top + 1)
    // Sum in pairs, so that mirrored pixels get identical results.
    let above = area(-right, -left, -bottom, -top) + area(left, right, -bottom, -top)
    let below = area(-right, -left, top, bottom) + area(left, right, top, bottom)
    return Mask.byte(above + below)
  }

  private func area(_ u0: Double, _ u1: Double, _ v0: Double, _ v1: Double) -> Double {
    guard u1 > 0, v1 > 0 else { return 0 }
    let (left, right) = (min(max(u0, 0), radius), min(u1, radius))
    let (low, high) = (min(max(v0, 0), radius), min(v1, radius))
    // Integrate along the axis on which the arc is flatter. On the other axis, asin would be too
    // imprecise near 1 if the radius is large.
    let cut =
      left + right < low + high
      ? Corner.cut(left, right, low, high, radius: radius)
      : Corner.cut(low, high, left, right, radius: radius)
    return (right - left) * (high - low) - cut
  }

  static func touched(_ count: Int, _ middle: Double, _ radius: Double) -> Range<Int> {
    // Clamp as Double, because a large radius would overflow Int.
    let first = min(max((middle - radius).rounded(.down), 0), Double(count))
    let end = min(max((middle + radius).rounded(.up), first), Double(count))
    return Int(first)..<Int(end)
  }
}
