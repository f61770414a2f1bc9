import Documents
import Imaging
import Sitegen
import Store
import Testing

struct LookBookTests {
  private let red = Color(red: 255, green: 0, blue: 0)

  private func style(_ change: (inout AvatarStyle) -> Void = { _ in }) -> AvatarStyle {
    var style = AvatarStyle(place: Place(file: "m.yaml"), path: "")
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
    User(
      id: "a", name: "a", styles: styles, focus: focus, decorations: decorations,
      place: Place(file: "m.yaml"), path: "")
  }

  private func source(_ width: Int, _ height: Int, frames: Int = 1, turned: Bool = false) -> Source
  {
    Source(
      digest: Digest(of: [UInt8(width & 255), UInt8(height & 255)]), origin: .file("x"),
      inspection: Inspection(
        format: .gif, size: PixelSize(width: width, height: height),
        orientation: turned ? 6 : 1, frames: frames))
  }

  /// The sizes of the decorations that a look draws.
  private func sizes(_ plan: StylePlan) -> [Double] {
    plan.picture.first?.recipe.effects.compactMap {
      if case .decoration(let decoration) = $0 { decoration.diameter } else { nil }
    } ?? []
  }

  @Test func `without wishes a look is a style`() {
    let styles = [style(), style { $0.decorations = [dot(), dot("online")] }]
    let users = (0..<100).map { _ in user() } + [user(styles: [1])]
    let book = LookBook(styles, users: users)
    #expect(book.plans.count == 2)
    #expect(book.looks(of: user(), source(8, 8)) == [0, 1])
    #expect(book.looks(of: user(styles: [1]), source(8, 800)) == [1])
    #expect(book.plans == styles.map { StylePlan($0) })
    #expect(sizes(book.plans[1]) == [4])
  }

  @Test func `a pinned focus wins over every style that crops`() throws {
    let styles = [
      style(), style { $0.finder = .smart }, style { $0.fit = .contain },
      style { $0.focus = Focus(x: 0, y: 0) },
    ]
    let pinned = user(focus: Focus(x: 0, y: 0))
    let book = LookBook(styles, users: [user(), pinned, pinned])
    let looks = book.looks(of: pinned, source(8, 8))
    #expect(looks[2] == 2 && looks[3] == 3)
    #expect(looks[0] >= 4 && looks[1] >= 4 && book.plans.count == 6)
    for look in looks where look != 2 {
      let frame = try #require(book.plans[look].picture.first).recipe.frame
      #expect(frame.focus == Focus(x: 0, y: 0) && frame.finder == nil)
    }
    #expect(book.looks(of: user(), source(8, 8)) == [0, 1, 2, 3])
    // What is plain to the picture is the same for colours.
    #expect(book.plans[looks[0]].color == book.plans[0].color)
  }

  @Test func `decorations are for those who list them`() {
    let styles = [
      style { $0.decorations = [dot("a", size: 1), dot(size: 2), dot("b", size: 3)] }, style(),
    ]
    let lists = [[], ["a"], ["b"], ["a", "b"]]
    let users = lists.map { user(decorations: $0) }
    let book = LookBook(styles, users: users)
    let drawn = users.map { sizes(book.plans[book.look(of: $0, style: 0, source(8, 8))]) }
    #expect(drawn == [[2], [1, 2], [2, 3], [1, 2, 3]])
    #expect(users.allSatisfy { book.look(of: $0, style: 1, source(8, 8)) == 1 })
    #expect(book.plans.count == 5)
  }

  @Test func `some decorations depend on the source`() {
    let styles = [
      style {
        $0.decorations = [
          dot(when: .animated, size: 1), dot(when: .tall, size: 2), dot(when: .wide, size: 3),
          dot("vip", when: .wide, size: 5),
        ]
      }
    ]
    let users = [user(), user(decorations: ["vip"])]
    let book = LookBook(styles, users: users)
    func drawn(_ user: User, _ source: Source) -> [Double] {
      sizes(book.plans[book.look(of: user, style: 0, source)])
    }
    #expect(drawn(users[0], source(10, 30)).isEmpty)
    #expect(drawn(users[0], source(10, 31)) == [2])
    #expect(drawn(users[0], source(31, 10)) == [3])
    #expect(drawn(users[0], source(31, 10, turned: true)) == [2])
    #expect(drawn(users[1], source(31, 10)) == [3, 5])
    #expect(drawn(users[1], source(10, 10)).isEmpty)
    #expect(drawn(users[0], source(10, 10, frames: 2)) == [1])
    #expect(drawn(users[0], source(100, 10, frames: 2)) == [1, 3])
    #expect(drawn(users[0], Source(digest: Digest(of: [1]), origin: .color(red))).isEmpty)
  }

  @Test func `all looks of a style leave the same room`() {
    let styles = [style { $0.decorations = [dot("a", size: 40), dot(size: 2)] }]
    let users = [user(), user(decorations: ["a"])]
    let plans = LookBook(styles, users: users).plans
    #expect(plans.count == 2 && plans[0].inset == plans[1].inset && plans[0].inset != .none)
    #expect(plans.allSatisfy { $0.picture.first?.recipe.margins.right ?? 0 > 0 })
  }

  /// Without a detector the plan does what comes after it.
  @Test func `faces are looked for where a detector is`() throws {
    func frame(_ style: AvatarStyle, detector: String?) throws -> Frame {
      let plan = StylePlan(style, materials: Materials(detector: detector))
      return try #require(plan.picture.first).recipe.frame
    }
    let smart = style { $0.finder = .face(headRoom: 0.25, isSmartOtherwise: true) }
    let point = style {
      $0.finder = .face(headRoom: 0.5, isSmartOtherwise: false)
      $0.focus = Focus(x: 0.5, y: 0)
    }
    let found = try frame(smart, detector: "d")
    #expect(
      found.finder == .face(.init(detector: "d", headRoom: 0.25, isSmartOtherwise: true)))
    #expect(found.focus == .center)
    #expect(
      try frame(point, detector: "d").finder
        == .face(.init(detector: "d", headRoom: 0.5, isSmartOtherwise: false)))
    #expect(try frame(point, detector: "d").focus == Focus(x: 0.5, y: 0))
    #expect(try frame(smart, detector: nil).finder == .smart)
    #expect(try frame(point, detector: nil).finder == nil)
    #expect(try frame(point, detector: nil).focus == Focus(x: 0.5, y: 0))
  }

  @Test func `a badge is named by its digest`() throws {
    let inspection = Inspection(format: .png, size: PixelSize(width: 3, height: 4))
    var badges = Badges()
    badges["b.png"] = .init(digest: "abc", inspection: inspection)
    let decorated = style {
      $0.decorations = [.init(.badge("b.png", place: Place(file: "m"), path: "x"))]
    }
    let plan = StylePlan(decorated, materials: Materials(badges: badges))
    guard case .decoration(let decoration)? = plan.picture.first?.recipe.effects.first else {
      Issue.record("no decoration")
      return
    }
    #expect(decoration.content == .picture("abc", inspection))
  }
}
