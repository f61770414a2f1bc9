import SiteSupport

struct StylePlanTests {
  private func plan(_ change: (inout AvatarStyle) -> Void) -> StylePlan {
    var style = AvatarStyle(declared: Located(FileLocation(file: "m.yaml"), path: "avatars[0]"))
    change(&style)
    return StylePlan(style)
  }

  /// A17: 50 pt with a ring of 2 at 2x is 100 px with a ring of 4.
  @Test func `the scale converts points to pixels`() throws {
    let plan = plan {
      ($0.width, $0.height) = (50, 50)
      $0.scales = [2]
      $0.formats = [.png]
      $0.border = [AvatarStyle.Ring(width: 2, color: Color(red: 255, green: 0, blue: 0))]
    }
    let recipe = try #require(plan.picture.first).recipe
    #expect(recipe.frame.box == PixelSize(width: 100, height: 100))
    #expect(
      recipe.effects == [
        .border(
          Border(rings: [
            Border.Ring(
              from: 0, to: 4, fill: .solid(Color(red: 255, green: 0, blue: 0)), isOver: true)
          ]))
      ])
  }

  /// A WebP of at most 128 pixels is encoded with higher quality, unless the style sets one.
  @Test func `small images are encoded with higher quality`() {
    func encodings(_ quality: [OutputFormat: Int], border: Double = 0) -> [Encoding] {
      plan {
        ($0.formats, $0.quality) = ([.webp], quality)
        $0.border = [AvatarStyle.Ring(width: border, color: .white, mode: .outside)]
      }.picture.map(\.recipe.encoding)
    }
    #expect(encodings([:]).map(\.quality) == [88, 84, 80])
    #expect(encodings([:]).map(\.isFine) == [true, true, nil])
    // A ring around the picture increases the size.
    #expect(encodings([:], border: 1).map(\.isFine) == [true, nil, nil])
    for quality in [1, 80, 88] {
      let encoding = Encoding(format: .webp, quality: quality)
      #expect(encodings([.webp: quality]) == [encoding, encoding, encoding])
    }
  }

  @Test func `images are sorted by scale, then by format`() {
    let images = plan { $0.formats = [.webp, .png] }.picture
    #expect(images.map(\.scale) == [1, 1, 2, 2, 3, 3])
    #expect(images.map(\.format) == [.webp, .png, .webp, .png, .webp, .png])
  }

  @Test func `all scales of a style are based on the size at the largest scale`() {
    let frames = plan { $0.scales = [1, 2.5] }.picture.map(\.recipe.frame)
    #expect(Set(frames.map(\.base)) == [PixelSize(width: 160, height: 160)])
    #expect(frames.map(\.box.width) == [64, 64, 160, 160])
  }

  /// A3: at 100 × 40, every shape with a large radius is a capsule, even a continuous one.
  @Test func `wide shapes with a large radius become capsules, not ellipses`() throws {
    let capsule = Outline(topLeft: 20, topRight: 20, bottomRight: 20, bottomLeft: 20)
    for (shape, radius) in [
      (AvatarStyle.Shape.circle, AvatarStyle.Length.points(0)), (.rounded, .points(100)),
      (.rounded, .fraction(1)), (.continuous, .points(100)),
    ] {
      let plan = plan {
        ($0.width, $0.height, $0.scales) = (100, 40, [1])
        ($0.shape, $0.radius) = (shape, radius)
      }
      #expect(try #require(plan.picture.first).recipe.outline == capsule)
    }
  }

  /// A6: each corner can be rounded or square.
  @Test(arguments: AvatarStyle.Corner.allCases)
  func `rounding can be disabled for individual corners`(corner: AvatarStyle.Corner) throws {
    let plan = plan {
      $0.scales = [2]
      ($0.shape, $0.radius, $0.corners) = (.continuous, .points(8), [corner])
    }
    let outline = try #require(plan.picture.first).recipe.outline
    #expect(
      outline
        == Outline(
          topLeft: corner == .topLeft ? 16 : 0, topRight: corner == .topRight ? 16 : 0,
          bottomRight: corner == .bottomRight ? 16 : 0,
          bottomLeft: corner == .bottomLeft ? 16 : 0, curve: .continuous))
  }

  @Test func `filters are applied, in order, before the clip, and effects after it`() throws {
    let red = Color(red: 255, green: 0, blue: 0)
    let glass = Color(red: 255, green: 0, blue: 0, alpha: 128)
    let plan = plan {
      $0.scales = [2]
      $0.formats = [.jpeg]
      ($0.blur, $0.tint, $0.isGrayscale) = (1.5, glass, true)
      ($0.underlay, $0.background) = (true, red)
      $0.overlay = .linear([red, .white], degrees: 180)
      $0.border = [AvatarStyle.Ring(width: 1, color: red)]
      $0.shadow = .init(color: red, radius: 2)
      $0.decorations = [.init(.dot(.white)), .init(.dot(red))]
    }
    let recipe = try #require(plan.picture.first).recipe
    #expect(recipe.filters == [.grayscale, .tint(glass), .blur(radius: 3)])
    let kinds = recipe.effects.map { effect in
      switch effect {
      case .underlay: "underlay"
      case .overlay: "overlay"
      case .mask: "mask"
      case .border: "border"
      case .shadow: "shadow"
      case .decoration(let decoration): decoration.content == .dot(red) ? "red dot" : "white dot"
      case .matte: "matte"
      case .guides: "guides"
      }
    }
    #expect(kinds == ["underlay", "overlay", "border", "shadow", "white dot", "red dot", "matte"])
    #expect(plan.drawn.map(\.recipe.filters) == plan.picture.map(\.recipe.filters))
  }

  /// G10: the shadow has the silhouette of the outermost ring, enlarged by the spread.
  @Test func `a shadow has the outline of the outermost ring`() throws {
    let red = Color(red: 255, green: 0, blue: 0, alpha: 9)
    let plan = plan {
      $0.scales = [2]
      $0.border = [AvatarStyle.Ring(width: 1, color: red, mode: .outside, gap: 2)]
      $0.shadow = .init(color: red, radius: 4, x: 1, y: -3, outset: 0.5)
    }
    #expect(
      try #require(plan.picture.first).recipe.effects.last
        == .shadow(Shadow(color: red, radius: 8, x: 2, y: -6, outset: 7)))
  }
}
