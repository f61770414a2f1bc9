extension Color {
  /// The contrast of two colours as WCAG defines it: 1 for equal ones, 21 for black and white.
  ///
  /// A translucent colour counts as it looks on the backdrop, and the backdrop as on the page.
  package func contrast(with backdrop: Color, on page: Color = .white) -> Double {
    let ground = backdrop.over(page)
    let first = over(ground).luminance
    let second = ground.luminance
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }

  /// The least contrast on a backdrop that something is painted over.
  package func contrast(with backdrop: Color, under overlay: Fill?, on page: Color) -> Double {
    guard let overlay else { return contrast(with: backdrop, on: page) }
    let ground = backdrop.over(page)
    // Between two colours a gradient may be darker than both.
    return stride(from: 0, through: 1, by: 1.0 / 32)
      .map { contrast(with: overlay.color(at: $0).over(ground)) }.min() ?? 1
  }

  /// The least contrast that WCAG asks of text of a usual size.
  package static let readableContrast = 4.5

  /// The nearest lightness of this colour on which words can be read; nil if there is none.
  ///
  /// Hue and alpha stay, and the chroma as far as sRGB has it. Nearest means the smallest move of
  /// OKLCH's lightness, up or down, in steps of 1/1024, which is about one byte of one channel.
  package func nearest(
    carrying words: Color, under overlay: Fill? = nil, on page: Color
  ) -> Color? {
    let start = OKLCH(self).lightness
    for step in 1...1024 {
      for move in [-Double(step) / 1024, Double(step) / 1024] {
        // Black and white are tried too.
        if abs(start + move - 0.5) >= 0.5 + 1.0 / 1024 { continue }
        let color = with(lightness: min(max(start + move, 0), 1), alpha: alpha)
        if words.contrast(with: color, under: overlay, on: page) >= Self.readableContrast {
          return color
        }
      }
    }
    return nil
  }

  /// Another lightness of OKLCH; a grey stays grey.
  private func with(lightness: Double, alpha: UInt8) -> Color {
    var moved = OKLCH(self)
    if isGray { moved.chroma = 0 }
    moved.lightness = lightness
    var color = Color(moved)
    color.alpha = alpha
    return color
  }

  /// Relative luminance, from 0 to 1.
  private var luminance: Double {
    (light * SIMD3(0.2126, 0.7152, 0.0722)).sum()
  }

  /// Dark enough that either white or this can be read on any ground.
  package static let nearBlack = Color(red: 5, green: 5, blue: 5)

  /// White if it can be read on this colour (a contrast of 4.5), else near-black.
  package var ink: Color {
    Color.white.contrast(with: self) >= Self.readableContrast ? .white : .nearBlack
  }

  /// From this difference (CIEDE2000) on, people see at once that two colours differ.
  package static let visibleDifference = 5.0

  /// Another lightness of this colour that differs visibly from it and from the page.
  ///
  /// Hue and alpha stay, and the chroma as far as sRGB has it; a grey stays grey. It tries, in this
  /// order: the step; longer ones, up to black or white; shorter ones; the other direction; more
  /// alpha.
  ///
  /// The first that can be seen is taken. The step is how far the lightness of OKLCH moves away from
  /// that of the page, which is white or black, or toward it if below 0; the difference is below 20.
  /// If no shade carries the words, it is the one without words.
  package func shade(
    by step: Double, awayFrom page: Color, differingBy difference: Double = visibleDifference,
    carrying words: Color? = nil, under overlay: Fill? = nil
  ) -> Color {
    let start = OKLCH(self).lightness
    let pageIsLight = OKLCH(page).lightness > 0.5
    let isUp = (step > 0) != pageIsLight
    let look = LabColor(over(page))
    let pageLook = LabColor(page)
    for alpha in stride(from: Int(alpha), to: 255, by: Self.alphaGrowth) + [255] {
      for isUp in [isUp, !isUp] {
        let room = isUp ? 1 - start : start
        for move in Self.moves(of: abs(step), room: room) {
          let shade = with(lightness: start + (isUp ? move : -move), alpha: UInt8(alpha))
          let shadeLook = LabColor(shade.over(page))
          if shadeLook.difference(from: look) >= difference,
            shadeLook.difference(from: pageLook) >= Self.visibleDifference,
            words.map({ $0.contrast(with: shade, under: overlay, on: page) }) ?? 21
              >= Self.readableContrast
          {
            return shade
          }
        }
      }
    }
    if words != nil { return self.shade(by: step, awayFrom: page, differingBy: difference) }
    // Never reached: some opaque colour between black and white always fits.
    return pageIsLight ? .black : .white
  }

  private static let growth = 0.01
  private static let alphaGrowth = 8

  /// The step, then longer ones up to the end, then shorter ones.
  private static func moves(of step: Double, room: Double) -> [Double] {
    let first = min(step, room)
    return stride(from: first, to: room, by: growth) + [room]
      + stride(from: first - growth, to: 0, by: -growth)
  }

  package var isGray: Bool { red == green && green == blue }
}
