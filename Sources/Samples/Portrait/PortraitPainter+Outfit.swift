/// Clothes, and what stands behind.
extension PortraitPainter {
  /// Wider than any picture, since a landscape shows the board's sides too.
  private static let far = 6000.0

  private var torso: Path {
    var path = Path()
    path.move(398, 716)
    path.curve(Point(330, 756), Point(210, 772), to: Point(160, 850))
    path.curve(Point(120, 920), Point(104, 980), to: Point(92, 1080))
    path.line(92, Self.far)
    path.line(908, Self.far)
    path.line(908, 1080)
    path.curve(Point(896, 980), Point(880, 920), to: Point(840, 850))
    path.curve(Point(790, 772), Point(670, 756), to: Point(602, 716))
    path.curve(Point(570, 770), Point(430, 770), to: Point(398, 716))
    return path
  }

  mutating func paintOutfit() {
    let cloth = portrait.cloth
    let body = torso
    let inside = canvas.coverage(of: body)
    canvas.fill(
      body,
      .linear(from: Point(300, 720), cloth.lighter(0.08), to: Point(820, 1040), cloth.darker(0.16)))
    for side in [-1.0, 1.0] {
      canvas.fill(
        .brush(
          [
            Point(500 + side * 262, 900), Point(500 + side * 248, 960),
            Point(500 + side * 246, 1200),
          ], width: 9, taper: 0.3), cloth.darker(0.3).withAlpha(0.6), inside: inside)
    }
    switch portrait.outfit {
    case .crew: paintCollar(portrait.cloth.darker(0.22), depth: 0)
    case .stripes: paintStripes(inside: inside)
    case .vneck: paintVNeck(inside: inside)
    case .shirt: paintShirt()
    case .hoodie: paintHoodie(inside: inside)
    case .turtleneck: paintTurtleneck()
    case .jacket: paintJacket(inside: inside)
    case .dungarees: paintDungarees(inside: inside)
    }
  }

  private mutating func paintCollar(_ tint: Tint, depth: Double) {
    canvas.fill(
      .brush(
        [
          Point(392, 716), Point(430, 762 + depth), Point(500, 778 + depth),
          Point(570, 762 + depth), Point(608, 716),
        ], width: 24), tint)
  }

  private mutating func paintStripes(inside: Coverage) {
    var y = 798.0
    while y < 2600 {
      canvas.fill(
        .brush(
          [
            Point(60, y + 34), Point(300, y + 6), Point(500, y + 14), Point(700, y + 6),
            Point(940, y + 34),
          ], width: 30),
        portrait.accent, inside: inside)
      y += 84
    }
    paintCollar(portrait.accent.darker(0.05), depth: 0)
  }

  private mutating func paintVNeck(inside: Coverage) {
    canvas.fill(.polygon([Point(404, 712), Point(596, 712), Point(500, 880)]), skin)
    canvas.fill(
      .polygon([Point(420, 720), Point(580, 720), Point(500, 786)]), skinShade.withAlpha(0.5))
    for side in [-1.0, 1.0] {
      canvas.fill(
        .brush(
          [Point(500 + side * 106, 712), Point(500 + side * 56, 800), Point(500, 884)], width: 22),
        portrait.cloth.darker(0.24))
    }
  }

  private mutating func paintShirt() {
    let cloth = portrait.cloth
    canvas.fill(.polygon([Point(420, 722), Point(580, 722), Point(500, 830)]), skin)
    canvas.fill(
      .brush([Point(500, 826), Point(500, 1400)], width: 7), cloth.darker(0.3).withAlpha(0.7))
    for y in stride(from: 856.0, to: 2400, by: 96) {
      canvas.fill(.circle(518, y, 9), portrait.accent)
    }
    for side in [-1.0, 1.0] {
      canvas.fill(
        .blob([
          Point(500 + side * 108, 690), Point(500 + side * 128, 742), Point(500 + side * 84, 836),
          Point(500 + side * 6, 822), Point(500 + side * 62, 772),
        ]), cloth.lighter(0.22))
    }
  }

  private mutating func paintHoodie(inside: Coverage) {
    let cloth = portrait.cloth
    canvas.fill(
      .blob([
        Point(360, 700), Point(318, 760), Point(400, 838), Point(500, 862), Point(600, 838),
        Point(682, 760), Point(640, 700), Point(580, 776), Point(500, 796), Point(420, 776),
      ]), cloth.darker(0.2))
    for side in [-1.0, 1.0] {
      canvas.fill(
        .brush(
          [Point(500 + side * 56, 836), Point(500 + side * 62, 900), Point(500 + side * 54, 966)],
          width: 11),
        portrait.accent)
      canvas.fill(
        .roundedRectangle(500 + side * 54 - 9, 958, 18, 30, radius: 8), portrait.accent.darker(0.15)
      )
    }
  }

  private mutating func paintTurtleneck() {
    let cloth = portrait.cloth
    canvas.fill(.roundedRectangle(402, 648, 196, 128, radius: 40), cloth.darker(0.1))
    canvas.fill(.roundedRectangle(402, 648, 196, 54, radius: 26), cloth.lighter(0.06))
    for x in stride(from: 426.0, through: 574, by: 24.6) {
      canvas.fill(
        .brush([Point(x, 700), Point(x, 756)], width: 5), cloth.darker(0.3).withAlpha(0.5))
    }
  }

  private mutating func paintJacket(inside: Coverage) {
    let cloth = portrait.cloth
    canvas.fill(
      .polygon([Point(404, 716), Point(596, 716), Point(566, 1400), Point(434, 1400)]),
      portrait.accent, inside: inside)
    canvas.fill(.ellipse(500, 716, 92, 54), skin)
    canvas.fill(
      .brush(
        [Point(404, 722), Point(440, 762), Point(500, 774), Point(560, 762), Point(596, 722)],
        width: 14), portrait.accent.darker(0.14))
    for side in [-1.0, 1.0] {
      canvas.fill(
        .polygon([
          Point(500 + side * 104, 704), Point(500 + side * 190, 780), Point(500 + side * 150, 852),
          Point(500 + side * 176, 876), Point(500 + side * 62, 1130), Point(500 + side * 72, 800),
        ]), cloth.lighter(0.14))
    }
  }

  private mutating func paintDungarees(inside: Coverage) {
    let denim =
      portrait.accent.luma > 0.75
      ? portrait.accent.mixed(with: Tint(0x35507a), 0.75) : portrait.accent
    paintCollar(portrait.cloth.darker(0.2), depth: 0)
    canvas.fill(.roundedRectangle(322, 836, 356, 4000, radius: 30), denim, inside: inside)
    for side in [-1.0, 1.0] {
      canvas.fill(
        .brush(
          [
            Point(500 + side * 176, 752), Point(500 + side * 166, 800),
            Point(500 + side * 140, 868),
          ], width: 50),
        denim.lighter(0.06), inside: inside)
      canvas.fill(.circle(500 + side * 138, 868, 15), portrait.cloth.lighter(0.5))
    }
  }

  // MARK: - Behind

  mutating func paintBackdrop() {
    let everything = Path.polygon([
      Point(-Self.far, -Self.far), Point(Self.far, -Self.far), Point(Self.far, Self.far),
      Point(-Self.far, Self.far),
    ])
    canvas.fill(
      everything, .linear(from: Point(200, 0), portrait.sky, to: Point(800, 1000), portrait.ground))
    let light = Tint(0xffffff, alpha: 0.22)
    switch portrait.backdrop {
    case .plain:
      canvas.fill(
        .circle(400, 360, 620),
        .radial(
          center: Point(400, 360), radius: 620, Tint(0xffffff, alpha: 0.45),
          Tint(0xffffff, alpha: 0)))
    case .sun:
      canvas.fill(.circle(500, 470, 390), light)
    case .rings:
      for radius in [330.0, 450, 570, 690, 810, 930] {
        var ring = Path.circle(500, 470, radius + 22)
        ring.append(.circle(500, 470, radius - 22, isHole: true))
        canvas.fill(ring, Tint(0xffffff, alpha: 0.17))
      }
    case .hills:
      canvas.fill(.circle(770, 250, 110), Tint(0xffffff, alpha: 0.5))
      canvas.fill(.ellipse(120, 1080, 760, 460), portrait.ground.darker(0.1).withAlpha(0.65))
      canvas.fill(.ellipse(980, 1120, 800, 420), portrait.ground.darker(0.2).withAlpha(0.65))
    case .confetti:
      paintConfetti()
    }
  }

  private mutating func paintConfetti() {
    var lots = RandomStream(seed: portrait.seed, stream: 3)
    for _ in 0..<46 {
      let center = Point(lots.number(in: -400...1400), lots.number(in: -400...1300))
      let radius = lots.number(in: 10...34)
      canvas.fill(
        .circle(center.x, center.y, radius), Tint(0xffffff, alpha: lots.number(in: 0.12...0.4)))
    }
  }
}
