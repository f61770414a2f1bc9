import SiteSupport

struct BrokenStyleTests {
  /// The cases for each key are wrong types, values out of range, unknown keywords and conflicts.
  @Test(arguments: [
    // Shapes
    ("shape: continous", "3:12 avatars[0].shape unknown-value"),
    // Filters
    ("grayscale: 1", "3:16 avatars[0].grayscale wrong-type"),
    ("tint: sepiaish", "3:11 avatars[0].tint bad-color"),
    ("blur: -1", "3:11 avatars[0].blur out-of-range"),
    ("blur: 2px", "3:11 avatars[0].blur wrong-type"),
    // Border
    ("border: [{}, { width: -1 }]", "3:27 avatars[0].border[1].width out-of-range"),
    ("shape: { mask: a.svg }\n    border: { color: red }", "4:13 avatars[0].border conflict"),
    ("shape: {}", "3:12 avatars[0].shape missing-key"),
    ("border: { width: 2 px }", "3:22 avatars[0].border.width wrong-type"),
    ("border: { mode: outsid }", "3:21 avatars[0].border.mode unknown-value"),
    ("border: { mode: inset, gap: -1 }", "3:33 avatars[0].border.gap out-of-range"),
    ("border: { gap: 1 }", "3:20 avatars[0].border.gap conflict"),
    ("border: { mode: over, gap: 1 }", "3:32 avatars[0].border.gap conflict"),
    ("border: [{ gap: 1, color: red }]", "3:21 avatars[0].border[0].gap conflict"),
    (
      "border: { color: red, gradient: { colors: [red] } }",
      "3:37 avatars[0].border.gradient conflict"
    ),
    (
      "border: { gradient: { colors: [rod] } }",
      "3:36 avatars[0].border.gradient.colors[0] bad-color"
    ),
    (
      "border: { gradient: { direction: sideways } }",
      "3:38 avatars[0].border.gradient.direction unknown-value"
    ),
    (
      "border: { gradient: { direction: 1e9 } }",
      "3:38 avatars[0].border.gradient.direction out-of-range"
    ),
    ("border: { gradient: { color: red } }", "3:27 avatars[0].border.gradient.color unknown-key"),
    // Overlay
    ("overlay: red", "3:14 avatars[0].overlay wrong-type"),
    ("overlay: { colors: [rad] }", "3:25 avatars[0].overlay.colors[0] bad-color"),
    ("overlay: { kind: conic }", "3:16 avatars[0].overlay.kind unknown-key"),
    // Shadow
    ("shadow: { color: blak }", "3:22 avatars[0].shadow.color bad-color"),
    ("shadow: { radius: -1 }", "3:23 avatars[0].shadow.radius out-of-range"),
    ("shadow: { offset: [-20000, 0] }", "3:24 avatars[0].shadow.offset[0] out-of-range"),
    ("shadow: { opacity: 0.5 }", "3:15 avatars[0].shadow.opacity unknown-key"),
    // Focus
    ("focus: middle", "3:12 avatars[0].focus unknown-value"),
    ("focus: { headRoom: 1 }", "3:12 avatars[0].focus missing-key"),
    ("focus: { find: cat }", "3:20 avatars[0].focus.find unknown-value"),
    ("focus: { find: face, headRoom: -1 }", "3:36 avatars[0].focus.headRoom out-of-range"),
    ("focus: { find: smart, headRoom: 1 }", "3:37 avatars[0].focus.headRoom conflict"),
    ("focus: { find: smart, otherwise: smart }", "3:38 avatars[0].focus.otherwise conflict"),
    ("focus: { find: face, otherwise: [1%, x] }", "3:42 avatars[0].focus.otherwise[1] wrong-type"),
    // Zoom
    ("zoom: 0.9", "3:11 avatars[0].zoom out-of-range"),
    ("zoom: 4.1", "3:11 avatars[0].zoom out-of-range"),
    ("zoom: automatic", "3:11 avatars[0].zoom wrong-type"),
    ("zoom: 200%", "3:11 avatars[0].zoom wrong-type"),
    ("fit: contain\n    zoom: 2", "4:11 avatars[0].zoom conflict"),
    ("focus: smart\n    zoom: auto", "4:11 avatars[0].zoom conflict"),
    // Decorations
    ("decorations: { size: 14 }", "3:18 avatars[0].decorations missing-key"),
    ("decorations: { dot: red, badge: a.png }", "3:37 avatars[0].decorations.badge conflict"),
    ("decorations: { badge: \"\" }", "3:27 avatars[0].decorations.badge unknown-value"),
    ("decorations: { dot: red, name: \" \" }", "3:36 avatars[0].decorations.name bad-name"),
    ("decorations: { dot: red, size: 0 }", "3:36 avatars[0].decorations.size out-of-range"),
    ("decorations: { dot: red, corner: top }", "3:38 avatars[0].decorations.corner unknown-value"),
    ("decorations: { dot: red, at: [6, 1e6] }", "3:38 avatars[0].decorations.at[1] out-of-range"),
    ("decorations: { dot: red, when: long }", "3:36 avatars[0].decorations.when unknown-value"),
    ("decorations: { dot: red, colour: x }", "3:30 avatars[0].decorations.colour unknown-key"),
    // Formats
    ("maxBytes: 0", "3:15 avatars[0].maxBytes out-of-range"),
    ("maxBytes: { gif: 8000 }", "3:17 avatars[0].maxBytes.gif unknown-key"),
    ("formats: [heic]", "3:15 avatars[0].formats[0] not-supported"),
  ])
  func `each mistake causes exactly one message`(keys: String, problem: String) throws {
    #expect(try ManifestText.style(keys).problems() == [problem])
  }

  @Test(arguments: [
    ("focus: middle", "4:12 users[0].focus unknown-value (warning)"),
    ("focus: smart", "4:12 users[0].focus unknown-value (warning)"),
    ("focus: { find: face }", "4:12 users[0].focus wrong-type (warning)"),
    ("focus: [50%, 101%]", "4:18 users[0].focus[1] out-of-range (warning)"),
    ("decorations: online", "4:18 users[0].decorations unknown-decoration (warning)"),
    ("decorations: { online: true }", "4:18 users[0].decorations wrong-type (warning)"),
  ])
  func `invalid user options are reported`(keys: String, problem: String) throws {
    #expect(try ManifestText.user(keys).problems() == [problem])
  }

  @Test(arguments: [
    ("fallback: { file: x }", "2:11 fallback wrong-type"),
    ("fallback: \"color:#12\"", "2:11 fallback bad-color"),
    ("fallback: [a.png, \"color:\"]", "2:19 fallback[1] bad-color"),
  ])
  func `invalid fallbacks are reported`(keys: String, problem: String) throws {
    let text = ManifestText(text: "version: 1\n\(keys)\nusers: [{ id: a, avatar: b.png }]\n")
    #expect(try text.problems() == [problem])
  }

  @Test func `lists that are too long are rejected`() throws {
    let rings = Array(repeating: "{}", count: 17).joined(separator: ", ")
    #expect(
      try ManifestText.style("border: [\(rings)]").problems()
        == ["3:13 avatars[0].border too-many"])
    let colors = Array(repeating: "red", count: 257).joined(separator: ", ")
    #expect(
      try ManifestText.style("overlay: { colors: [\(colors)] }").problems()
        == ["3:24 avatars[0].overlay.colors too-many"])
    let dots = Array(repeating: "{ dot: red }", count: 33).joined(separator: ", ")
    #expect(
      try ManifestText.style("decorations: [\(dots)]").problems()
        == ["3:18 avatars[0].decorations too-many"])
  }

  /// A12: a ring that requires a square is dropped from other sizes with a warning at its position.
  @Test func `warnings about dropped borders identify the ring`() throws {
    let size = "size: [100, 60]\n    border: "
    #expect(
      try ManifestText.style(
        size + "[{ color: red }, { color: blue, allowNonSquare: true }, { width: hairline }]"
      ).problems() == ["4:14 avatars[0].border[0] border-skipped (warning)"])
    #expect(
      try ManifestText.style(
        size + "{ color: red, mode: outside, width: 100 }"
      ).problems() == ["4:13 avatars[0].border border-skipped (warning)"])
  }

  /// A11: inner rings may take half of the side in total, gaps included, but not more.
  @Test(arguments: [
    ("[{ width: 5, color: red }, { width: 5, color: blue }]", true),
    ("[{ width: 5, color: red }, { width: 6, color: blue }]", false),
    ("[{ width: 5, color: red, mode: inset, gap: 5 }]", true),
    ("[{ width: 5, color: red, mode: inset, gap: 5.5 }]", false),
    ("[{ width: 5, color: red }, { width: 60, color: blue, mode: outside }]", true),
    ("[{ width: 5, color: red }, { width: 60, color: blue, hidden: true }]", true),
    ("[{ width: 5, color: red }, { width: 60 }]", true),
    ("{ width: 10, color: red }", true), ("{ width: 10.1, color: red }", false),
  ])
  func `inner rings may take up at most half the side`(border: String, isDrawn: Bool) throws {
    let text = ManifestText.style("{ size: 20, border: \(border) }")
    #expect(
      try text.problems() == (isDrawn ? [] : ["3:25 avatars[0].border border-skipped (warning)"]))
    #expect(try #require(text.read().manifest).styles[0].border.isEmpty == !isDrawn)
  }

  @Test func `a ring over the picture ignores an inherited gap`() throws {
    let text = ManifestText(
      text: """
        version: 1
        avatars:
          - { name: base, border: { color: red, mode: inset, gap: 2 } }
          - { name: child, from: base, border: { mode: over } }
          - { name: own, from: base, border: { mode: over, gap: 3 } }
          - { name: late, from: child, border: { gap: 4 } }
          - { name: back, from: child, border: { mode: inset } }
        users: [{ id: a }]

        """)
    #expect(
      try text.problems() == [
        "5:57 avatars[2].border.gap conflict", "6:47 avatars[3].border.gap conflict",
      ])
    let sound = ManifestText(
      text: text.text.split(separator: "\n").filter { !$0.contains("own") && !$0.contains("late") }
        .joined(separator: "\n") + "\n")
    #expect(try sound.read().manifest?.styles.map { $0.border[0].gap } == [2, 0, 2])
  }

  @Test(arguments: [
    ("{ size: 20, border: { width: 11, color: red } }", "11 points", "10 points"),
    (
      "{ size: 20, border: { width: 6, color: red, mode: inset, gap: 5 } }", "11 points",
      "10 points"
    ),
    (
      "{ size: 1, scales: [1, 10], border: { width: hairline, color: red } }", "1 point",
      "0.5 points"
    ),
  ])
  func `warnings about thick borders include the total width`(
    style: String, depth: String, most: String
  ) throws {
    let problem = try #require(ManifestText.style(style).read().diagnostics.sorted.first)
    #expect(problem.id == "border-skipped")
    #expect(problem.message.contains("its rings and gaps take up \(depth), more than half"))
    #expect(problem.help?.hasPrefix("they may take up at most \(most) in total") == true)
  }

  @Test func `border checks skip scales at which the size rounds to zero pixels`() throws {
    #expect(
      try ManifestText.style(
        "{ scales: [1e-320], border: { width: hairline, color: red } }"
      ).problems() == ["3:5 avatars[0].size out-of-range"])
  }

  @Test(arguments: [
    "{ size: 64, shadow: { color: red, radius: 16384 } }",
    "{ size: 64, border: { color: red, width: 16000, mode: outside } }",
    "{ size: 64, decorations: { dot: red, size: 16384, at: [-16384, 0] } }",
    "{ size: 16384, scales: 1, shadow: { color: red, radius: 1 } }",
  ])
  func `oversized images are reported at the size key`(style: String) throws {
    #expect(try ManifestText.style(style).problems() == ["3:13 avatars[0].size out-of-range"])
  }

  @Test func `the error about an oversized canvas includes the image size`() throws {
    let text = ManifestText.style("{ size: 100, scales: 1, shadow: { color: red, radius: 3000 } }")
    #expect(
      try text.read().diagnostics.sorted.first?.note
        == "100 × 100 without its border, shadow and decorations")
  }

  /// Messages show the value as written, and the reason.
  @Test(arguments: [
    ("focus: [1%]", "expected two percentages, such as [50%, 40%], got a list of 1", nil),
    ("focus: [1%, 2%, 3%]", "expected two percentages, such as [50%, 40%], got a list of 3", nil),
    (
      "focus: { find: face, otherwise: [] }",
      "expected two percentages, such as [50%, 40%], got a list of 0", nil
    ),
    ("size: [1]", "expected a number or [width, height], got a list of 1", nil),
    (
      "shadow: { spread: 20000 }", "20000 is out of range",
      "write a number from -16,384 to 16,384"
    ),
    (
      "decorations: { dot: red, at: [6, 20000] }", "20000 is out of range",
      "write a number from -16,384 to 16,384"
    ),
  ])
  func `messages describe the invalid value`(style: String, message: String, help: String?) throws {
    let problem = try #require(ManifestText.style(style).read().diagnostics.sorted.first)
    #expect(problem.message == message && problem.help == help)
  }

  @Test func `an unsupported output format is rejected with a reason`() throws {
    let problem = try #require(ManifestText.style("formats: [jxl]").read().diagnostics.sorted.first)
    #expect(problem.id == "not-supported" && problem.message == "cannot write `jxl` files")
    #expect(problem.note == OutputFormat.unsupported["jxl"])
    #expect(problem.help?.contains("until") == false)
  }

  /// The worker renders the whole canvas, including the margins.
  @Test func `margins count towards the worker's canvas limit`() throws {
    let text = ManifestText.style(
      "{ size: 100, scales: 1, formats: png, shadow: { color: red, radius: 2800 } }")
    let problem = try #require(text.read().diagnostics.sorted.first)
    #expect(problem.message == "an image of 16900 × 16900 pixels is too large at scale 1")
    #expect(problem.help == "reduce `size`: a png image may have up to 16,384 pixels per side")
    #expect(problem.path == "avatars[0].size")
    let many = ManifestText.style("{ size: 2000, scales: 1, shadow: { color: red, radius: 650 } }")
    #expect(try many.read().diagnostics.sorted.map(\.path) == ["avatars[0].size"])
    let fine = ManifestText.style("{ size: 2000, scales: 1, shadow: { color: red, radius: 500 } }")
    #expect(try fine.problems().isEmpty)
  }
}
