extension Color {
  /// The contrast of two colours as WCAG defines it: 1 for equal ones, 21 for black and white.
  ///
  /// A translucent colour is taken as it looks on the other one, and that one as on the page.
  package func contrast(with backdrop: Color, on page: Color = .white) -> Double {
    let ground = backdrop.over(page)
    let first = over(ground).luminance
    let second = ground.luminance
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }

  /// What WCAG asks of words of a usual size.
  package static let readableContrast = 4.5

  /// The nearest lightness of this colour on which words can be read; nil if there is none.
  ///
  /// Hue and alpha stay, and the chroma as far as sRGB has it. Nearest means the smallest move of
  /// OKLCH's lightness, up or down, in steps of 1/1024, which is about one byte of one channel.
  package func nearest(carrying words: Color, on page: Color) -> Color? {
    var start = OKLCH(self)
    if isGray { start.chroma = 0 }
    // Nothing carries words that neither black nor white does: not worth 2,048 looks.
    let ends = [OKLCH(lightness: 0, chroma: 0, hue: 0), OKLCH(lightness: 1, chroma: 0, hue: 0)]
    let canCarry = ends.contains { end in
      var color = Color(end)
      color.alpha = alpha
      return words.contrast(with: color, on: page) >= Self.readableContrast
    }
    guard canCarry else { return nil }
    for step in 1...1024 {
      for move in [-Double(step) / 1024, Double(step) / 1024] {
        var moved = start
        moved.lightness += move
        // The ends themselves are tried too.
        if abs(moved.lightness - 0.5) >= 0.5 + 1.0 / 1024 { continue }
        moved.lightness = min(max(moved.lightness, 0), 1)
        var color = Color(moved)
        color.alpha = alpha
        if words.contrast(with: color, on: page) >= Self.readableContrast { return color }
      }
    }
    return nil
  }

  /// Relative luminance, from 0 to 1.
  private var luminance: Double {
    (light * SIMD3(0.2126, 0.7152, 0.0722)).sum()
  }

  /// As dark as text must be so that one of white and this can be read on any ground.
  package static let nearBlack = Color(red: 5, green: 5, blue: 5)

  /// White where it can be read on this colour (a contrast of 4.5), else near-black, which then can.
  package var ink: Color {
    Color.white.contrast(with: self) >= Self.readableContrast ? .white : .nearBlack
  }
}
