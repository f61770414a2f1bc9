import Foundation

/// What grows on the head.
extension PortraitPainter {
  private var tint: Tint { portrait.hairTint }
  private var deep: Tint { tint.darker(tint.luma > 0.25 ? 0.22 : 0.35) }
  private var shine: Tint { tint.lighter(tint.luma > 0.5 ? 0.4 : 0.22) }

  mutating func paintBackHair() {
    switch portrait.hair {
    case .crop, .buzz, .bald, .quiff, .pixie, .beanie:
      break
    case .bob:
      canvas.fill(curtain(width: 74, bottom: 640, flare: 14), deep)
    case .long:
      canvas.fill(curtain(width: 66, bottom: 880, flare: 40), deep)
    case .wavy:
      canvas.fill(waves(bottom: 840), deep)
    case .afro:
      canvas.fill(fluff(center: Point(500, 360), radius: 228, bumps: 22, depth: 18), tint)
    case .curls:
      canvas.fill(fluff(center: Point(500, 380), radius: 200, bumps: 15, depth: 27), deep)
    case .bun:
      canvas.fill(.circle(500, 170, 78), tint)
      canvas.fill(
        .brush([Point(452, 150), Point(486, 118), Point(530, 120)], width: 12, taper: 0.8),
        shine.withAlpha(0.7))
      canvas.fill(curtain(width: 22, bottom: 520, flare: -10), deep)
    case .ponytail:
      canvas.fill(
        .blob([
          Point(600, 240), Point(720, 250), Point(770, 400), Point(742, 600), Point(776, 720),
          Point(690, 690), Point(662, 520), Point(640, 380),
        ]), deep)
      canvas.fill(.ellipse(640, 262, 34, 40), portrait.accent)
    case .braids:
      canvas.fill(curtain(width: 24, bottom: 520, flare: 0), deep)
    case .scarf:
      canvas.fill(
        .blob([
          Point(500, 168), Point(690, 280), Point(716, 480), Point(690, 660), Point(800, 800),
          Point(500, 900), Point(200, 800), Point(310, 660), Point(284, 480), Point(310, 280),
        ]), portrait.accent.darker(0.22))
    }
  }

  mutating func paintFrontHair(inside face: Coverage) {
    if let cap = HairCap(portrait.hair, left: left, right: right) {
      paintCap(cap, inside: face)
    }
    switch portrait.hair {
    case .crop, .buzz, .bob, .long, .wavy, .bun, .ponytail, .pixie:
      break
    case .bald:
      canvas.fill(
        .brush([Point(420, 282), Point(458, 256), Point(506, 250)], width: 20, taper: 0.8),
        Tint(0xffffff, alpha: 0.28))
    case .quiff:
      paintQuiff()
    case .afro:
      paintAfroFront(inside: face)
    case .curls:
      paintCurls(inside: face)
    case .braids:
      for side in [-1.0, 1.0] { paintBraid(side: side) }
    case .scarf:
      paintScarf()
    case .beanie:
      paintBeanie()
    }
  }

  private mutating func paintCap(_ cap: HairCap, inside face: Coverage) {
    let top = Self.crown - cap.volume
    let path = cap.path(top: top, left: left, right: right)
    let tint = portrait.hair == .buzz ? self.tint.withAlpha(0.92) : self.tint
    // The hair's shadow on the forehead.
    canvas.shade(path, moved: Point(4, 16), skinShade.withAlpha(0.6), inside: face)
    canvas.fill(
      path, .linear(from: Point(400, top), tint, to: Point(640, 470), deep.mixed(with: tint, 0.45)))
    guard cap.shines else { return }
    canvas.fill(
      .brush(
        [Point(392, top + 74), Point(440, top + 36), Point(516, top + 24)], width: 20,
        taper: 0.85), shine.withAlpha(0.55), inside: canvas.coverage(of: path))
  }

  private mutating func paintQuiff() {
    canvas.fill(
      .blob([
        Point(392, 300), Point(372, 226), Point(420, 158), Point(520, 138), Point(626, 160),
        Point(650, 226), Point(606, 296), Point(500, 282),
      ]), tint)
    canvas.fill(
      .brush([Point(424, 240), Point(470, 190), Point(560, 180)], width: 20, taper: 0.9),
      shine.withAlpha(0.6))
    canvas.fill(
      .brush([Point(450, 268), Point(500, 226), Point(590, 214)], width: 12, taper: 0.9),
      deep.withAlpha(0.5))
  }

  /// Hair that hangs behind the shoulders.
  private func curtain(width: Double, bottom: Double, flare: Double) -> Path {
    let wide = portrait.faceWidth + width
    var path = Path()
    path.move(500, Self.crown - 50)
    path.curve(
      Point(500 + wide * 0.7, Self.crown - 50), Point(500 + wide, 290), to: Point(500 + wide, 420))
    path.curve(
      Point(500 + wide, 520), Point(500 + wide + flare, bottom - 90),
      to: Point(500 + wide + flare - 10, bottom - 30))
    path.curve(
      Point(500 + wide + flare - 20, bottom + 14), Point(500 - wide - flare + 20, bottom + 14),
      to: Point(500 - wide - flare + 10, bottom - 30))
    path.curve(
      Point(500 - wide - flare, bottom - 90), Point(500 - wide, 520), to: Point(500 - wide, 420))
    path.curve(
      Point(500 - wide, 290), Point(500 - wide * 0.7, Self.crown - 50),
      to: Point(500, Self.crown - 50))
    return path
  }

  private func waves(bottom: Double) -> Path {
    let wide = portrait.faceWidth + 62
    var points = [Point(500, Self.crown - 56), Point(500 + wide * 0.8, 260)]
    let steps = 6
    for step in 0...steps {
      let y = 360 + (bottom - 360) * Double(step) / Double(steps)
      points.append(Point(500 + wide + (step % 2 == 0 ? 22 : -4) + Double(step) * 4, y))
    }
    points.append(Point(500, bottom + 10))
    let mirrored = points.dropFirst().dropLast().reversed().map { Point(1000 - $0.x, $0.y) }
    return .blob(points + mirrored)
  }

  /// A round cloud with a bumpy edge.
  func fluff(center: Point, radius: Double, bumps: Int, depth: Double) -> Path {
    var path = Path.circle(center.x, center.y, radius)
    for index in 0..<bumps {
      let angle = (Double(index) + 0.5) / Double(bumps) * 2 * .pi - .pi / 2
      let bump = center + Point(cos(angle), sin(angle)) * (radius - depth * 0.6)
      path.append(.circle(bump.x, bump.y, depth * 2))
    }
    return path
  }

  private mutating func paintAfroFront(inside face: Coverage) {
    let hairline = Path.blob([
      Point(left - 40, 380), Point(330, 230), Point(500, 180), Point(670, 230),
      Point(right + 40, 380), Point(right - 4, 380), Point(600, 310), Point(500, 298),
      Point(400, 310), Point(left + 4, 380),
    ])
    canvas.shade(hairline, moved: Point(2, 16), skinShade.withAlpha(0.6), inside: face)
    canvas.fill(hairline, tint)
    let glow = Point(420, 220)
    canvas.fill(
      .circle(glow.x, glow.y, 190),
      .radial(center: glow, radius: 190, shine.withAlpha(0.4), shine.withAlpha(0)),
      inside: canvas.coverage(of: hairline))
  }

  private mutating func paintCurls(inside face: Coverage) {
    var lots = RandomStream(seed: portrait.seed, stream: 7)
    var curls: [(Point, Double)] = []
    for index in 0..<13 {
      let angle = -Double.pi * (0.02 + 0.96 * Double(index) / 12)
      let reach = portrait.faceWidth + 8
      curls.append(
        (
          Point(500 + cos(angle) * reach, 372 + sin(angle) * reach * 0.98),
          lots.number(in: 46...58)
        ))
    }
    for index in 0..<6 {
      curls.append(
        (Point(400 + Double(index) * 40, 268 + lots.number(in: -8...14)), lots.number(in: 44...54)))
    }
    for (center, radius) in curls {
      canvas.fill(
        .circle(center.x + 2, center.y + 14, radius), skinShade.withAlpha(0.5), inside: face)
    }
    for (center, radius) in curls {
      canvas.fill(.circle(center.x, center.y, radius), tint)
    }
    for (center, radius) in curls {
      canvas.fill(
        .brush(
          [
            center + Point(-radius * 0.5, 0), center + Point(-radius * 0.2, -radius * 0.5),
            center + Point(radius * 0.35, -radius * 0.42),
          ], width: 9, taper: 0.8), shine.withAlpha(0.5))
    }
  }

  private mutating func paintBraid(side: Double) {
    let x = 500 + side * (portrait.faceWidth + 26)
    for step in 0..<8 {
      let y = 470 + Double(step) * 44
      let swing = step % 2 == 0 ? 7.0 : -7.0
      let size = 38 - Double(step) * 1.4
      canvas.fill(
        .ellipse(x + swing, y, size, 34), step % 2 == 0 ? tint : tint.mixed(with: deep, 0.5))
    }
    canvas.fill(.roundedRectangle(x - 22, 800, 44, 22, radius: 10), portrait.accent)
    canvas.fill(.ellipse(x, 846, 22, 34), tint)
  }
}
