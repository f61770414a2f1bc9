import Recipes

extension Raster {
  /// Lays a picture over this one; what is outside of this one is lost.
  mutating func lay(_ upper: Raster, x: Int, y: Int) {
    let size = size
    var pixels = bytes.mutableSpan
    let source = upper.bytes.span
    for row in max(0, -y)..<max(0, -y, min(upper.size.height, size.height - y)) {
      for column in max(0, -x)..<max(0, -x, min(upper.size.width, size.width - x)) {
        let paint = Paint(source, at: (row &* upper.size.width &+ column) &* 4)
        guard paint.alpha > 0 else { continue }
        let to = ((row &+ y) &* size.width &+ column &+ x) &* 4
        paint.mix(
          into: &pixels, at: to, keeping: Int(pixels[to &+ 3]) &* (255 &- paint.alpha),
          adding: paint.alpha &* 255)
      }
    }
  }
}
