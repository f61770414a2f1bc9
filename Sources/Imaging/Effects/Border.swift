import Recipes

extension Border {
  /// Draws the rings on a picture that is clipped to the outline.
  ///
  /// With coverage c of the outline, i of the cut and b of each ring, and a = p·c the alpha of a
  /// picture that has alpha p inside:
  ///
  ///     of the picture stays  a·(i − Σ α·b of the rings over it) / c
  ///     each ring adds        α·b
  ///
  /// The bands are disjoint, so they are simply added up: that leaves no seam between two rings or a
  /// ring and the picture. A gradient spans the box and the outermost ring.
  func apply(to raster: inout Raster, on layout: CanvasLayout, masks: MaskCache) {
    let insets: [Double] = rings.flatMap { [$0.from, $0.to] } + [0, cut]
    let area = layout.area(outset: max(0, -(insets.min() ?? 0)))
    // Rings share their parallels, and on a large canvas each has many megabytes.
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
    // A few rows at a time, since a wide ring can touch every pixel.
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
    // How much of the picture stays, in 255 × 255 parts of each pixel.
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
    // Coverage of the outline; 1 outside, where no picture is.
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

/// A ring covers outer less inner.
private struct Band {
  let outer: [UInt8]
  let inner: [UInt8]
  /// Where the part over the picture begins; nil if there is none.
  let covering: [UInt8]?
  let shade: FillPainter
}
