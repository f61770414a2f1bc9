extension Color {
  /// From here on nobody has to look twice to see that two colours differ (CIEDE2000).
  package static let visibleDifference = 5.0

  /// Another lightness of this colour, so far away that it looks different on the page and can be
  /// told from the page.
  ///
  /// Hue and alpha stay, and the chroma as far as sRGB has it; a grey stays grey. What is tried, in
  /// this order: the step; longer ones, up to black or white; shorter ones; all of that the other
  /// way; all of that with more alpha.
  ///
  /// - Parameters:
  ///   - step: How far the lightness of OKLCH moves away from that of the page, or toward it if
  ///     this is below 0.
  ///   - page: White or black.
  ///   - difference: How different it looks at least, below 20.
  /// - Returns: The first that can be seen.
  package func shade(
    by step: Double, awayFrom page: Color, differingBy difference: Double = visibleDifference
  ) -> Color {
    var start = OKLCH(self)
    if isGray { start.chroma = 0 }
    let pageIsLight = OKLCH(page).lightness > 0.5
    let isUp = (step > 0) != pageIsLight
    let look = LabColor(over(page))
    let pageLook = LabColor(page)
    for alpha in stride(from: Int(alpha), to: 255, by: Self.alphaGrowth) + [255] {
      for isUp in [isUp, !isUp] {
        let room = isUp ? 1 - start.lightness : start.lightness
        for move in Self.moves(of: abs(step), room: room) {
          var moved = start
          moved.lightness += isUp ? move : -move
          var shade = Color(moved)
          shade.alpha = UInt8(alpha)
          let shadeLook = LabColor(shade.over(page))
          if shadeLook.difference(from: look) >= difference,
            shadeLook.difference(from: pageLook) >= Self.visibleDifference
          {
            return shade
          }
        }
      }
    }
    // Never reached: without transparency one of black, white and what lies between them will do.
    return pageIsLight ? .black : .white
  }

  /// By how much the step and the alpha grow at a time.
  private static let growth = 0.01
  private static let alphaGrowth = 8

  /// The step, then longer ones up to the end, then shorter ones.
  private static func moves(of step: Double, room: Double) -> [Double] {
    let first = min(step, room)
    return stride(from: first, to: room, by: growth) + [room]
      + stride(from: first - growth, to: 0, by: -growth)
  }

  /// Whether it has no hue.
  package var isGray: Bool { red == green && green == blue }
}
