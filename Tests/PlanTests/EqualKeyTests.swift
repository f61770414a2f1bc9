import SiteSupport
import Testing

/// Equal results have equal keys: whatever does nothing is not in the recipe.
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
    return try (plan.picture + plan.color).map {
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

  /// A13: each of these is the same as nothing, alone and on top of other options.
  @Test func `what does nothing is left out`() throws {
    let nothing: [(String, Change)] = [
      ("blur 0", { $0.blur = 0 }), ("clear tint", { $0.tint = Self.clear }),
      ("clear overlay", { $0.overlay = .solid(Self.clear) }),
      (
        "clear gradient",
        {
          $0.overlay = .linear(
            [Self.clear, .init(red: 0, green: 0, blue: 0, alpha: 0)], degrees: 3)
        }
      ),
      ("no colours", { $0.overlay = .linear([], degrees: 3) }),
      ("shadow without colour", { $0.shadow = .init(color: nil) }),
      (
        "clear shadow",
        {
          $0.shadow = .init(color: Self.clear)
          $0.shadow?.radius = 30
        }
      ),
      (
        "swallowed shadow",
        {
          $0.shadow = .init(color: Self.red)
          $0.shadow?.spread = -40
        }
      ),
      ("ring of no width", { $0.border.append(Self.ring(0, Self.red, .inset, gap: 4)) }),
      ("ring of no colour", { $0.border.append(Self.ring(5, nil as Color?, .inset, gap: 4)) }),
      ("clear ring over", { $0.border.append(Self.ring(5, Self.clear)) }),
      ("clear ring outside", { $0.border.append(Self.ring(5, Self.clear, .outside, gap: 2)) }),
      ("clear gradient ring", { $0.border.append(Self.ring(5, .conic([Self.clear], degrees: 1))) }),
      (
        "hidden ring",
        {
          $0.border.append(Self.ring(5, Self.red, .inset, gap: 3))
          $0.border[$0.border.count - 1].hidden = true
        }
      ),
      (
        "outside, hidden",
        {
          $0.border.append(Self.ring(5, Self.red, .outside, gap: 3))
          $0.border[$0.border.count - 1].hidden = true
        }
      ),
      ("quality of nothing", { $0.quality = [.png: 3, .jpeg: 5] }),
      ("clear dot", { $0.decorations.append(.init(.dot(Self.clear))) }),
      ("a name", { $0.name = "other" }),
      ("a decoration of others", { $0.decorations.append(Self.named) }),
    ]
    let grounds: [Change] = [
      { _ in },
      {
        $0.border = [Self.ring(2, Self.glass), Self.ring(1, Self.blue, .outside)]
        ($0.isGrayscale, $0.underlay, $0.background) = (true, true, Self.blue)
        $0.fit = .contain
      },
    ]
    for ground in grounds {
      let plain = try keys(ground)
      for (name, change) in nothing { #expect(try keys(ground, change) == plain, "\(name)") }
    }
    for change: Change in [
      { $0.finder = .smart }, { $0.focus = Focus(x: 0, y: 0) },
      { $0.finder = .face(headRoom: 1, isSmartOtherwise: true) },
    ] {
      let contained: Change = { $0.fit = .contain }
      #expect(try keys(contained, change) == keys(contained))
      #expect(try keys(change) != keys())
    }
  }

  /// Inside the box, so that it needs no room.
  private static var named: AvatarStyle.Decoration {
    var decoration = AvatarStyle.Decoration(.dot(red))
    decoration.name = "online"
    decoration.distance = .init(x: 10, y: 10)
    return decoration
  }

  @Test func `two spellings of one shape are one`() throws {
    let half = AvatarStyle.Length.fraction(0.5)
    for (width, height) in [(64.0, 64.0), (33, 33), (100, 40)] {
      let size: Change = { ($0.width, $0.height) = (width, height) }
      let circle = try keys(size)
      for length in [half, .points(50), .points(min(width, height) / 2)] {
        #expect(try keys(size, { $0.shape = .rounded(length, corners: Self.all) }) == circle)
        #expect(try keys(size, { $0.shape = .continuous(length, corners: Self.all) }) == circle)
      }
      let square = try keys(size, { $0.shape = .square })
      for length in [AvatarStyle.Length.points(0), .fraction(0)] {
        #expect(try keys(size, { $0.shape = .rounded(length, corners: [.topLeft]) }) == square)
        #expect(try keys(size, { $0.shape = .continuous(length, corners: Self.all) }) == square)
      }
      #expect(square != circle)
      #expect(
        try keys(size, { $0.shape = .rounded(.points(9), corners: Self.all) })
          != keys(size, { $0.shape = .continuous(.points(9), corners: Self.all) }))
    }
  }

  @Test func `two spellings of one border are one`() throws {
    let equal: [([AvatarStyle.Ring], [AvatarStyle.Ring])] = [
      // Nobody sees where the picture ends under an opaque ring.
      ([Self.ring(4, Self.red)], [Self.ring(4, Self.red, .inset)]),
      ([Self.ring(2, Self.red), Self.ring(3, Self.red)], [Self.ring(5, Self.red)]),
      (
        [Self.ring(2, Self.glass, .inset), Self.ring(3, Self.glass, .inset)],
        [Self.ring(5, Self.glass, .inset)]
      ),
      (
        [Self.ring(1, Self.red, .outside), Self.ring(2, Self.red, .outside)],
        [Self.ring(3, Self.red, .outside)]
      ),
      (
        [Self.ring(4, .linear([Self.red, Self.red], degrees: 7))], [Self.ring(4, Self.red)]
      ),
      ([Self.ring(4, .conic([Self.red], degrees: 7))], [Self.ring(4, Self.red)]),
      (
        [Self.ring(4, .conic([Self.red, Self.blue], degrees: -90))],
        [Self.ring(4, .conic([Self.red, Self.blue], degrees: 630))]
      ),
      // The order of those inside and of those outside does not matter for one another.
      (
        [Self.ring(1, Self.blue, .outside), Self.ring(2, Self.glass)],
        [Self.ring(2, Self.glass), Self.ring(1, Self.blue, .outside)]
      ),
      // A clear inset ring is a gap.
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

  @Test func `two spellings of one overlay are one`() throws {
    func overlay(_ fill: Fill) -> Change { { $0.overlay = fill } }
    let colors = [Self.red, Self.blue]
    let equal: [(Fill, Fill)] = [
      (.linear(colors, degrees: 180), .linear(colors.reversed(), degrees: 0)),
      (.linear(colors, degrees: 90), .linear(colors, degrees: 450)),
      (.linear(colors, degrees: 90), .linear(colors.reversed(), degrees: -90)),
      (.linear(colors, degrees: 0), .linear(colors, degrees: -360)),
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

  /// `16 px at 2x` is `8 pt` where the pixels agree.
  @Test func `points at a scale are pixels`() throws {
    func everything(_ factor: Double) -> Change {
      { style in
        (style.width, style.height) = (16 * factor, 16 * factor)
        style.scales = [2 / factor]
        style.shape = .continuous(.points(4 * factor), corners: Self.all)
        style.border = [
          Self.ring(1 * factor, Self.glass),
          Self.ring(0.5 * factor, Self.blue, .inset, gap: factor),
          Self.ring(1 * factor, Self.red, .outside, gap: 1 * factor),
        ]
        style.blur = 1.5 * factor
        style.shadow = .init(color: Self.red)
        style.shadow?.radius = 2 * factor
        style.shadow?.y = 1 * factor
        style.shadow?.spread = 1 * factor
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
    // Of several scales, the base tells them apart: a smaller box is made from the largest.
    #expect(try !areEqual({ $0.scales = [1, 2] }, { $0.scales = [1, 3] }))
  }

  /// G12: a blur of 0 is none; any other is in the key.
  @Test func `a blur is in the key`() throws {
    #expect(try areEqual({ $0.blur = 0 }, { _ in }))
    // At no scale up to 3 as much as a pixel shows.
    #expect(try areEqual({ $0.blur = 0.08 }, { _ in }))
    #expect(try !areEqual({ $0.blur = 1 }, { _ in }))
    #expect(try !areEqual({ $0.blur = 1 }, { $0.blur = 2 }))
    // A plain colour has nothing to blur.
    var style = AvatarStyle(declared: Located(FileLocation(file: "m.yaml"), path: "avatars[0]"))
    let sharp = StylePlan(style)
    style.blur = 1
    #expect(StylePlan(style).color == sharp.color)
    #expect(StylePlan(style).picture != sharp.picture)
  }

  /// E6: each option that changes the picture changes the key.
  @Test func `each option alone is another key`() throws {
    let changes: [Change] = [
      { _ in }, { $0.isGrayscale = true }, { $0.tint = Self.red }, { $0.tint = Self.glass },
      { $0.blur = 2 }, { $0.overlay = .solid(Self.glass) }, { $0.overlay = .solid(Self.red) },
      { $0.overlay = .linear([Self.red, Self.blue], degrees: 180) },
      { $0.overlay = .linear([Self.red, .white, Self.blue], degrees: 180) },
      { $0.shadow = .init(color: Self.red) }, { $0.shadow = .init(color: Self.glass) },
      {
        $0.shadow = .init(color: Self.red)
        $0.shadow?.radius = 3
      },
      {
        $0.shadow = .init(color: Self.red)
        $0.shadow?.x = 3
      },
      {
        $0.shadow = .init(color: Self.red)
        $0.shadow?.y = 3
      },
      {
        $0.shadow = .init(color: Self.red)
        $0.shadow?.spread = 3
      },
      { $0.decorations = [.init(.dot(Self.red))] }, { $0.decorations = [.init(.dot(Self.blue))] },
      {
        $0.decorations = [.init(.dot(Self.red))]
        $0.decorations[0].corner = .topLeft
      },
      {
        $0.decorations = [.init(.dot(Self.red))]
        $0.decorations[0].gap = 2
      },
      {
        $0.decorations = [.init(.dot(Self.red))]
        $0.decorations[0].size = 12
      },
      { $0.decorations = [.init(.dot(Self.red)), .init(.dot(Self.blue))] },
      { $0.decorations = [.init(.dot(Self.blue)), .init(.dot(Self.red))] },
      { $0.shape = .rounded(.points(9), corners: Self.all) },
      { $0.shape = .rounded(.points(9), corners: [.topLeft]) },
      { $0.shape = .continuous(.points(9), corners: Self.all) }, { $0.shape = .square },
      { $0.finder = .smart }, { $0.focus = Focus(x: 0, y: 0.5) }, { $0.opaque = true },
      {
        $0.border = [AvatarStyle.Ring(fill: .solid(Self.red))]
        $0.border[0].width = .hairline
      },
      { $0.border = [AvatarStyle.Ring(fill: .solid(Self.red))] },
    ]
    var seen: [[Digest]: Int] = [:]
    for (index, change) in changes.enumerated() {
      let keys = try keys(change)
      #expect(seen[keys] == nil, "\(index) is as \(seen[keys] ?? -1)")
      seen[keys] = index
    }
  }
}
