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
    var known: [Double: Mask] = [:]
    func mask(_ inset: Double) -> Mask {
      if let mask = known[inset] { return mask }
      let mask = masks.mask(layout, inset: inset)
      known[inset] = mask
      return mask
    }
    let bands = rings.map { ring in
      Band(
        outer: mask(ring.from), inner: mask(ring.to),
        covering: ring.isOver && ring.to > cut ? mask(max(ring.from, cut)) : nil,
        shade: FillPainter(ring.fill, over: area))
    }
    let outermost = mask(insets.min() ?? 0)
    let innermost = mask(insets.max() ?? 0)
    let (outline, within) = (mask(0), mask(cut))
    // A few rows at a time, since a wide ring can touch every pixel.
    for start in stride(from: 0, to: layout.canvas.height, by: 32) {
      let rows = start..<min(start + 32, layout.canvas.height)
      var parts = Parts(rows, between: outermost, and: innermost, outline: outline, cut: within)
      for band in bands { parts.hide(under: band) }
      parts.mix(raster)
      for band in bands { parts.add(band) }
      parts.pour(into: &raster)
    }
  }
}

/// The area between two parallels.
private struct Band {
  let outer: Mask
  let inner: Mask
  /// Where the part over the picture begins; nil if there is none.
  let covering: Mask?
  let shade: FillPainter
}

/// The pixels of some rows that rings change; each step runs for all of them.
private struct Parts {
  private struct Part {
    let pixel: Int
    let x: Int
    let y: Int
    /// Coverage of the outline; 1 outside, where no picture is.
    let whole: Int
    /// How much of the picture stays, in 255 × 255 parts of the pixel.
    var shown: Int
    var mixture = Mixture()
  }

  private var parts: [Part] = []

  init(
    _ rows: Range<Int>, between outermost: Mask, and innermost: Mask, outline: Mask, cut: Mask
  ) {
    let first = outermost.coverage.span
    let last = innermost.coverage.span
    let whole = outline.coverage.span
    let shown = cut.coverage.span
    let width = outermost.size.width
    for y in rows {
      for x in 0..<width {
        let index = y &* width &+ x
        guard first[index] != last[index] else { continue }
        parts.append(
          Part(
            pixel: index, x: x, y: y, whole: max(Int(whole[index]), 1),
            shown: Int(shown[index]) &* 255))
      }
    }
  }

  mutating func hide(under band: Band) {
    guard let covering = band.covering else { return }
    let outer = covering.coverage.span
    let inner = band.inner.coverage.span
    var parts = parts.mutableSpan
    for index in parts.indices {
      let part = parts[index]
      let covered = Int(outer[part.pixel]) &- Int(inner[part.pixel])
      guard covered > 0 else { continue }
      let paint = band.shade.paint(part.x, part.y)
      parts[index].shown = max(0, part.shown &- covered &* paint.alpha)
    }
  }

  /// Begins with what stays of the picture.
  mutating func mix(_ raster: Raster) {
    let pixels = raster.bytes.span
    var parts = parts.mutableSpan
    for index in parts.indices {
      let at = parts[index].pixel &* 4
      parts[index].mixture.add(
        Paint(pixels, at: at), parts: Int(pixels[at &+ 3]) &* parts[index].shown)
    }
  }

  mutating func add(_ band: Band) {
    let outer = band.outer.coverage.span
    let inner = band.inner.coverage.span
    var parts = parts.mutableSpan
    for index in parts.indices {
      let part = parts[index]
      let covered = Int(outer[part.pixel]) &- Int(inner[part.pixel])
      guard covered > 0 else { continue }
      let paint = band.shade.paint(part.x, part.y)
      parts[index].mixture.add(paint, parts: covered &* paint.alpha &* part.whole)
    }
  }

  func pour(into raster: inout Raster) {
    var pixels = raster.bytes.mutableSpan
    for part in parts {
      part.mixture.pour(into: &pixels, at: part.pixel &* 4, scale: 255 &* part.whole)
    }
  }
}
