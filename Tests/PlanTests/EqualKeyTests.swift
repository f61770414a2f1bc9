import SiteSupport

struct EqualKeyTests {
  typealias Change = (inout AvatarStyle) -> Void

  private static let red = Color(red: 255, green: 0, blue: 0)
  private static let blue = Color(red: 0, green: 0, blue: 255)
  private static let glass = Color(red: 255, green: 0, blue: 0, alpha: 128)
  private static let clear = Color(red: 9, green: 9, blue: 9, alpha: 0)
  private static let all = Set(AvatarStyle.Corner.allCases)

  private func keys(_ changes: Change...) throws -> [Digest] {
    var style = AvatarStyle(declared: Located(FileLocation(file: "m.yaml"), path: "avatars[0]"))
    style.formats = [.png]
    for change in changes { change(&style) }
    let plan = StylePlan(style)
    return try (plan.picture + plan.drawn).map {
      try $0.recipe.key(of: Digest(of: [1]), by: "")
    }
  }

  private func areEqual(_ left: @escaping Change, _ right: @escaping Change) throws -> Bool {
    try keys(left) == keys(right)
  }

  private static func ring(
    _ width: Double, _ color: Color?, _ mode: AvatarStyle.Ring.Mode = .over, gap: Double = 0
  ) -> AvatarStyle.Ring {
    AvatarStyle.Ring(width: width, color: color, mode: mode, gap: gap)
  }

  private static func ring(
    _ width: Double, _ fill: Fill, _ mode: AvatarStyle.Ring.Mode = .over
  ) -> AvatarStyle.Ring {
    var ring = AvatarStyle.Ring(width: width, color: nil, mode: mode)
    ring.fill = fill
    return ring
  }

  @Test func `equivalent shapes have equal keys`() throws {
    for (width, height) in [(64.0, 64.0), (33, 33), (100, 40)] {
      func keys(
        _ shape: AvatarStyle.Shape, _ radius: AvatarStyle.Length,
        _ corners: Set<AvatarStyle.Corner> = Self.all
      ) throws -> [Digest] {
        try self.keys {
          ($0.width, $0.height) = (width, height)
          ($0.shape, $0.radius, $0.corners) = (shape, radius, corners)
        }
      }
      let circle = try keys(.circle, .points(3), [.topLeft])
      for length in [
        AvatarStyle.Length.fraction(0.5), .points(50), .points(min(width, height) / 2),
      ] {
        #expect(try keys(.rounded, length) == circle && keys(.continuous, length) == circle)
      }
      let square = try keys(.square, .points(3))
      for length in [AvatarStyle.Length.points(0), .fraction(0)] {
        #expect(try keys(.rounded, length, [.topLeft]) == square)
        #expect(try keys(.continuous, length) == square)
      }
      #expect(square != circle)
      #expect(try keys(.rounded, .points(9)) != keys(.continuous, .points(9)))
    }
  }

  @Test func `equivalent borders have equal keys`() throws {
    let equal: [([AvatarStyle.Ring], [AvatarStyle.Ring])] = [
      // An opaque ring hides the edge of the picture.
      ([Self.ring(4, Self.red)], [Self.ring(4, Self.red, .inset)]),
      ([Self.ring(4, .linear([Self.red, Self.red], degrees: 7))], [Self.ring(4, Self.red)]),
      ([Self.ring(4, .conic([Self.red], degrees: 7))], [Self.ring(4, Self.red)]),
      // The order of inner rings relative to outer rings does not matter.
      (
        [Self.ring(1, Self.blue, .outside), Self.ring(2, Self.glass)],
        [Self.ring(2, Self.glass), Self.ring(1, Self.blue, .outside)]
      ),
      // A transparent inset ring is a gap.
      (
        [Self.ring(2, Self.glass, .inset), Self.ring(3, Self.clear, .inset)],
        [Self.ring(2, Self.glass, .inset, gap: 3)]
      ),
    ]
    for (index, pair) in equal.enumerated() {
      #expect(try areEqual({ $0.border = pair.0 }, { $0.border = pair.1 }), "\(index)")
    }
    let different: [([AvatarStyle.Ring], [AvatarStyle.Ring])] = [
      ([Self.ring(4, Self.glass)], [Self.ring(4, Self.glass, .inset)]),
      ([Self.ring(4, Self.glass)], [Self.ring(4, Self.glass, .outside)]),
      ([Self.ring(4, Self.red, .inset)], [Self.ring(4, Self.red, .inset, gap: 1)]),
      ([Self.ring(4, Self.red, .outside)], [Self.ring(4, Self.red, .outside, gap: 1)]),
      ([Self.ring(4, Self.clear, .inset)], []),
      (
        [Self.ring(2, Self.red), Self.ring(2, Self.blue)],
        [Self.ring(2, Self.blue), Self.ring(2, Self.red)]
      ),
      (
        [Self.ring(4, .conic([Self.red, Self.blue], degrees: 0))],
        [Self.ring(4, .conic([Self.blue, Self.red], degrees: 0))]
      ),
    ]
    for (index, pair) in different.enumerated() {
      #expect(try !areEqual({ $0.border = pair.0 }, { $0.border = pair.1 }), "\(index)")
    }
  }

  @Test func `equivalent overlays have equal keys`() throws {
    func overlay(_ fill: Fill) -> Change { { $0.overlay = fill } }
    let colors = [Self.red, Self.blue]
    let equal: [(Fill, Fill)] = [
      (.linear([Self.red, Self.red, Self.red], degrees: 9), .solid(Self.red)),
      (
        .linear([Self.red, Self.clear], degrees: 9),
        .linear([Self.red, Color(red: 0, green: 0, blue: 0, alpha: 0)], degrees: 9)
      ),
    ]
    for (index, pair) in equal.enumerated() {
      #expect(try areEqual(overlay(pair.0), overlay(pair.1)), "\(index)")
    }
    let different: [(Fill, Fill)] = [
      (.linear(colors, degrees: 180), .linear(colors, degrees: 0)),
      (.linear(colors, degrees: 45), .linear(colors, degrees: 46)),
      (.solid(Self.red), .solid(Self.glass)),
    ]
    for (index, pair) in different.enumerated() {
      #expect(try !areEqual(overlay(pair.0), overlay(pair.1)), "\(index)")
    }
  }

  /// A 16-point style at 1x is equivalent to an 8-point style at 2x if the pixels are equal.
  @Test func `identical pixels have the same key at any scale`() throws {
    func everything(_ factor: Double) -> Change {
      { style in
        (style.width, style.height) = (16 * factor, 16 * factor)
        style.scales = [2 / factor]
        (style.shape, style.radius) = (.continuous, .points(4 * factor))
        style.border = [
          Self.ring(1 * factor, Self.glass),
          Self.ring(0.5 * factor, Self.blue, .inset, gap: factor),
          Self.ring(1 * factor, Self.red, .outside, gap: 1 * factor),
        ]
        style.blur = 1.5 * factor
        style.shadow = .init(color: Self.red, radius: 2 * factor, y: factor, outset: factor)
        var dot = AvatarStyle.Decoration(.dot(Self.blue))
        dot.size = 6 * factor
        dot.gap = 1 * factor
        style.decorations = [dot]
      }
    }
    #expect(try areEqual(everything(1), everything(2)))
    #expect(
      try keys({ ($0.width, $0.height, $0.scales) = (8, 8, [2]) })
        == keys({ ($0.width, $0.height, $0.scales) = (16, 16, [1]) }))
    // Styles with several scales differ by their base: smaller boxes are made from the largest.
    #expect(try !areEqual({ $0.scales = [1, 2] }, { $0.scales = [1, 3] }))
  }

  /// G12: a blur of 0 is omitted from the key; any visible blur is part of it.
  @Test func `a blur affects the key`() throws {
    #expect(try areEqual({ $0.blur = 0 }, { _ in }))
    // A blur of this radius is too small to be visible at scales up to 3.
    #expect(try areEqual({ $0.blur = 0.08 }, { _ in }))
    #expect(try !areEqual({ $0.blur = 1 }, { _ in }))
    #expect(try !areEqual({ $0.blur = 1 }, { $0.blur = 2 }))
  }
}
