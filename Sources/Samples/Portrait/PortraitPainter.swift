import Recipes

/// Draws a portrait in flat colours on a board of 1000 by 1000 units.
///
/// Back to front: backdrop, back hair, shoulders, neck, ears, face, features, front hair.
struct PortraitPainter {
  let portrait: Portrait
  var canvas: Canvas

  /// The board is as large as the picture's shorter side and stands at its bottom, centred.
  init(_ portrait: Portrait, size: PixelSize, isTransparent: Bool) {
    self.portrait = portrait
    let unit = Double(size.shorterSide) / 1000
    let rise = size.height > size.width ? (Double(size.height) - Double(size.width)) * 0.45 : 0
    canvas = Canvas(
      size: size,
      placement: Placement.identity
        .moved(by: Point((Double(size.width) - 1000 * unit) / 2, rise))
        .scaled(by: unit, unit))
    if !isTransparent { paintBackdrop() }
    // Closer, so that the face is what one sees at the size of an avatar.
    let board = canvas.placement.moved(by: Point(-100, -72)).scaled(by: 1.2, 1.2)
    canvas.placement = board
    let tilted = board.turned(by: portrait.tilt, around: Point(500, 640)).moved(by: Point(0, 22))
    canvas.placement = tilted
    paintBackHair()
    canvas.placement = board
    paintNeck()
    paintOutfit()
    canvas.placement = tilted
    let face = paintHead()
    paintFeatures(inside: face)
    paintBeard(inside: face)
    paintMouth()
    paintFrontHair(inside: face)
    paintGlasses()
    canvas.placement = board
  }

  // MARK: - Skin

  var skin: Tint { portrait.skin }
  /// Warm shade, deeper on light skin so that it can be seen on both.
  var skinShade: Tint { skin.mixed(with: Tint(0x7a2618), 0.2) }
  var line: Tint { skin.mixed(with: Tint(0x2a0f14), 0.62) }
  var left: Double { 500 - portrait.faceWidth }
  var right: Double { 500 + portrait.faceWidth }
  static let crown = 232.0

  var facePath: Path {
    let (crown, temple, chin) = (Self.crown, 400.0, portrait.chin)
    let (wide, jaw) = (portrait.faceWidth, portrait.faceWidth * portrait.jaw)
    var path = Path()
    path.move(500, crown)
    path.curve(
      Point(500 + wide * 0.58, crown), Point(500 + wide, temple - 90), to: Point(500 + wide, temple)
    )
    path.curve(
      Point(500 + wide, temple + 100), Point(500 + jaw, chin), to: Point(500, chin))
    path.curve(
      Point(500 - jaw, chin), Point(500 - wide, temple + 100), to: Point(500 - wide, temple))
    path.curve(
      Point(500 - wide, temple - 90), Point(500 - wide * 0.58, crown), to: Point(500, crown))
    return path
  }

  mutating func paintNeck() {
    let wide = portrait.faceWidth * 0.5
    var neck = Path()
    neck.move(500 - wide, 480)
    neck.line(500 + wide, 480)
    neck.line(500 + wide, 680)
    neck.curve(Point(500 + wide, 740), Point(600 + wide, 750), to: Point(620 + wide, 800))
    neck.line(380 - wide, 800)
    neck.curve(Point(400 - wide, 750), Point(500 - wide, 740), to: Point(500 - wide, 680))
    neck.line(500 - wide, 480)
    canvas.fill(neck, skin)
    let inside = canvas.coverage(of: neck)
    canvas.shade(facePath, moved: Point(0, 46), skinShade.withAlpha(0.85), inside: inside)
  }

  mutating func paintHead() -> Coverage {
    let ears = [left - 4, right + 4]
    if portrait.hair != .scarf {
      for (x, inward) in zip(ears, [9.0, -9.0]) {
        canvas.fill(.ellipse(x, 428, 30, 42), skin)
        canvas.fill(.ellipse(x + inward * 0.2, 430, 16, 25), skinShade.withAlpha(0.75))
      }
    }
    let path = facePath
    canvas.fill(path, skin)
    let face = canvas.coverage(of: path)
    // Light falls from the upper left: the right side lies in a soft shade.
    let shade = skinShade.withAlpha(0)
    canvas.fill(
      path,
      .linear(
        from: Point(520, 380), shade, to: Point(right + 40, 480), skinShade.withAlpha(0.55)),
      inside: face)
    if portrait.hasEarrings {
      for x in ears {
        canvas.fill(.circle(x, 484, 13), portrait.accent.darker(0.05))
        canvas.fill(.circle(x - 3, 480, 5), Tint(0xffffff, alpha: 0.7))
      }
    }
    return face
  }
}
