extension Border {
  /// A ring between two of the parallels that `draw` is given, by index.
  private struct Band {
    let outer: Int
    let inner: Int
    /// Where the part of it begins under which the picture lies; `inner` if there is none.
    let under: Int
    let shade: Shade
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
  /// two rings, none between a ring and the picture. A gradient spans the box with what the
  /// outermost ring adds to it.
  func apply(to raster: inout Raster, on stage: Stage, masks: inout MaskCache) {
    var insets = [0, cut]
    for ring in rings { insets += [ring.from, ring.to, max(ring.from, min(cut, ring.to))] }
    insets = Set(insets).sorted()
    let parallels = insets.map { masks.mask(stage, inset: $0) }
    func index(_ inset: Double) -> Int { insets.firstIndex(of: inset) ?? 0 }
    let area = stage.area(outset: max(0, -(rings.map(\.from).min() ?? 0)))
    let bands = rings.map { ring in
      Band(
        outer: index(ring.from), inner: index(ring.to),
        under: ring.isOver ? index(max(ring.from, min(cut, ring.to))) : index(ring.to),
        shade: Shade(ring.fill, over: area))
    }
    Self.draw(bands, on: &raster, parallels: parallels, outline: index(0), cut: index(cut))
  }

  /// Looks at the pixels that lie between the outermost parallel and the innermost.
  private static func draw(
    _ bands: [Band], on raster: inout Raster, parallels: [Mask], outline: Int, cut: Int
  ) {
    let width = raster.size.width
    let height = raster.size.height
    let levels = parallels.map(\.coverage)
    let (outermost, innermost) = (levels[0], levels[levels.count - 1])
    let first = outermost.span
    let last = innermost.span
    var pixels = raster.bytes.mutableSpan
    for y in 0..<height {
      for x in 0..<width {
        let index = y &* width &+ x
        guard first[index] != last[index] else { continue }
        let whole = max(Int(levels[outline][index]), 1)
        var shown = Int(levels[cut][index]) &* 255
        for band in bands {
          let hiding = Int(levels[band.under][index]) &- Int(levels[band.inner][index])
          guard hiding > 0 else { continue }
          shown &-= hiding &* band.shade.paint(x, y).alpha
        }
        let pixel = index &* 4
        var mixture = Mixture(
          pixels, at: pixel, keeping: Int(pixels[pixel &+ 3]) &* max(shown, 0))
        for band in bands {
          let covered = Int(levels[band.outer][index]) &- Int(levels[band.inner][index])
          guard covered > 0 else { continue }
          let paint = band.shade.paint(x, y)
          mixture.add(paint, parts: covered &* paint.alpha &* whole)
        }
        mixture.pour(into: &pixels, at: pixel, scale: 255 &* whole)
      }
    }
  }
}
