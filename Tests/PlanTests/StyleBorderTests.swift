import SiteSupport

struct StyleBorderTests {
  private let glass = Color(red: 255, green: 0, blue: 0, alpha: 128)
  private let blue = Color(red: 0, green: 0, blue: 255)

  private func ring(
    _ width: Double, _ color: Color, _ mode: AvatarStyle.Ring.Mode = .over, gap: Double = 0
  ) -> AvatarStyle.Ring {
    AvatarStyle.Ring(width: width, color: color, mode: mode, gap: gap)
  }

  private func border(
    _ rings: [AvatarStyle.Ring], size: Double = 20, scale: Double = 2
  ) -> Border? {
    var style = AvatarStyle(declared: Located(FileLocation(file: "m.yaml"), path: "avatars[0]"))
    (style.width, style.height, style.scales, style.border) = (size, size, [scale], rings)
    for case .border(let border)? in [
      StylePlan(style).picture.first?.recipe.effects.first { effect in
        if case .border = effect { true } else { false }
      }
    ] { return border }
    return nil
  }

  private func band(_ from: Double, _ to: Double, _ color: Color, isOver: Bool) -> Border.Ring {
    Border.Ring(from: from, to: to, fill: .solid(color), isOver: isOver)
  }

  @Test func `a ring drawn over the picture does not crop it`() {
    #expect(border([ring(2, glass)]) == Border(rings: [band(0, 4, glass, isOver: true)], cut: 0))
  }

  /// A9: the picture ends at the inner edge of an inset ring, or of the gap after it.
  @Test func `the picture ends where an inset ring begins`() {
    #expect(
      border([ring(2, glass, .inset)])
        == Border(rings: [band(0, 4, glass, isOver: false)], cut: 4))
    #expect(
      border([ring(2, glass, .inset, gap: 1)])
        == Border(rings: [band(0, 4, glass, isOver: false)], cut: 6))
    #expect(
      border([ring(2, blue, .inset, gap: 1)])
        == Border(rings: [band(0, 4, blue, isOver: false)], cut: 6))
    // The picture may continue under an opaque ring, which avoids a seam.
    #expect(
      border([ring(2, blue, .inset)]) == Border(rings: [band(0, 4, blue, isOver: true)], cut: 0))
  }

  @Test func `outer rings start after their gap`() {
    #expect(
      border([ring(2, glass, .outside, gap: 1), ring(0.5, blue, .outside, gap: 3)])
        == Border(
          rings: [band(-13, -12, blue, isOver: false), band(-6, -2, glass, isOver: false)],
          cut: 0))
  }

  @Test func `each inner ring starts where the previous one ends`() {
    #expect(
      border([ring(1, glass, .inset, gap: 1), ring(2, blue), ring(1, glass)])
        == Border(
          rings: [
            band(0, 2, glass, isOver: false), band(4, 8, blue, isOver: true),
            band(8, 10, glass, isOver: true),
          ], cut: 4))
    // If an inset ring follows, there is no picture under a ring.
    #expect(
      border([ring(1, glass), ring(1, blue.faint, .inset)])
        == Border(
          rings: [band(0, 2, glass, isOver: false), band(2, 4, blue.faint, isOver: false)],
          cut: 4))
  }

  @Test func `a transparent ring takes up space`() {
    let clear = Color(red: 1, green: 2, blue: 3, alpha: 0)
    #expect(
      border([ring(1, clear), ring(1, glass)])
        == Border(rings: [band(2, 4, glass, isOver: true)], cut: 0))
    #expect(
      border([ring(1, clear, .outside), ring(1, glass, .outside)])
        == Border(rings: [band(-4, -2, glass, isOver: false)], cut: 0))
    #expect(border([ring(1, clear, .inset)]) == Border(rings: [], cut: 2))
  }

  /// A11: a width of exactly half the side produces a disc; rounding never leaves a hole.
  @Test func `a ring as wide as half the side forms a disc`() {
    #expect(border([ring(10, glass)]) == Border(rings: [band(0, 20, glass, isOver: true)], cut: 0))
    #expect(
      border([ring(10.1, glass, .inset)], size: 20.2, scale: 1)
        == Border(rings: [band(0, 10, glass, isOver: false)], cut: 10))
  }

  /// G36: a hairline is one pixel at every scale.
  @Test(arguments: [0.5, 1, 1.5, 2, 3])
  func `a hairline is one pixel wide`(scale: Double) {
    var hairline = AvatarStyle.Ring(fill: .solid(glass))
    hairline.width = .hairline
    #expect(
      border([hairline], scale: scale)
        == Border(rings: [band(0, 1, glass, isOver: true)], cut: 0))
    hairline.mode = .outside
    #expect(
      border([hairline], scale: scale)
        == Border(rings: [band(-1, 0, glass, isOver: false)], cut: 0))
  }
}

extension Color {
  fileprivate var faint: Color { Color(red: red, green: green, blue: blue, alpha: 64) }
}
