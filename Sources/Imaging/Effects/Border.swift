/// A ring whose outer edge is the outline and whose inner edge is the outline inset by `width`.
package struct Border: Codable, Hashable, Sendable {
  package enum Mode: String, Codable, Hashable, Sendable, CaseIterable {
    /// Drawn over the picture, which shows through a translucent ring.
    case over
    /// The picture ends where the ring begins; nothing of it lies under the ring.
    case inset
  }

  /// Pixels, above 0 and at most half of the box's shorter side.
  package var width: Double
  package var color: Color
  package var mode: Mode

  package init(width: Double, color: Color, mode: Mode) {
    self.width = width
    self.color = color
    self.mode = mode
  }

  /// Draws the ring on a picture that is clipped to `outline`.
  ///
  /// With coverage c of the outline and i of the inner outline the ring covers exactly c − i of a
  /// pixel. The picture inside has alpha p, so that it came here with a = p·c. What stays of it:
  ///
  ///     over:   a·(c − α·(c − i)) / c      it shows through the ring
  ///     inset:  a·i / c                    it ends at the inner edge
  ///
  /// and the ring adds α·(c − i). For an opaque picture `over` sums up to c, and an opaque ring
  /// does in both modes: no fattened edge outside and no seam inside.
  func apply(to raster: inout Raster, outline: Mask, inner: Mask) {
    let paint = Paint(color)
    var pixels = raster.bytes.mutableSpan
    let outer = outline.coverage.span
    let inside = inner.coverage.span
    for index in outer.indices where outer[index] != inside[index] {
      let whole = Int(outer[index])
      let ring = whole &- Int(inside[index])
      guard ring > 0 else { continue }
      let pixel = index &* 4
      let alpha = Int(pixels[pixel &+ 3])
      let shown =
        switch mode {
        case .over: whole &* 255 &- ring &* paint.alpha
        case .inset: Int(inside[index]) &* 255
        }
      paint.mix(
        into: &pixels, at: pixel, keeping: alpha &* shown,
        adding: ring &* paint.alpha &* whole, scale: 255 &* whole)
    }
  }
}
