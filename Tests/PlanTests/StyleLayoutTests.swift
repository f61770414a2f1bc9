import SiteSupport

struct StyleLayoutTests {
  private let red = Color(red: 255, green: 0, blue: 0)

  private func style(_ change: (inout AvatarStyle) -> Void) -> AvatarStyle {
    var style = AvatarStyle(declared: Located(FileLocation(file: "m.yaml"), path: "avatars[0]"))
    (style.width, style.height) = (40, 40)
    change(&style)
    return style
  }

  private func inset(_ change: (inout AvatarStyle) -> Void) -> [Int] {
    let inset = StylePlan(style(change)).inset
    return [inset.top, inset.right, inset.bottom, inset.left]
  }

  private func shadow(
    radius: Double = 0, x: Double = 0, y: Double = 0, spread: Double = 0
  ) -> Shadow {
    Shadow(color: red, radius: radius, x: x, y: y, outset: spread)
  }

  @Test func `the canvas is not larger than necessary`() {
    #expect(inset { _ in } == [0, 0, 0, 0])
    #expect(inset { $0.border = [AvatarStyle.Ring(width: 3, color: red)] } == [0, 0, 0, 0])
    #expect(inset { $0.shadow = shadow(spread: -4) } == [0, 0, 0, 0])
    // On a circle of 40, the default position is 5.86 from the edges, so a dot of 10 fits.
    #expect(
      inset {
        $0.decorations = [.init(.dot(red))]
        $0.decorations[0].size = 10
      } == [0, 0, 0, 0])
  }

  /// G10: each margin is the spread plus three blur radii; the offset shifts the margins.
  @Test func `a shadow enlarges the canvas`() {
    #expect(inset { $0.shadow = shadow(radius: 10, x: 10, y: 10) } == [20, 40, 40, 20])
    #expect(inset { $0.shadow = shadow(radius: 1, x: -1, y: 0.5, spread: 2) } == [5, 4, 6, 6])
    #expect(inset { $0.shadow = shadow(x: 3) } == [0, 3, 0, 0])
    #expect(inset { $0.shadow = shadow(radius: 0.4) } == [2, 2, 2, 2])
    // A blur below a third of a pixel looks sharp.
    #expect(inset { $0.shadow = shadow(radius: 0.1) } == [0, 0, 0, 0])
    // The shadow of an outer ring is as large as the ring.
    #expect(
      inset {
        $0.border = [AvatarStyle.Ring(width: 2, color: red, mode: .outside, gap: 1)]
        $0.shadow = shadow(radius: 1)
      } == [6, 6, 6, 6])
  }

  @Test func `outer rings and their gaps enlarge the canvas`() {
    #expect(
      inset { $0.border = [AvatarStyle.Ring(width: 2, color: red, mode: .outside, gap: 1.5)] }
        == [4, 4, 4, 4])
    #expect(
      inset {
        $0.border = [AvatarStyle.Ring(fill: .solid(red))]
        $0.border[0].width = .hairline
        $0.border[0].mode = .outside
        $0.scales = [0.4, 1]
      } == [3, 3, 3, 3])
  }

  @Test func `protruding decorations enlarge the canvas for all users`() {
    func dot(_ x: Double, _ y: Double, _ corner: AvatarStyle.Corner) -> AvatarStyle.Decoration {
      var dot = AvatarStyle.Decoration(.dot(red))
      (dot.distance, dot.corner, dot.name) = (.init(x: x, y: y), corner, "online")
      return dot
    }
    #expect(inset { $0.decorations = [dot(6, 6, .bottomRight)] } == [0, 1, 1, 0])
    #expect(inset { $0.decorations = [dot(7, 3, .topLeft)] } == [4, 0, 0, 0])
    #expect(inset { $0.decorations = [dot(0, 7, .bottomLeft)] } == [0, 0, 0, 7])
    #expect(inset { $0.decorations = [dot(-1, 30, .topRight)] } == [0, 8, 0, 0])
  }

  @Test func `a cutout does not enlarge the canvas`() {
    let clear = Color(red: 9, green: 9, blue: 9, alpha: 0)
    #expect(
      inset {
        $0.decorations = [.init(.dot(clear))]
        ($0.decorations[0].size, $0.decorations[0].gap) = (40, 5)
      } == [0, 0, 0, 0])
  }

  /// G36: without a position, a decoration is on the outline, for every shape and scale.
  @Test func `by default, a decoration is on the diagonal of its corner`() throws {
    for (shape, corners, radius) in [
      (AvatarStyle.Shape.circle, Set(AvatarStyle.Corner.allCases), 20.0), (.square, [], 0),
      (.rounded, Set(AvatarStyle.Corner.allCases), 8), (.continuous, [.bottomRight], 8),
      (.rounded, [.topLeft], 0),
    ] {
      let plan = StylePlan(
        style {
          ($0.shape, $0.radius, $0.corners) = (shape, .points(8), corners)
          $0.decorations = [.init(.dot(red))]
        })
      for image in plan.picture {
        guard case .decoration(let dot)? = image.recipe.effects.last else {
          Issue.record("expected a decoration")
          return
        }
        let expected = (40 - radius * (1 - 2.0.squareRoot() / 2)) * image.scale
        #expect(abs(dot.x - expected) < 1e-9 && abs(dot.y - expected) < 1e-9)
        #expect(dot.diameter == 14 * image.scale && dot.gap == 0)
      }
    }
  }

  /// G36: a 14 × 14 badge whose centre is 6 points from the right and the bottom.
  @Test func `the distance of a decoration is measured from its corner`() throws {
    for (corner, x, y) in [
      (AvatarStyle.Corner.topLeft, 6.0, 4.0), (.topRight, 34, 4), (.bottomRight, 34, 36),
      (.bottomLeft, 6, 36),
    ] {
      let plan = StylePlan(
        style {
          $0.scales = [2]
          $0.formats = [.png]
          $0.decorations = [.init(.dot(red))]
          $0.decorations[0].corner = corner
          $0.decorations[0].distance = .init(x: 6, y: 4)
          $0.decorations[0].gap = 1.5
        })
      #expect(
        plan.picture.first?.recipe.effects == [
          .decoration(Decoration(content: .dot(red), x: x * 2, y: y * 2, diameter: 28, gap: 3))
        ])
    }
  }

  /// Sharp edges are never cut off, and the canvas in points is the same at all scales.
  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `the canvas is large enough at every scale`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let scales = (0..<3).map { _ in Double.random(in: 0.3...4, using: &random) } + [1]
    let width = Double.random(in: 8...90, using: &random)
    let reach = Double.random(in: 0...9, using: &random)
    let style = style {
      ($0.width, $0.height, $0.scales) = (width, 40, scales.sorted())
      $0.border = [AvatarStyle.Ring(width: reach, color: red, mode: .outside)]
      if seed.isMultiple(of: 2) { $0.shadow = shadow(radius: reach / 2, x: 1, y: -2) }
    }
    let plan = StylePlan(style)
    for image in plan.picture {
      let (margins, box) = (image.recipe.margins, image.recipe.frame.box)
      let least = Int((reach * image.scale - 1e-6).rounded(.up))
      #expect(
        [margins.left, margins.right, margins.top, margins.bottom].allSatisfy { $0 >= least },
        "seed \(seed)")
      #expect(margins.left == Int((Double(plan.inset.left) * image.scale).rounded()))
      #expect(margins.top == Int((Double(plan.inset.top) * image.scale).rounded()))
      let canvas = (width + Double(plan.inset.left + plan.inset.right)) * image.scale
      #expect(margins.left + box.width + margins.right == Int(canvas.rounded()), "seed \(seed)")
      #expect(image.recipe.size.width == Int(canvas.rounded()), "seed \(seed)")
    }
  }
}
