extension Color {
  /// Returns the WCAG contrast ratio between this colour and a backdrop, from 1 to 21.
  ///
  /// Translucent colours are composited first: `backdrop` on `page`, then this colour on
  /// `backdrop`.
  package func contrast(with backdrop: Color, on page: Color = .white) -> Double {
    let ground = backdrop.over(page)
    let first = over(ground).luminance
    let second = ground.luminance
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }

  package func contrast(with backdrop: Color, under overlay: Fill?, on page: Color) -> Double {
    guard let overlay else { return contrast(with: backdrop, on: page) }
    let ground = backdrop.over(page)
    // Sample the gradient, because it can be darker between two colours than at either of them.
    return stride(from: 0, through: 1, by: 1.0 / 32)
      .map { contrast(with: overlay.color(at: $0).over(ground)) }.min() ?? 1
  }

  /// The minimum contrast ratio that WCAG requires for text of normal size.
  package static let readableContrast = 4.5

  /// Returns the closest lighter or darker shade on which text in the colour `words` is readable.
  ///
  /// Keeps the hue, the alpha, and as much chroma as the sRGB gamut allows. Searches in steps of
  /// 1/1024 of OKLCH lightness; a step changes about one channel by one level.
  package func nearest(
    carrying words: Color, under overlay: Fill? = nil, on page: Color
  ) -> Color? {
    let start = OKLCH(self).lightness
    for step in 1...1024 {
      for move in [-Double(step) / 1024, Double(step) / 1024] {
        if abs(start + move - 0.5) >= 0.5 + 1.0 / 1024 { continue }
        let color = with(lightness: min(max(start + move, 0), 1), alpha: alpha)
        if words.contrast(with: color, under: overlay, on: page) >= Self.readableContrast {
          return color
        }
      }
    }
    return nil
  }

  private func with(lightness: Double, alpha: UInt8) -> Color {
    var moved = OKLCH(self)
    if isGray { moved.chroma = 0 }
    moved.lightness = lightness
    var color = Color(moved)
    color.alpha = alpha
    return color
  }

  private var luminance: Double {
    (light * SIMD3(0.2126, 0.7152, 0.0722)).sum()
  }

  /// An almost black colour: on every background, either this colour or white is readable.
  package static let nearBlack = Color(red: 5, green: 5, blue: 5)

  package var ink: Color {
    Color.white.contrast(with: self) >= Self.readableContrast ? .white : .nearBlack
  }

  /// A CIEDE2000 colour difference that people notice at a glance.
  package static let visibleDifference = 5.0

  /// Returns a lighter or darker shade that differs visibly from this colour and from the page.
  ///
  /// Keeps the hue, and as much chroma as the sRGB gamut allows. Tries, in order: `step`, longer
  /// steps (up to black or white), shorter steps, steps in the other direction, and the same steps
  /// with more alpha.
  ///
  /// `step` is a change in OKLCH lightness. A positive step darkens on a light page and lightens on
  /// a dark one; a negative step does the opposite. `difference` must be below 20. The text
  /// colour `words` is ignored if it is unreadable on every shade.
  package func shade(
    by step: Double, awayFrom page: Color, differingBy difference: Double = visibleDifference,
    carrying words: Color? = nil, under overlay: Fill? = nil
  ) -> Color {
    let start = OKLCH(self).lightness
    let pageIsLight = OKLCH(page).lightness > 0.5
    let isUp = (step > 0) != pageIsLight
    let look = LabColor(over(page))
    let pageLook = LabColor(page)
    // With text, try only the given alpha and full opacity, because most other alphas would fail.
    let growth = words == nil ? Self.alphaGrowth : 256
    for alpha in stride(from: Int(alpha), to: 255, by: growth) + [255] {
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
    // Unreachable: some opaque shade between black and white always qualifies.
    return pageIsLight ? .black : .white
  }

  private static let growth = 0.01
  private static let alphaGrowth = 8

  private static func moves(of step: Double, room: Double) -> [Double] {
    let first = min(step, room)
    return stride(from: first, to: room, by: growth) + [room]
      + stride(from: first - growth, to: 0, by: -growth)
  }

  package var isGray: Bool { red == green && green == blue }
}
