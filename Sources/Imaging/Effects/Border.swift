import Recipes

extension Border {
  /// Draws the rings on a picture that is clipped to the outline.
  ///
  /// The outline has coverage c, the cut i, each ring b, and the picture alpha p, so a pixel has a
  /// = p·c.
  ///
  ///     the picture keeps  a·(i − Σ α·b of the rings over it) / c
  ///     each ring adds     α·b
  ///
  /// The bands are disjoint, so adding them leaves no seams. A gradient spans the box and the
  /// outermost ring.
  func apply(to raster: inout Raster, on layout: CanvasLayout, masks: MaskCache) {
    let insets: [Double] = rings.flatMap { [$0.from, $0.to] } + [0, cut]
    let area = layout.area(outset: max(0, -(insets.min() ?? 0)))
    // Adjacent rings share an edge, whose mask takes many megabytes on a large canvas.
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
    // Works on a few rows at a time, since a wide ring can touch every pixel.
    let step = 32 * layout.canvas.width
    for start in stride(from: 0, to: outline.count, by: step) {
      let touched = (start..<min(start + step, outline.count)).filter {
        outermost[$0] != innermost[$0]
      }
      draw(bands, on: &raster, at: touched, outline: outline.span, within: within.span)
    }
  }

  private func draw(
    _ bands: [Band], on raster: inout Raster, at touched: [Int], outline: Span<UInt8>,
    within: Span<UInt8>
  ) {
    let width = raster.size.width
    // The visible part of the picture in each pixel, scaled by 255 × 255.
    var shown = touched.map { Int(within[$0]) &* 255 }
    for band in bands {
      guard let cover = band.covering else { continue }
      let covering = cover.span
      let inner = band.inner.span
      for (number, index) in touched.enumerated() where covering[index] > inner[index] {
        let paint = band.shade.paint(index % width, index / width)
        let hidden = (Int(covering[index]) &- Int(inner[index])) &* paint.alpha
        shown[number] = max(0, shown[number] &- hidden)
      }
    }
    // Coverage of the outline; 1 outside, to avoid a division by zero.
    var whole = shown
    var sums = [ColorSum](repeating: ColorSum(), count: touched.count)
    var pixels = raster.bytes.mutableSpan
    for (number, index) in touched.enumerated() {
      let picture = Paint(pixels.span, at: index &* 4)
      sums[number].add(picture, parts: picture.alpha &* shown[number])
      whole[number] = max(Int(outline[index]), 1)
    }
    for band in bands {
      let outer = band.outer.span
      let inner = band.inner.span
      for (number, index) in touched.enumerated() where outer[index] > inner[index] {
        let paint = band.shade.paint(index % width, index / width)
        let covered = Int(outer[index]) &- Int(inner[index])
        sums[number].add(paint, parts: covered &* paint.alpha &* whole[number])
      }
    }
    for (number, index) in touched.enumerated() {
      sums[number].blend(into: &pixels, at: index &* 4, scale: 255 &* whole[number])
    }
  }
}

/// A ring as coverage: `outer` minus `inner`.
private struct Band {
  let outer: [UInt8]
  let inner: [UInt8]
  /// Coverage where the part over the picture begins; nil if the ring is outside.
  let covering: [UInt8]?
  let shade: FillPainter
}
