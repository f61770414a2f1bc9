/// Hair over the skull: from one temple over the crown to the other, and back along a hairline.
struct HairCap {
  /// How far it stands off the crown.
  var volume: Double
  /// From the right temple to the left one.
  var hairline: [Point]
  /// How far down it hangs beside the face; 0 ends at the temples.
  var sideburn = 0.0
  /// How far it stands off the sides of the face.
  var spread = 12.0
  var shines = true

  /// Nil for hair of another build.
  ///
  /// - Parameters:
  ///   - hair: the cut.
  ///   - left: where the face begins.
  ///   - right: where the face ends.
  init?(_ hair: Portrait.Hair, left: Double, right: Double) {
    func temples(_ inset: Double, _ y: Double, _ between: [Point]) -> [Point] {
      [Point(right - inset, y)] + between + [Point(left + inset, y)]
    }
    switch hair {
    case .bald, .afro, .curls, .scarf, .beanie:
      return nil
    case .buzz:
      volume = 12
      hairline = temples(26, 330, [Point(560, 296), Point(500, 302), Point(440, 296)])
      shines = false
    case .crop:
      volume = 44
      hairline = temples(22, 352, [Point(600, 300), Point(500, 318), Point(430, 296)])
    case .quiff:
      volume = 40
      hairline = temples(18, 356, [Point(590, 290), Point(500, 296), Point(410, 290)])
      shines = false
    case .pixie:
      volume = 46
      hairline = temples(
        11, 400, [Point(622, 350), Point(560, 366), Point(500, 350), Point(430, 306)])
      sideburn = 470
    case .bob, .long:
      volume = 52
      hairline = temples(4, 430, [Point(606, 330), Point(520, 286), Point(430, 330)])
      sideburn = hair == .bob ? 590 : 620
      spread = 40
    case .wavy:
      volume = 58
      hairline = temples(
        6, 425, [Point(620, 330), Point(560, 290), Point(470, 304), Point(400, 346)])
      sideburn = 600
      spread = 44
    case .bun:
      volume = 34
      hairline = temples(6, 410, [Point(610, 310), Point(500, 280), Point(390, 310)])
    case .ponytail:
      volume = 40
      hairline = temples(
        6, 410, [Point(620, 330), Point(540, 350), Point(440, 320), Point(400, 290)])
    case .braids:
      volume = 38
      hairline = temples(4, 420, [Point(590, 316), Point(500, 262), Point(410, 316)])
    }
  }

  func path(top: Double, left: Double, right: Double) -> Path {
    let low = max(sideburn, hairline[0].y + 10)
    let wide = (right - left) / 2 + spread
    var path = Path()
    path.move(500 - wide, low)
    path.curve(
      Point(500 - wide - 10, 250), Point(500 - wide * 0.62, top), to: Point(500, top))
    path.curve(
      Point(500 + wide * 0.62, top), Point(500 + wide + 10, 250), to: Point(500 + wide, low))
    if sideburn > 0 {
      path.curve(
        Point(500 + wide - 20, low + 20), Point(right - 16, low), to: Point(right - 8, low - 60))
    }
    path.line(hairline[0].x, hairline[0].y)
    path.spline(Array(hairline.dropFirst()))
    if sideburn > 0 {
      path.line(left + 8, low - 60)
      path.curve(
        Point(left + 16, low), Point(500 - wide + 20, low + 20), to: Point(500 - wide, low))
    }
    return path
  }
}
