/// Rings along the outline, none of which overlaps another.
package struct Border: Codable, Hashable, Sendable {
  package enum Mode: String, Codable, Hashable, Sendable, CaseIterable {
    /// Drawn over the picture, which shows through a translucent ring.
    case over
    /// The picture ends where the ring, or the gap after it, begins.
    case inset
    /// Drawn around the picture, which keeps its size.
    case outside
  }

  /// The band between two parallels of the outline.
  package struct Ring: Codable, Hashable, Sendable {
    /// Pixels inwards from the outline to the outer edge; below 0 it lies outside.
    package var from: Double
    /// Likewise to the inner edge; more than `from`.
    package var to: Double
    package var fill: Fill
    /// Whether the picture lies under it.
    package var isOver: Bool

    package init(from: Double, to: Double, fill: Fill, isOver: Bool) {
      self.from = from
      self.to = to
      self.fill = fill
      self.isOver = isOver
    }
  }

  package var rings: [Ring]
  /// The parallel at which the picture ends, in pixels inwards; 0 is the outline itself.
  package var cut: Double

  package init(rings: [Ring], cut: Double = 0) {
    self.rings = rings
    self.cut = cut
  }

  /// One plain ring along the inside of the outline.
  package init(width: Double, color: Color, mode: Mode) {
    precondition(mode != .outside, "an outside ring needs margins")
    self.init(
      rings: [Ring(from: 0, to: width, fill: .solid(color), isOver: mode == .over)],
      cut: mode == .over ? 0 : width)
  }

  /// Draws the rings on a picture that is clipped to the outline.
  ///
  /// With coverage c of the outline, i of the cut and b of each ring, and a = p·c the alpha of a
  /// picture that has alpha p inside:
  ///
  ///     of the picture stays  a·(i − Σ α·b of the rings over it) / c
  ///     each ring adds        α·b
  ///
  /// The bands are disjoint and so are simply added up: no fattened edge outside, no seam between
  /// two rings, none between a ring and the picture.
  func apply(to raster: inout Raster, on stage: Stage, masks: inout MaskCache) {
    guard let ring = rings.first, case .solid(let color) = ring.fill else { return }
    let paint = Paint(color)
    let outline = masks.mask(stage.outline, size: stage.canvas)
    let inner = masks.mask(stage.outline, size: stage.canvas, inset: ring.to)
    var pixels = raster.bytes.mutableSpan
    let outer = outline.coverage.span
    let inside = inner.coverage.span
    for index in outer.indices where outer[index] != inside[index] {
      let whole = Int(outer[index])
      let band = whole &- Int(inside[index])
      guard band > 0 else { continue }
      let pixel = index &* 4
      let alpha = Int(pixels[pixel &+ 3])
      let shown = ring.isOver ? whole &* 255 &- band &* paint.alpha : Int(inside[index]) &* 255
      paint.mix(
        into: &pixels, at: pixel, keeping: alpha &* shown,
        adding: band &* paint.alpha &* whole, scale: 255 &* whole)
    }
  }
}
