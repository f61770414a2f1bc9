/// Eyes, brows, nose, cheeks, mouth, glasses.
extension PortraitPainter {
  private var eyeY: Double { 424 }
  private var eyeX: [Double] { [500 - portrait.faceWidth * 0.44, 500 + portrait.faceWidth * 0.44] }
  private var ink: Tint { Tint(0x2a1c22) }

  mutating func paintFeatures(inside face: Coverage) {
    paintCheeks(inside: face)
    paintEyes()
    paintBrows()
    paintNose()
  }

  private mutating func paintCheeks(inside face: Coverage) {
    let blush = skin.mixed(with: Tint(0xe8475a), 0.55)
    for x in [500 - portrait.faceWidth * 0.6, 500 + portrait.faceWidth * 0.6] {
      canvas.fill(
        .circle(x, 492, 62),
        .radial(
          center: Point(x, 492), radius: 62, blush.withAlpha(skin.luma < 0.45 ? 0.3 : 0.5),
          blush.withAlpha(0)),
        inside: face)
      guard portrait.hasFreckles else { continue }
      for (dx, dy) in [(-26.0, -6.0), (-8, 8), (12, -4), (28, 9), (2, -20)] {
        canvas.fill(.circle(x + dx, 484 + dy, 4.2), line.withAlpha(0.4))
      }
    }
  }

  private mutating func paintEyes() {
    guard portrait.glasses != .sun else { return }
    for x in eyeX {
      if portrait.eyesAreClosed {
        canvas.fill(
          .brush([Point(x - 26, eyeY), Point(x, eyeY + 15), Point(x + 26, eyeY)], width: 10),
          ink)
        continue
      }
      canvas.fill(.ellipse(x, eyeY, 30, 23), Tint(0xfffdf8))
      canvas.fill(.ellipse(x, eyeY - 1, 18, 21), ink)
      canvas.fill(.circle(x - 6, eyeY - 9, 6.5), Tint(0xffffff))
      canvas.fill(
        .brush(
          [Point(x - 33, eyeY - 6), Point(x, eyeY - 27), Point(x + 33, eyeY - 6)], width: 10,
          taper: 0.5), ink)
    }
  }

  private mutating func paintBrows() {
    let isCovered = portrait.hair == .scarf || portrait.hair == .beanie
    let hair = isCovered ? ink.mixed(with: skin, 0.2) : portrait.hairTint
    let tint = hair.luma > 0.6 ? hair.darker(0.35) : hair.darker(0.12)
    for (x, side) in zip(eyeX, [-1.0, 1.0]) {
      canvas.fill(
        .brush(
          [
            Point(x - side * 32, eyeY - 52), Point(x + side * 4, eyeY - 64),
            Point(x + side * 38, eyeY - 48),
          ], width: portrait.browWeight, taper: 0.55), tint)
    }
  }

  private mutating func paintNose() {
    canvas.fill(
      .brush(
        [Point(506, 446), Point(516, 484), Point(508, 500), Point(486, 498)], width: 9,
        taper: 0.6), skinShade.mixed(with: line, 0.25).withAlpha(0.85))
  }

  mutating func paintMouth() {
    let y = 540.0
    let lip =
      skin.luma < 0.42
      ? skin.darker(0.55).mixed(with: Tint(0x7a1020), 0.25)
      : skin.mixed(with: Tint(0x9c1f35), 0.55).darker(0.2)
    switch portrait.mouth {
    case .smile:
      canvas.fill(
        .brush([Point(450, y - 6), Point(500, y + 20), Point(550, y - 6)], width: 11, taper: 0.4),
        lip)
    case .smirk:
      canvas.fill(
        .brush([Point(462, y + 6), Point(506, y + 14), Point(548, y - 8)], width: 11, taper: 0.4),
        lip)
    case .calm:
      canvas.fill(
        .brush([Point(464, y + 2), Point(500, y + 10), Point(536, y + 2)], width: 12, taper: 0.5),
        lip)
    case .grin:
      var mouth = Path()
      mouth.move(446, y - 10)
      mouth.curve(Point(475, y + 2), Point(525, y + 2), to: Point(554, y - 10))
      mouth.curve(Point(548, y + 52), Point(452, y + 52), to: Point(446, y - 10))
      canvas.fill(mouth, Tint(0x6d1a2a))
      let inside = canvas.coverage(of: mouth)
      canvas.fill(.ellipse(500, y + 44, 34, 20), Tint(0xe2687a), inside: inside)
      canvas.fill(
        .roundedRectangle(440, y - 30, 120, 39, radius: 6), Tint(0xfffdf8), inside: inside)
    }
  }

  mutating func paintGlasses() {
    guard portrait.glasses != .none else { return }
    let frame = portrait.cloth.luma < 0.5 ? portrait.cloth.darker(0.35) : ink
    let isDark = portrait.glasses == .sun
    for x in eyeX {
      let outer = lens(x, grown: 0, isHole: false)
      let inner = lens(x, grown: -10, isHole: true)
      canvas.fill(
        outer,
        isDark
          ? .linear(
            from: Point(x, 380), Tint(0x23233a, alpha: 0.96), to: Point(x, 480),
            Tint(0x5a4a72, alpha: 0.9))
          : .flat(Tint(0xffffff, alpha: 0.16)))
      var rim = outer
      rim.append(inner)
      canvas.fill(rim, frame)
      canvas.fill(
        .brush([Point(x - 22, eyeY + 8), Point(x + 2, eyeY - 24)], width: 9),
        Tint(0xffffff, alpha: isDark ? 0.35 : 0.2))
    }
    let reach = isDark || portrait.glasses == .square ? 54.0 : 50.0
    canvas.fill(
      .brush(
        [
          Point(eyeX[0] + reach, eyeY - 6), Point(500, eyeY - 16), Point(eyeX[1] - reach, eyeY - 6),
        ],
        width: 10), frame)
    for (x, side) in zip(eyeX, [-1.0, 1.0]) {
      canvas.fill(
        .brush(
          [
            Point(x + side * reach, eyeY - 10),
            Point(500 + side * (portrait.faceWidth + 4), eyeY - 18),
          ], width: 10), frame)
    }
  }

  private func lens(_ x: Double, grown: Double, isHole: Bool) -> Path {
    switch portrait.glasses {
    case .square, .sun:
      .roundedRectangle(
        x - 56 - grown, eyeY - 42 - grown, 112 + grown * 2, 90 + grown * 2, radius: 26 + grown,
        isHole: isHole)
    case .round, .none:
      .circle(x, eyeY + 2, 52 + grown, isHole: isHole)
    }
  }

  mutating func paintBeard(inside face: Coverage) {
    guard portrait.beard != .none else { return }
    let tint = portrait.hairTint.darker(0.08)
    let chin = portrait.chin
    var moustache = Path()
    moustache.move(500, 508)
    moustache.curve(Point(530, 498), Point(560, 520), to: Point(572, 548))
    moustache.curve(Point(545, 536), Point(520, 538), to: Point(500, 530))
    moustache.curve(Point(480, 538), Point(455, 536), to: Point(428, 548))
    moustache.curve(Point(440, 520), Point(470, 498), to: Point(500, 508))
    if portrait.beard == .moustache {
      canvas.fill(moustache, tint)
      return
    }
    var beard = Path()
    beard.move(left - 30, 430)
    beard.line(left + 16, 430)
    beard.curve(Point(left + 24, 500), Point(425, 500), to: Point(500, 500))
    beard.curve(Point(575, 500), Point(right - 24, 500), to: Point(right - 16, 430))
    beard.line(right + 30, 430)
    beard.line(right + 30, chin + 60)
    beard.line(left - 30, chin + 60)
    guard portrait.beard == .full else {
      canvas.fill(beard, tint.withAlpha(0.2), inside: face)
      return
    }
    // The mouth stays free.
    beard.append(.ellipse(500, 548, 62, 30, isHole: true))
    let board = canvas.placement
    let longer = board.moved(by: Point(500, 430)).scaled(by: 1.03, 1.1).moved(by: Point(-500, -430))
    let path = facePath
    let outline = canvas.coverage(of: path, on: longer)
    canvas.fill(canvas.coverage(of: beard).clipped(to: outline), .flat(tint))
    canvas.fill(moustache, tint)
  }
}
