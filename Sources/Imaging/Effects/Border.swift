import Recipes

extension Border {
  /// Draws the rings on a picture that is clipped to the outline.
  ///
  /// Let c, i and b be the coverage of the outline, the outline inset by `cut`, and a ring; p and α
  /// are the alpha of the picture and the ring. The picture's alpha p·c becomes p·(i − Σ α·b), where
  /// Σ is over the rings in front. Each ring adds α·b. Rings do not overlap, so no seams appear.
  func apply(to raster: inout Raster, on layout: CanvasLayout, masks: MaskCache) {
    if let known = masks.ringed(by: self, on: layout) { return draw(known, on: &raster) }
    let insets: [Double] = rings.flatMap { [$0.from, $0.to] } + [0, cut]
    let area = layout.area(outset: max(0, -(insets.min() ?? 0)))
    // Adjacent rings share the coverage of an edge, because a large mask takes many megabytes.
    var known: [Double: [UInt8]] = [:]
    func coverage(_ inset: Double) -> [UInt8] {
      if let coverage = known[inset] { return coverage }
      let coverage = masks.mask(layout, inset: inset).coverage
      known[inset] = coverage
      return coverage
    }
    let bands = rings.map { ring in
      Band(
        outer: coverage(ring.from), inner: coverage(ring.to),
        covering: ring.isOver && ring.to > cut ? coverage(max(ring.from, cut)) : nil,
        shade: FillPainter(ring.fill, over: area))
    }
    let (outermost, innermost) = (coverage(insets.min() ?? 0), coverage(insets.max() ?? 0))
    let (outline, within) = (coverage(0), coverage(cut))
    // Work on a few rows at a time to save memory: a wide ring can touch every pixel.
    let step = 32 * layout.canvas.width
    var all: [RingedPixel] = []
    for start in stride(from: 0, to: outline.count, by: step) {
      let touched = (start..<min(start + step, outline.count)).filter {
        outermost[$0] != innermost[$0]
      }
      let pixels = ringed(touched, bands, layout.canvas.width, outline.span, within: within.span)
      draw(pixels, on: &raster)
      if outline.count <= MaskCache.ringedLimit { all += pixels }
    }
    if outline.count <= MaskCache.ringedLimit { masks.keep(all, ringedBy: self, on: layout) }
  }

  private func draw(_ ringed: [RingedPixel], on raster: inout Raster) {
    var pixels = raster.bytes.mutableSpan
    for item in ringed {
      let picture = Paint(pixels.span, at: item.index &* 4)
      var sum = item.rings
      sum.add(picture, parts: picture.alpha &* item.shown)
      sum.blend(into: &pixels, at: item.index &* 4, scale: item.scale)
    }
  }

  private func ringed(
    _ touched: [Int], _ bands: [Band], _ width: Int, _ outline: Span<UInt8>, within: Span<UInt8>
  ) -> [RingedPixel] {
    touched.map { index in
      // The outline's coverage; at least 1, to avoid a division by zero.
      let whole = max(Int(outline[index]), 1)
      var pixel = RingedPixel(index: index, shown: Int(within[index]) &* 255, scale: 255 &* whole)
      for band in bands {
        let (outer, inner) = (Int(band.outer[index]), Int(band.inner[index]))
        let covering = band.covering.map { Int($0[index]) } ?? 0
        guard outer > inner || covering > inner else { continue }
        let paint = band.shade.paint(index % width, index / width)
        if covering > inner {
          pixel.shown = max(0, pixel.shown &- (covering &- inner) &* paint.alpha)
        }
        if outer > inner { pixel.rings.add(paint, parts: (outer &- inner) &* paint.alpha &* whole) }
      }
      return pixel
    }
  }
}

/// A ring with a coverage of `outer` minus `inner`.
private struct Band {
  let outer: [UInt8]
  let inner: [UInt8]
  /// The mask at the edge where the ring starts to overlap the picture; nil if they do not overlap.
  let covering: [UInt8]?
  let shade: FillPainter
}
