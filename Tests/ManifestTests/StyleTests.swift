import SiteSupport

struct StyleTests {
  private func style(_ keys: String) throws -> AvatarStyle {
    let manifest = try #require(try ManifestText.style(keys).read().manifest)
    return try #require(manifest.styles.first)
  }

  /// A2: a size of 0 is an error that names the key's path; a radius of 0 is valid.
  @Test func `a size of 0 is reported with the key's path`() throws {
    let (manifest, diagnostics) = try ManifestText.style("size: 0").read()
    #expect(manifest == nil)
    #expect(
      diagnostics.sorted == [
        Diagnostic(
          .error, "out-of-range", "0 is out of range",
          at: FileLocation(file: "content/manifest.yaml", position: Position(line: 3, column: 11)),
          path: "avatars[0].size", help: "write a number above 0 and up to 16,384")
      ])
    #expect(try style("{ shape: rounded, radius: 0 }").radius == .points(0))
  }

  @Test(arguments: [
    ("{ size: [16384, 1], scales: 1, formats: png }", ""), ("{ size: [16383, 1], scales: 1 }", ""),
    (
      "{ size: [16384, 1], scales: 1 }",
      "an image of 16384 × 1 pixels is too large at scale 1: reduce `size`: "
        + "a webp image may have up to 16,383 pixels per side"
    ),
    (
      "{ size: [1, 5462], scales: [1, 3], formats: [png, jpeg], opaque: true }",
      "an image of 3 × 16386 pixels is too large at scale 3: reduce `size`: "
        + "a png image may have up to 16,384 pixels per side"
    ),
    ("{ size: [8000, 4000], scales: 1 }", ""),
    (
      "{ size: [4001, 4000], scales: [1, 2], formats: png }",
      "an image of 8002 × 8000 pixels is too large at scale 2: reduce `size`: "
        + "an image may have up to 32,000,000 pixels"
    ),
    (
      "{ size: 4, scales: 0.1 }",
      "an image of 0 × 0 pixels is too small at scale 0.1: increase `size`: "
        + "an image needs at least 1 pixel per side"
    ),
  ])
  func `image sizes are checked against the format and worker limits`(
    keys: String, problem: String
  ) throws {
    let problems = try ManifestText.style(keys).read().diagnostics.sorted.map {
      "\($0.message): \($0.help ?? "")"
    }
    #expect(problems == (problem.isEmpty ? [] : [problem]))
  }

  /// A15: a width of 1.9 is not rounded; negative, infinite and undefined widths are errors.
  @Test func `widths may be fractional but not negative`() throws {
    #expect(try style("border: { width: 1.9, color: red }").border.first?.width == .points(1.9))
    #expect(try style("border: { width: 0, color: red }").border.first?.width == .points(0))
    let width = "3:22 avatars[0].border.width"
    for (text, id) in [
      ("-1", "out-of-range"), ("-0.1", "out-of-range"), ("NaN", "wrong-type"),
      ("inf", "wrong-type"), ("1e400", "out-of-range"), ("0x2", "wrong-type"),
    ] {
      let problems = try ManifestText.style("border: { width: \(text), color: red }").problems()
      #expect(problems == ["\(width) \(id)"])
    }
  }

  /// B5: booleans are exactly `true` and `false`; quoted ones and numbers are type errors.
  @Test(arguments: ["\"false\"", "\"true\"", "1", "0", "yes", "no", "on", "True", "FALSE", "[]"])
  func `only true and false are accepted as booleans`(text: String) throws {
    let hidden = ManifestText.style("border: { hidden: \(text) }")
    #expect(try hidden.problems() == ["3:23 avatars[0].border.hidden wrong-type"])
    let opaque = ManifestText.style("opaque: \(text)")
    #expect(try opaque.problems() == ["3:13 avatars[0].opaque wrong-type"])
    #expect(try style("border: { hidden: true }").border.first?.hidden == true)
  }

  /// A12: a border on a size that is not square is dropped with one warning, unless allowed.
  @Test func `a border requires a square box or allowNonSquare`() throws {
    let size = "size: [100, 60]\n    border: { width: 2, color: red"
    let (manifest, diagnostics) = try ManifestText.style("\(size) }").read()
    #expect(manifest?.styles.first?.border.isEmpty == true)
    #expect(
      diagnostics.sorted == [
        Diagnostic(
          .warning, "border-skipped", "the border is left out: 100 × 60 is not square",
          at: FileLocation(file: "content/manifest.yaml", position: Position(line: 4, column: 13)),
          path: "avatars[0].border", help: "add `allowNonSquare: true` to the border")
      ])
    let allowed = "\(size), allowNonSquare: true }"
    #expect(try ManifestText.style(allowed).problems().isEmpty)
    #expect(try style(allowed).border.first?.width == .points(2))
  }

  @Test func `JPEG requires an opaque style or an opaque background`() throws {
    let formats = "formats: [png, jpeg]"
    for keys in ["", "\n    background: \"#fff8\"", "\n    opaque: false"] {
      let problems = try ManifestText.style(formats + keys).problems()
      #expect(problems == ["3:14 avatars[0].formats jpeg-needs-background"])
    }
    #expect(try style("\(formats)\n    opaque: true").formats == [.png, .jpeg])
    #expect(try style("\(formats)\n    background: \"#fff\"").background == .white)
  }

  /// C9: a style of half a point is not drawn at any scale, which is reported as a note.
  @Test func `a style smaller than one point is not drawn`() throws {
    for size in ["0.5", "[0.5, 10]", "[10, 0.999]"] {
      let text = ManifestText.style("size: \(size)\n    scales: 2")
      #expect(try text.problems() == ["3:11 avatars[0].size style-too-small (note)"])
      #expect(try text.read().manifest?.styles.first?.drawsNothing == true)
    }
    #expect(try !style("size: 1").drawsNothing)
  }

  @Test func `the error about an unquoted colour suggests quoting it`() throws {
    let text = ManifestText.style("border:\n      color: #fff\n      width: 2")
    #expect(
      try text.read().diagnostics.sorted == [
        Diagnostic(
          .error, "empty-color", "the colour is empty, because `#fff` without quotes is a comment",
          at: FileLocation(file: "content/manifest.yaml", position: Position(line: 4, column: 7)),
          path: "avatars[0].border.color", help: "write `color: \"#fff\"`")
      ])
    #expect(
      try ManifestText.style("background: # later").problems()
        == ["3:5 avatars[0].background empty-color (note)"])
    #expect(try ManifestText.style("border: # the ring\n      color: red").problems().isEmpty)
    #expect(try ManifestText.style("background: null").problems().isEmpty)
  }

  @Test func `scales are sorted and distinct, and formats keep their order`() throws {
    let style = try style("scales: [3, 1, 1.0, 1.5]\n    formats: [png, webp, png]")
    #expect(style.scales == [1, 1.5, 3])
    #expect(style.formats == [.png, .webp])
  }

  @Test func `lengths are points or fractions`() throws {
    #expect(try style("{ shape: rounded, radius: 12 }").radius == .points(12))
    let one = try style("{ shape: rounded, radius: 12.5%, corners: tl }")
    #expect(one.radius == .fraction(0.125) && one.corners == [.topLeft])
    #expect(try style("focus: [0%, 100%]").focus == Focus(x: 0, y: 1))
  }
}
