import SiteSupport

struct StyleVariantsTests {
  private let red = Color(red: 255, green: 0, blue: 0)

  private func style(_ change: (inout AvatarStyle) -> Void = { _ in }) -> AvatarStyle {
    var style = AvatarStyle(declared: Located(FileLocation(file: "m.yaml"), path: ""))
    style.formats = [.png]
    change(&style)
    return style
  }

  private func dot(
    _ name: String? = nil, when condition: AvatarStyle.Decoration.Condition? = nil,
    size: Double = 4
  ) -> AvatarStyle.Decoration {
    var dot = AvatarStyle.Decoration(.dot(red))
    (dot.name, dot.condition, dot.size) = (name, condition, size)
    return dot
  }

  private func user(
    styles: [Int]? = nil, focus: Focus? = nil, decorations: [String] = []
  ) -> User {
    var user = User(id: "a", name: "a", at: FileLocation(file: "m.yaml"), number: 0)
    (user.styles, user.focus, user.decorations) = (styles, focus, decorations)
    return user
  }

  private func source(_ width: Int, _ height: Int, frames: Int = 1, turned: Bool = false) -> Source
  {
    Source(
      Inspection(
        format: .gif, size: PixelSize(width: width, height: height),
        orientation: turned ? 6 : 1, frames: frames),
      digest: Digest(of: [UInt8(width & 255), UInt8(height & 255)]), in: .file("x"))
  }

  /// Returns the sizes of the decorations drawn by a variant.
  private func sizes(_ plan: StylePlan) -> [Double] {
    plan.picture.first?.recipe.effects.compactMap {
      if case .decoration(let decoration) = $0 { decoration.diameter } else { nil }
    } ?? []
  }

  @Test func `a variant without user options matches its style`() {
    let styles = [style(), style { $0.decorations = [dot(), dot("online")] }]
    var variants = StyleVariants(styles)
    #expect(variants.add(user(), source(8, 8)) == [Variant(plan: 0), Variant(plan: 1)])
    #expect(variants.add(user(styles: [1]), source(8, 800)) == [Variant(plan: 1)])
    #expect(variants.plans == styles.map { StylePlan($0) })
    #expect(sizes(variants.plans[1]) == [4])
  }

  @Test func `a pinned focus point takes precedence in every style that crops`() throws {
    let styles = [
      style(), style { $0.finder = .smart }, style { $0.fit = .contain },
      style { $0.focus = Focus(x: 0, y: 0.5) },
    ]
    let plain = styles.indices.map { Variant(plan: $0) }
    let pinned = user(focus: Focus(x: 0, y: 0))
    let wide = source(16, 8)
    var variants = StyleVariants(styles)
    let found = variants.add(pinned, wide)
    #expect(found.indices.filter { found[$0] != plain[$0] } == [0, 1, 3])
    for variant in found where variant.plan != 2 {
      let frame = try #require(variants.images(of: variant, for: wide).first).recipe.frame
      #expect(frame.focus == Focus(x: 0, y: 0) && frame.finder == nil)
    }
    #expect(variants.add(user(), wide) == plain && variants.known(of: pinned, wide) == found)
    // Colours and initials are not cropped, so a focus point does not affect them.
    #expect(variants.add(pinned, Source(color: red)) == plain)
  }

  /// Any number of focus points produces only four plans.
  @Test func `two thousand focus points do not add any plans`() throws {
    let styles = (0..<4).map { number in style { $0.width = 40 + Double(number) * 8 } }
    let wide = source(800, 100)
    var variants = StyleVariants(styles)
    let points = (0..<2000).flatMap { number in
      variants.add(
        user(focus: Focus(x: 0.2 + Double(number) / 8000, y: Double(number) / 2000)), wide)
    }
    #expect(variants.plans.count == 4)
    let keys = try RecipeKeys(variants, fingerprint: "f")
    #expect(Set(points.flatMap { keys.keys(of: $0, for: wide) }).count == 3 * 8000)
  }

  @Test func `the keys of a variant match those of its recipes`() throws {
    let styles = [style { $0.finder = .smart }, style { $0.focus = Focus(x: 0.25, y: 0) }]
    var variants = StyleVariants(styles)
    let sources = [source(90, 40), source(40, 90), Source(color: red)]
    let known = Set(
      sources.flatMap { source in
        variants.add(user(focus: Focus(x: 0.4, y: 0.4)), source) + variants.add(user(), source)
      })
    let keys = try RecipeKeys(variants, fingerprint: "f")
    for variant in known {
      for source in sources {
        let made = try variants.images(of: variant, for: source).map {
          try $0.recipe.key(of: source.digest, by: "f")
        }
        #expect(keys.keys(of: variant, for: source) == made)
      }
    }
  }

  @Test func `decorations apply only to users who list them`() {
    let styles = [
      style { $0.decorations = [dot("a", size: 1), dot(size: 2), dot("b", size: 3)] }, style(),
    ]
    let lists = [[], ["a"], ["b"], ["a", "b"]]
    let users = lists.map { user(decorations: $0) }
    var variants = StyleVariants(styles)
    let numbers = users.map { variants.add($0, source(8, 8)) }
    #expect(
      numbers.map { sizes(variants.plans[$0[0].plan]) } == [[2], [1, 2], [2, 3], [1, 2, 3]])
    #expect(numbers.allSatisfy { $0[1] == Variant(plan: 1) })
    #expect(variants.plans.count == 5)
  }

  @Test func `some decorations depend on the source picture`() {
    let styles = [
      style {
        $0.decorations = [
          dot(when: .animated, size: 1), dot(when: .tall, size: 2), dot(when: .wide, size: 3),
          dot("vip", when: .wide, size: 5),
        ]
      }
    ]
    let users = [user(), user(decorations: ["vip"])]
    var variants = StyleVariants(styles)
    func drawn(_ user: User, _ source: Source) -> [Double] {
      let numbers = variants.add(user, source)
      return sizes(variants.plans[numbers[0].plan])
    }
    #expect(drawn(users[0], source(10, 30)).isEmpty)
    #expect(drawn(users[0], source(10, 31)) == [2])
    #expect(drawn(users[0], source(31, 10)) == [3])
    #expect(drawn(users[0], source(31, 10, turned: true)) == [2])
    #expect(drawn(users[1], source(31, 10)) == [3, 5])
    #expect(drawn(users[1], source(10, 10)).isEmpty)
    #expect(drawn(users[0], source(10, 10, frames: 2)) == [1])
    #expect(drawn(users[0], source(100, 10, frames: 2)) == [1, 3])
    #expect(drawn(users[0], Source(color: red)).isEmpty)
  }

  @Test func `all variants of a style have the same margins`() {
    let styles = [style { $0.decorations = [dot("a", size: 40), dot(size: 2)] }]
    let users = [user(), user(decorations: ["a"])]
    var variants = StyleVariants(styles)
    for user in users { _ = variants.add(user, source(8, 8)) }
    let plans = variants.plans
    #expect(plans.count == 2 && plans[0].inset == plans[1].inset && plans[0].inset != .none)
    #expect(plans.allSatisfy { $0.picture.first?.recipe.margins.right ?? 0 > 0 })
  }

  /// Without a detector the plan uses the fallback.
  @Test func `faces are detected only if a detector is available`() throws {
    func frame(_ style: AvatarStyle, detector: String?) throws -> Frame {
      let plan = StylePlan(style, resources: StyleResources(detector: detector))
      return try #require(plan.picture.first).recipe.frame
    }
    let smart = style { $0.finder = .face(headRoom: 0.25, isSmartOtherwise: true) }
    let point = style {
      $0.finder = .face(headRoom: 0.5, isSmartOtherwise: false)
      $0.focus = Focus(x: 0.5, y: 0)
    }
    let found = try frame(smart, detector: "d")
    #expect(found.finder == .face(detector: "d", headRoom: 0.25, isSmartOtherwise: true))
    #expect(found.focus == .center)
    #expect(
      try frame(point, detector: "d").finder
        == .face(detector: "d", headRoom: 0.5, isSmartOtherwise: false))
    #expect(try frame(point, detector: "d").focus == Focus(x: 0.5, y: 0))
    #expect(try frame(smart, detector: nil).finder == .smart)
    #expect(try frame(point, detector: nil).finder == nil)
    #expect(try frame(point, detector: nil).focus == Focus(x: 0.5, y: 0))
  }

  @Test func `a zoom is part of the recipe only if it has an effect`() throws {
    func frame(_ detector: String? = "d", _ change: (inout AvatarStyle) -> Void) throws -> Frame {
      let plan = StylePlan(style(change), resources: StyleResources(detector: detector))
      #expect(plan.drawn.allSatisfy { $0.recipe.frame.zoom == nil })
      return try #require(plan.picture.first).recipe.frame
    }
    #expect(try frame { $0.zoom = 1.6 }.zoom == 1.6)
    #expect(try frame { ($0.zoom, $0.fit) = (1.6, .contain) }.zoom == nil)
    let plain = try frame { $0.finder = .quickFace }
    // The key is derived from the JSON, so an unused field must not appear in it.
    let text = try String(decoding: JSONEncoder().encode(plain), as: UTF8.self)
    #expect(!text.contains("zoom"))
    let auto = try frame { ($0.finder, $0.zoom) = (.quickFace, nil) }
    #expect(auto != plain && auto.zoom == nil)
    #expect(
      try frame(nil) { ($0.finder, $0.zoom) = (.quickFace, nil) }
        == frame(nil) { $0.finder = .quickFace })
    // A pinned focus keeps a number, and replaces `auto`.
    for zoom in [1.6, nil] {
      let styles = [style { ($0.finder, $0.zoom) = (.quickFace, zoom) }]
      var variants = StyleVariants(styles, resources: StyleResources(detector: "d"))
      let variant = try #require(variants.add(user(focus: Focus(x: 0, y: 0)), source(8, 8)).first)
      let image = try #require(variants.images(of: variant, for: source(8, 8)).first)
      #expect(image.recipe.frame.zoom == zoom && image.recipe.frame.finder == nil)
    }
  }

  @Test func `a badge is identified by its digest`() throws {
    let inspection = Inspection(format: .png, size: PixelSize(width: 3, height: 4))
    var badges: [SourcePath: Badge] = [:]
    badges["b.png"] = ("abc", inspection)
    let decorated = style {
      $0.decorations = [.init(.badge("b.png", Located(FileLocation(file: "m"), path: "x")))]
    }
    let plan = StylePlan(decorated, resources: StyleResources(badges: badges))
    guard case .decoration(let decoration)? = plan.picture.first?.recipe.effects.first else {
      Issue.record("expected a decoration")
      return
    }
    #expect(decoration.content == .picture("abc", inspection))
  }
}
