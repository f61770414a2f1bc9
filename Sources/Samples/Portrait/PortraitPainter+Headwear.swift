/// What is worn over the hair.
extension PortraitPainter {
  mutating func paintScarf() {
    let cloth = portrait.accent
    var rim = Path.blob([
      Point(500, 166), Point(668, 262), Point(704, 440), Point(660, 610), Point(560, 690),
      Point(440, 690), Point(340, 610), Point(296, 440), Point(332, 262),
    ])
    var opening = Path()
    opening.move(500, 288)
    opening.curve(Point(412, 288), Point(left + 4, 350), to: Point(left + 4, 426))
    opening.curve(
      Point(left + 6, 530), Point(430, portrait.chin + 2), to: Point(500, portrait.chin + 2))
    opening.curve(Point(570, portrait.chin + 2), Point(right - 6, 530), to: Point(right - 4, 426))
    opening.curve(Point(right - 4, 350), Point(588, 288), to: Point(500, 288))
    rim.append(opening)
    canvas.fill(rim, .linear(from: Point(360, 200), cloth, to: Point(680, 620), cloth.darker(0.2)))
    canvas.fill(
      .blob([
        Point(330, 620), Point(430, 668), Point(560, 668), Point(668, 610), Point(720, 720),
        Point(560, 800), Point(400, 790), Point(280, 730),
      ]), cloth.darker(0.06))
    for (start, end) in [(Point(356, 664), Point(560, 752)), (Point(400, 640), Point(640, 700))] {
      canvas.fill(
        .brush([start, start * 0.5 + end * 0.5 + Point(0, 18), end], width: 8, taper: 0.8),
        cloth.darker(0.28).withAlpha(0.7))
    }
    canvas.fill(
      .brush([Point(370, 300), Point(420, 232), Point(500, 206)], width: 16, taper: 0.8),
      Tint(0xffffff, alpha: 0.35))
  }

  mutating func paintBeanie() {
    let cloth =
      portrait.accent.luma > 0.8
      ? portrait.cloth.mixed(with: portrait.accent, 0.25) : portrait.accent
    for x in [left - 4, right - 16] {
      canvas.fill(.roundedRectangle(x, 330, 20, 90, radius: 10), portrait.hairTint)
    }
    var dome = Path()
    dome.move(left - 18, 330)
    dome.curve(Point(left - 20, 190), Point(400, 128), to: Point(500, 128))
    dome.curve(Point(600, 128), Point(right + 20, 190), to: Point(right + 18, 330))
    canvas.fill(
      dome,
      .linear(from: Point(380, 140), cloth.lighter(0.1), to: Point(660, 340), cloth.darker(0.16)))
    let inside = canvas.coverage(of: dome)
    for step in -3...3 {
      let x = 500 + Double(step) * 46
      canvas.fill(
        .brush(
          [Point(500 + Double(step) * 14, 120), Point(x, 220), Point(x + Double(step) * 4, 330)],
          width: 7),
        cloth.darker(0.3).withAlpha(0.45), inside: inside)
    }
    canvas.fill(
      .roundedRectangle(left - 30, 296, (portrait.faceWidth + 30) * 2, 66, radius: 30),
      cloth.darker(0.1))
    canvas.fill(.roundedRectangle(left - 14, 306, 90, 12, radius: 6), Tint(0xffffff, alpha: 0.25))
    canvas.fill(
      fluff(center: Point(500, 116), radius: 40, bumps: 9, depth: 9), portrait.accent.lighter(0.25))
  }
}
