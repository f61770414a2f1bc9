extension Color {
  /// The contrast of two colours as WCAG defines it: 1 for equal ones, 21 for black and white.
  ///
  /// A translucent colour is taken as it looks on the other one, and that one as on white.
  package func contrast(with backdrop: Color) -> Double {
    let ground = backdrop.over(.white)
    let first = over(ground).luminance
    let second = ground.luminance
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }

  /// Relative luminance, from 0 to 1.
  private var luminance: Double {
    (light * SIMD3(0.2126, 0.7152, 0.0722)).sum()
  }

  /// As dark as text must be so that one of white and this can be read on any ground.
  package static let nearBlack = Color(red: 5, green: 5, blue: 5)

  /// White where it can be read on this colour (a contrast of 4.5), else near-black, which then can.
  package var ink: Color {
    Color.white.contrast(with: self) >= 4.5 ? .white : .nearBlack
  }
}
