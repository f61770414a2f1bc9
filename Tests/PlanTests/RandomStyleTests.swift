import SiteSupport

/// Random combinations of style options; a failure prints the seed.
struct RandomStyleTests {
  /// Draws random styles from few values, so that equal ones occur.
  private struct Wheel {
    var random: SeededRandom

    init(_ seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func of<Value>(_ values: Value...) -> Value {
      values[Int.random(in: values.indices, using: &random)]
    }

    mutating func color() -> Color {
      of(
        Color(red: 255, green: 0, blue: 0), Color(red: 0, green: 0, blue: 255),
        Color(red: 255, green: 0, blue: 0, alpha: 128), Color(red: 3, green: 2, blue: 1, alpha: 0),
        .white)
    }

    mutating func fill() -> Fill {
      let colors = (0..<of(1, 2, 3)).map { _ in color() }
      let degrees = of(0.0, 90, 180, 270, 360, 45, -45)
      return of(
        .solid(colors[0]), .linear(colors, degrees: degrees), .conic(colors, degrees: degrees))
    }

    mutating func ring() -> AvatarStyle.Ring {
      var ring = AvatarStyle.Ring(fill: of(fill(), nil))
      ring.width = of(.points(0), .points(1), .points(2.5), .hairline)
      ring.mode = of(.over, .inset, .outside)
      ring.gap = ring.mode == .over ? 0 : of(0, 1, 1.5)
      ring.hidden = of(false, false, true)
      return ring
    }

    mutating func decoration() -> AvatarStyle.Decoration {
      var decoration = AvatarStyle.Decoration(.dot(color()))
      decoration.size = of(4, 14)
      decoration.corner = of(.topLeft, .topRight, .bottomRight, .bottomLeft)
      decoration.distance = of(nil, .init(x: 6, y: 6), .init(x: -1, y: 9))
      decoration.gap = of(0, 2)
      decoration.name = of(nil, nil, "vip")
      decoration.condition = of(nil, nil, .tall)
      return decoration
    }

    mutating func style() -> AvatarStyle {
      var style = AvatarStyle(declared: Located(FileLocation(file: "m.yaml"), path: "avatars[0]"))
      (style.width, style.height) = of((16, 16), (32, 32), (24, 16), (20.5, 20.5))
      style.scales = of([1], [2], [1, 2], [0.5, 1.5])
      style.radius = of(.points(0), .points(5), .fraction(0.25), .fraction(0.5))
      style.shape = of(.circle, .square, .rounded, .continuous)
      style.corners = of(style.corners, style.corners, [.topLeft])
      style.fit = of(.fill, .contain, .stretch)
      style.focus = of(.center, Focus(x: 0, y: 0.5))
      style.finder = of(nil, nil, .smart, .face(headRoom: 0.3, isSmartOtherwise: true))
      style.isGrayscale = of(false, false, true)
      style.tint = of(nil, nil, color())
      style.blur = of(0, 0, 1)
      style.border = (0..<of(0, 0, 1, 3)).map { _ in ring() }
      style.background = of(nil, color())
      style.underlay = of(false, true)
      style.overlay = of(nil, nil, fill())
      style.shadow = of(
        nil, nil,
        Shadow(
          color: of(.invisible, color()), radius: of(0, 2), x: of(0, 1), y: of(0, -2),
          outset: of(0, -40, 1)))
      style.opaque = of(false, false, true)
      style.decorations = (0..<of(0, 0, 1, 2)).map { _ in decoration() }
      style.formats = of([.png], [.webp, .png], [.jpeg])
      return style
    }
  }

  private func keys(_ plan: StylePlan) throws -> [Digest] {
    try (plan.picture + plan.drawn).map {
      try $0.recipe.key(of: Digest(of: [1]), by: "f")
    }
  }

  /// Different keys mean different recipes; equal recipes have equal keys.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `different recipes have different keys`(seed: UInt64) throws {
    var wheel = Wheel(seed)
    var recipes: [Digest: Recipe] = [:]
    var keys: [Recipe: Digest] = [:]
    for _ in 0..<20 {
      let plan = StylePlan(wheel.style())
      for recipe in (plan.picture + plan.drawn).map(\.recipe) {
        let key = try recipe.key(of: Digest(of: [1]), by: "f")
        #expect(recipes[key, default: recipe] == recipe, "seed \(seed)")
        #expect(keys[recipe, default: key] == key, "seed \(seed)")
        recipes[key] = recipe
        keys[recipe] = key
      }
    }
    #expect(recipes.count == keys.count && recipes.count > 20, "seed \(seed)")
  }

  /// A13: an option without an effect never changes a key, in any combination.
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `options without an effect never change the key`(seed: UInt64) throws {
    var wheel = Wheel(seed)
    let style = wheel.style()
    let plain = try keys(StylePlan(style))
    let clear = Color(red: 7, green: 7, blue: 7, alpha: 0)
    var ring = wheel.ring()
    switch wheel.of(0, 1, 2) {
    case 0: ring.hidden = true
    case 1: ring.width = .points(0)
    default: ring.fill = nil
    }
    let changes: [(inout AvatarStyle) -> Void] = [
      { $0.border.insert(ring, at: 0) }, { $0.border.append(ring) },
      { $0.tint = $0.tint ?? clear },
      { $0.overlay = $0.overlay ?? .linear([clear, clear], degrees: 10) },
      { $0.shadow = $0.shadow ?? .init(color: clear, radius: 9, outset: 9) },
      { $0.shadow = $0.shadow ?? .init(color: .white, outset: -400) },
      { $0.border.append(AvatarStyle.Ring(width: 5, color: clear)) },
      { $0.border.append(AvatarStyle.Ring(width: 5, color: clear, mode: .outside, gap: 2)) },
      { $0.decorations.append(AvatarStyle.Decoration(.dot(clear))) },
      { style in
        // The decoration is inside the box, so it does not enlarge the canvas.
        var decoration = AvatarStyle.Decoration(.dot(.white))
        (decoration.name, decoration.size) = ("others", 2)
        decoration.distance = .init(x: 5, y: 5)
        style.decorations.append(decoration)
      },
      { if !$0.underlay && !$0.opaque && !$0.formats.contains(.jpeg) { $0.background = .white } },
      { if $0.tint?.isOpaque == true { $0.isGrayscale.toggle() } },
      { if $0.fit != .fill { $0.finder = .smart } },
      { if $0.fit != .fill { $0.focus = Focus(x: 1, y: 1) } },
      {
        if $0.shape == .circle {
          ($0.shape, $0.radius) = (.continuous, .fraction(0.5))
          $0.corners = Set(AvatarStyle.Corner.allCases)
        }
      },
      { if $0.shape == .square { ($0.shape, $0.radius) = (.rounded, .points(0)) } },
      { ($0.name, $0.declared.path) = ("other", "avatars[3]") },
      { $0.quality = [.png: 1] },
    ]
    for (index, change) in changes.enumerated() {
      var changed = style
      change(&changed)
      #expect(try keys(StylePlan(changed)) == plain, "seed \(seed), change \(index)")
    }
  }

  /// E6: an option with an effect always changes the key.
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `visible changes always change the key`(seed: UInt64) throws {
    var wheel = Wheel(seed)
    let style = wheel.style()
    let plain = Set(try keys(StylePlan(style)))
    let lime = Color(red: 0, green: 255, blue: 0)
    let changes: [(inout AvatarStyle) -> Void] = [
      { $0.border.append(AvatarStyle.Ring(width: 0.5, color: lime)) },
      { $0.border.append(AvatarStyle.Ring(width: 0.5, color: lime, mode: .outside)) },
      { $0.tint = lime }, { $0.blur += 1 },
      { style in
        // An opaque tint would hide the difference.
        if style.tint?.isOpaque == true { style.tint = nil }
        style.isGrayscale.toggle()
      },
      { $0.overlay = .solid(lime) }, { $0.overlay = .linear([lime, .white], degrees: 33) },
      { $0.shadow = .init(color: lime, radius: 1) },
      { $0.decorations.append(AvatarStyle.Decoration(.dot(lime))) },
      { $0.width += 1 }, { ($0.underlay, $0.background) = (true, lime) },
      { ($0.opaque, $0.background) = (true, lime) },
      { ($0.shape, $0.radius, $0.corners) = (.rounded, .points(3), [.bottomLeft]) },
    ]
    for (index, change) in changes.enumerated() {
      var changed = style
      change(&changed)
      #expect(plain.isDisjoint(with: try keys(StylePlan(changed))), "seed \(seed), change \(index)")
    }
  }

  /// A worker can render every recipe.
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `every recipe is valid`(seed: UInt64) {
    var wheel = Wheel(seed)
    for _ in 0..<10 {
      let plan = StylePlan(wheel.style(), resources: StyleResources(detector: wheel.of(nil, "d")))
      #expect(plan.picture.count == plan.drawn.count)
      for recipe in (plan.picture + plan.drawn).map(\.recipe) {
        let half = Double(recipe.frame.box.shorterSide) / 2
        let margins = recipe.margins
        let sides = [margins.left, margins.top, margins.right, margins.bottom]
        #expect(sides.allSatisfy { $0 >= 0 }, "seed \(seed)")
        let outline = recipe.outline
        let radii = [outline.topLeft, outline.topRight, outline.bottomRight, outline.bottomLeft]
        #expect(radii.allSatisfy { $0 >= 0 && $0 <= half }, "seed \(seed)")
        #expect(recipe.frame.finder == nil || recipe.frame.fit == .fill, "seed \(seed)")
        for case .border(let border) in recipe.effects {
          #expect(border.cut >= 0 && border.cut <= half, "seed \(seed)")
          var edge = -Double.infinity
          for ring in border.rings {
            #expect(ring.from >= edge && ring.to > ring.from && ring.to <= half, "seed \(seed)")
            #expect(ring.isOver ? ring.from >= border.cut : ring.to <= max(border.cut, 0))
            #expect(-ring.from <= Double(sides.min() ?? 0) + 1e-6, "seed \(seed)")
            edge = ring.to
          }
        }
      }
    }
  }
}
