package import Recipes

extension Border {
  /// Creates the bands of a style's rings, or returns nil if they do not change the picture.
  ///
  /// Each ring begins where the previous one ends. Transparent rings take up space too.
  package init?(_ rings: [AvatarStyle.Ring], box: PixelSize, scale: Double) {
    let half = Double(box.shorterSide) / 2
    var inner: [Ring] = []
    var outer: [Ring] = []
    var depth = 0.0
    var reach = 0.0
    var cut = 0.0
    for ring in rings where ring.isDrawn {
      let width = ring.width.pixels(at: scale)
      let gap = ring.gap * scale
      let fill = (ring.fill ?? .solid(.invisible)).simplified
      if ring.mode == .outside {
        let band = Ring(from: -(reach + gap + width), to: -(reach + gap), fill: fill, isOver: false)
        reach += gap + width
        if !fill.isInvisible { outer.append(band) }
        continue
      }
      // Rounding to whole pixels may have made the box slightly too small for its rings.
      let band = Ring(
        from: min(depth, half), to: min(depth + width, half), fill: fill, isOver: true)
      if !fill.isInvisible, band.to > band.from { inner.append(band) }
      depth += width
      guard ring.mode == .inset else { continue }
      depth += gap
      cut = min(depth, half)
    }
    for index in inner.indices { inner[index].isOver = inner[index].from >= cut }
    self.init(rings: outer.reversed() + inner, cut: cut)
    hideCut()
    if self.rings.isEmpty && self.cut == 0 { return nil }
  }

  var reach: Double { max(0, -(rings.first?.from ?? 0)) }

  /// Extends the picture under an opaque ring, so that the ring hides the picture's edge.
  private mutating func hideCut() {
    for index in rings.indices.reversed()
    where !rings[index].isOver && rings[index].from >= 0 && rings[index].to == cut
      && rings[index].fill.isOpaque
    {
      rings[index].isOver = true
      cut = rings[index].from
    }
  }
}

extension Shadow {
  package func pixels(around border: Border?, box: PixelSize, scale: Double) -> Shadow? {
    let outset = outset * scale + (border?.reach ?? 0)
    guard color.alpha > 0, outset > -Double(box.shorterSide) / 2 else { return nil }
    let radius = radius * scale
    return Shadow(
      color: color, radius: radius < Shadow.smallestRadius ? 0 : radius, x: x * scale,
      y: y * scale, outset: outset)
  }

  /// The extent beyond the left, top, right and bottom edges; negative inside the box.
  var extents: SIMD4<Double> { outset + 3 * radius + SIMD4(-x, -y, x, y) }
}
