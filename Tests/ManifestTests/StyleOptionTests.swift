import SiteSupport

struct StyleOptionTests {
  private let red = Color(red: 255, green: 0, blue: 0)
  private let blue = Color(red: 0, green: 0, blue: 255)

  private func style(_ keys: String) throws -> AvatarStyle {
    let text = ManifestText.style(keys)
    #expect(try text.problems().isEmpty, "\(keys)")
    return try #require(try text.read().manifest?.styles.first)
  }

  @Test func `setting an option to its default has no effect`() throws {
    let plain = try style("{}")
    for keys in [
      "border: []", "overlay: {}", "overlay: { colors: [] }", "decorations: []", "blur: 0",
      "grayscale: false", "overlay: { direction: up }", "focus: center", "maxBytes: {}",
      "zoom: 1",
    ] {
      #expect(try style(keys) == plain, "\(keys)")
    }
  }

  @Test(arguments: [
    ("[50%, 40%]", 0.5, 0.4), ("center", 0.5, 0.5), ("top", 0.5, 0), ("bottom", 0.5, 1),
    ("left", 0, 0.5), ("right", 1, 0.5), ("top-left", 0, 0), ("top-right", 1, 0),
    ("bottom-left", 0, 1), ("bottom-right", 1, 1),
  ])
  func `a focus is a point, a side or a corner`(text: String, x: Double, y: Double) throws {
    let style = try style("focus: \(text)")
    #expect(style.focus == Focus(x: x, y: y) && style.finder == nil)
    let user = try #require(ManifestText.user("focus: \(text)").read().manifest?.users.first)
    #expect(user.focus == Focus(x: x, y: y))
  }

  @Test(arguments: [
    ("smart", AvatarStyle.Finder.smart, Focus.center),
    ("face", .face(headRoom: 0.3, isSmartOtherwise: true), .center),
    ("{ find: smart }", .smart, .center),
    ("{ find: smart, otherwise: top }", .smart, Focus(x: 0.5, y: 0)),
    ("{ find: face }", .face(headRoom: 0.3, isSmartOtherwise: true), .center),
    (
      "{ find: face, headRoom: 25%, otherwise: smart }",
      .face(headRoom: 0.25, isSmartOtherwise: true), .center
    ),
    (
      "{ find: face, headRoom: 0.5, otherwise: [10%, 20%] }",
      .face(headRoom: 0.5, isSmartOtherwise: false), Focus(x: 0.1, y: 0.2)
    ),
    (
      "{ find: face, headRoom: 0, otherwise: center }",
      .face(headRoom: 0, isSmartOtherwise: false), .center
    ),
  ])
  func `a focus can be detected automatically`(
    text: String, finder: AvatarStyle.Finder, focus: Focus
  ) throws {
    let style = try style("focus: \(text)")
    #expect(style.finder == finder && style.focus == focus)
  }

  @Test func `a zoom is a number, or automatic for faces`() throws {
    #expect(try style("zoom: 1.6").zoom == 1.6 && style("zoom: 4").zoom == 4)
    #expect(try style("{ zoom: auto, focus: face }").zoom == nil)
    #expect(try style("{ zoom: auto, focus: { find: face, otherwise: top } }").zoom == nil)
    let styles = "[{ name: a, focus: face, zoom: auto }, { name: b, from: a, fit: contain }]"
    let text = ManifestText(text: "version: 1\nusers: [{ id: a, name: a }]\navatars: \(styles)\n")
    #expect(try text.problems().isEmpty)
  }

  @Test func `a border is a ring or a list of rings`() throws {
    var ring = AvatarStyle.Ring(width: 2, color: red, mode: .outside, gap: 3)
    ring.allowNonSquare = true
    let keys = "{ width: 2, color: red, mode: outside, gap: 3, allowNonSquare: true }"
    #expect(try style("border: \(keys)").border == [ring])
    #expect(try style("border: [\(keys), { width: hairline }]").border.count == 2)
    #expect(try style("border: { width: hairline }").border.first?.width == .hairline)
    #expect(try style("border: {}").border == [AvatarStyle.Ring(width: 1, color: nil)])
  }

  @Test(arguments: [
    ("{ colors: [red, blue] }", 180.0, false), ("{ colors: [red, blue], direction: up }", 0, false),
    ("{ colors: [red, blue], direction: left }", 270, false),
    ("{ colors: [red, blue], direction: right, kind: linear }", 90, false),
    ("{ colors: [red, blue], direction: -12.5 }", -12.5, false),
    ("{ colors: [red, blue], kind: conic }", 0, true),
    ("{ colors: [red, blue], kind: conic, direction: down }", 180, true),
  ])
  func `a gradient can have any direction`(text: String, degrees: Double, isConic: Bool) throws {
    let fill: Fill =
      isConic ? .conic([red, blue], degrees: degrees) : .linear([red, blue], degrees: degrees)
    #expect(try style("border: { gradient: \(text) }").border.first?.fill == fill)
    if !text.contains("kind") { #expect(try style("overlay: \(text)").overlay == fill) }
  }

  /// E5: an overlay without colours is not drawn; one colour is solid, and more are gradient stops.
  @Test func `an overlay can have any number of colours`() throws {
    #expect(try style("overlay: { colors: [] }").overlay == nil)
    #expect(try style("overlay: { colors: red }").overlay == .solid(red))
    #expect(try style("overlay: { colors: [red] }").overlay == .solid(red))
    let three = try style("overlay: { colors: [red, white, blue] }").overlay
    #expect(three == .linear([red, .white, blue], degrees: 180))
  }

  /// E4: a grey or short colour equals its form with four components.
  @Test(arguments: [
    ("gray(50%)", "rgba(128, 128, 128, 1)"), ("white", "#ffffffff"), ("#fff8", "#ffffff88"),
    ("gray(0 / 50%)", "rgb(0 0 0 / 0.5)"),
  ])
  func `colours are expanded to four components`(short: String, long: String) throws {
    for key in [
      "tint: ?", "overlay: { colors: [?, red] }", "shadow: { color: ? }",
      "border: { gradient: { colors: [?, red] } }", "decorations: { dot: ? }",
    ] {
      func style(_ color: String) throws -> AvatarStyle {
        try self.style(key.replacing("?", with: "\"\(color)\""))
      }
      #expect(try style(short) == style(long), "\(key)")
    }
  }

  @Test func `a shadow requires only a colour`() throws {
    #expect(try style("shadow: { color: red }").shadow == Shadow(color: red))
    #expect(
      try style("shadow: { color: red, radius: 10, offset: [-1, 4], spread: -2 }").shadow
        == Shadow(color: red, radius: 10, x: -1, y: 4, outset: -2))
  }

  @Test func `a decoration is a dot or a badge`() throws {
    let decorations = try style(
      "decorations: [{ dot: red }, { badge: b/v.png, name: verified, size: 20, corner: tl, "
        + "at: [6, -2], gap: 2, when: animated }]"
    ).decorations
    #expect(decorations.count == 2)
    var dot = AvatarStyle.Decoration(.dot(red))
    #expect(decorations.first == dot)
    #expect(dot.size == 14 && dot.corner == .bottomRight && dot.distance == nil && dot.gap == 0)
    guard case .badge("b/v.png", let declared)? = decorations.last?.content else {
      Issue.record("expected a badge")
      return
    }
    #expect(declared.path == "avatars[0].decorations[1].badge")
    #expect(declared.location.position?.line == 3)
    dot = try #require(decorations.last)
    #expect(dot.name == "verified" && dot.size == 20 && dot.corner == .topLeft)
    #expect(dot.distance == .init(x: 6, y: -2) && dot.gap == 2 && dot.condition == .animated)
  }

  @Test func `a file size limit applies to all formats or to one`() throws {
    let all = try style("maxBytes: 20000").maxBytes
    #expect(all == [.png: 20_000, .webp: 20_000, .avif: 20_000, .jpeg: 20_000])
    let own = try style("maxBytes: { webp: 8000, png: 1 }").maxBytes
    #expect(own == [.webp: 8_000, .png: 1])
  }

  @Test func `mappings are inherited key by key, and lists as a whole`() throws {
    let styles = try #require(
      ManifestText(
        text: """
          version: 1
          avatars:
            - name: base
              tint: red
              blur: 2
              grayscale: true
              border: { gradient: { colors: [red, blue] }, mode: inset, gap: 2 }
              overlay: { colors: [red, blue], direction: left }
              shadow: { color: red, radius: 4, offset: [1, 2], spread: 3 }
              decorations: [{ dot: red }, { dot: blue }]
              maxBytes: { png: 5, webp: 6 }
              focus: { find: face, otherwise: top }
            - { name: same, from: base }
            - name: other
              from: base
              border: { color: blue }
              overlay: { colors: [] }
              shadow: { color: transparent }
              decorations: []
              maxBytes: { png: 7 }
              focus: left
              grayscale: false
            - { name: rings, from: base, border: [{ color: blue }] }
          users: [{ id: a }]

          """
      ).read().manifest?.styles)
    var same = styles[1]
    (same.name, same.declared) = (styles[0].name, styles[0].declared)
    (same.focusLocation, same.limitLocation) = (styles[0].focusLocation, styles[0].limitLocation)
    #expect(same == styles[0])
    #expect(styles[2].border == [AvatarStyle.Ring(width: 1, color: blue, mode: .inset, gap: 2)])
    #expect(styles[2].overlay == nil && styles[2].shadow?.radius == 4)
    #expect(styles[2].decorations.isEmpty && !styles[2].isGrayscale && styles[2].blur == 2)
    #expect(styles[2].maxBytes == [.png: 7, .webp: 6])
    #expect(styles[2].focus == Focus(x: 0, y: 0.5) && styles[2].finder == nil)
    #expect(styles[3].border == [AvatarStyle.Ring(width: 1, color: blue)])
  }
}
