import Recipes

extension Decoration {
  /// Cuts the hole, if there is a gap, and draws into it; what lies off the canvas is lost.
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
      let badge = try resources.badge(digest, inspection, side: side)
      raster.lay(
        badge, x: Int((x - Double(side) / 2).rounded()), y: Int((y - Double(side) / 2).rounded()))
    }
  }
}

extension Raster {
  /// Calls with each pixel that a disc touches, and how much of it the disc covers.
  fileprivate mutating func withDisc(
    _ x: Double, _ y: Double, radius: Double,
    _ change: (_ pixels: inout MutableSpan<UInt8>, _ pixel: Int, _ coverage: Int) -> Void
  ) {
    guard radius > 0 else { return }
    let disc = Disc(x: x, y: y, radius: radius)
    let (columns, rows) = (disc.columns(of: size), disc.rows(of: size))
    let width = size.width
    var pixels = bytes.mutableSpan
    for row in rows {
      for column in columns {
        let coverage = Int(disc.coverage(column, row))
        if coverage > 0 { change(&pixels, (row &* width &+ column) &* 4, coverage) }
      }
    }
  }
}
