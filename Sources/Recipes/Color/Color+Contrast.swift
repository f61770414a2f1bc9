extension Color {
  /// Returns the WCAG contrast of two colours: 1 for identical colours, 21 for black and white.
  ///
  /// Translucent colours are composited first: this one on the backdrop, the backdrop on the page.
  package func contrast(with backdrop: Color, on page: Color = .white) -> Double {
    let ground = backdrop.over(page)
    let first = over(ground).luminance
    let second = ground.luminance
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }

  /// Returns the lowest contrast with any part of a backdrop under `overlay`.
  package func contrast(with backdrop: Color, under overlay: Fill?, on page: Color) -> Double {
    guard let overlay else { return contrast(with: backdrop, on: page) }
    let ground = backdrop.over(page)
    // A gradient can be darker between two colours than at either.
    return stride(from: 0, through: 1, by: 1.0 / 32)
      .map { contrast(with: overlay.color(at: $0).over(ground)) }.min() ?? 1
  }

  /// The WCAG minimum for text of normal size.
  package static let readableContrast = 4.5

  /// Returns this colour at the nearest lightness that makes text on it readable, or nil.
  ///
  /// It keeps hue and alpha, and as much chroma as the sRGB gamut allows. It moves OKLCH
  /// lightness up or down in steps of 1/1024, about one level of one channel.
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

  /// WCAG relative luminance, 0…1.
  private var luminance: Double {
    (light * SIMD3(0.2126, 0.7152, 0.0722)).sum()
  }

  /// Dark enough that either it or white is readable on any background.
  package static let nearBlack = Color(red: 5, green: 5, blue: 5)

  /// White if it is readable on this colour, else near-black.
  package var ink: Color {
    Color.white.contrast(with: self) >= Self.readableContrast ? .white : .nearBlack
  }

  /// The CIEDE2000 difference that people notice immediately.
  package static let visibleDifference = 5.0

  /// Returns a lighter or darker shade that differs visibly from this colour and from the page.
  ///
  /// It keeps hue and alpha, and as much chroma as the sRGB gamut allows. It returns the first
  /// visible shade in this order: the step; longer steps, up to black or white; shorter steps; the
  /// other direction; more alpha.
  ///
  /// `step` is the change in OKLCH lightness away from a white or black page; negative values go
  /// towards it. `difference` must be below 20. If no shade makes the text readable, the text is
  /// ignored.
  package func shade(
    by step: Double, awayFrom page: Color, differingBy difference: Double = visibleDifference,
    carrying words: Color? = nil, under overlay: Fill? = nil
  ) -> Color {
    let start = OKLCH(self).lightness
    let pageIsLight = OKLCH(page).lightness > 0.5
    let isUp = (step > 0) != pageIsLight
    let look = LabColor(over(page))
    let pageLook = LabColor(page)
    // With text, try only the given alpha and full opacity: most other shades would fail.
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
