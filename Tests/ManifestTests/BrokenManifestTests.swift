import SiteSupport

/// Checks the error, its position and its path; each case has only one error.
struct BrokenManifestTests {
  /// M21: sizes, radii, borders, counts and colours are refused with their allowed range.
  ///
  /// B13: every invalid colour is refused with its path.
  @Test(arguments: [
    ("size: 0", "3:11 avatars[0].size out-of-range"),
    ("size: 1e9", "3:11 avatars[0].size out-of-range"),
    ("size: .nan", "3:11 avatars[0].size wrong-type"),
    ("size: 0x40", "3:11 avatars[0].size wrong-type"),
    ("size: 064", "3:11 avatars[0].size wrong-type"),
    ("size: 1_000", "3:11 avatars[0].size wrong-type"),
    ("size: 64px", "3:11 avatars[0].size wrong-type"),
    ("size: \"64\"", "3:11 avatars[0].size wrong-type"),
    ("size: [64]", "3:11 avatars[0].size wrong-type"),
    ("size: [64, 0]", "3:16 avatars[0].size[1] out-of-range"),
    ("size: 5462", "3:11 avatars[0].size out-of-range"),
    ("size: [1, 6000]", "3:11 avatars[0].size out-of-range"),
    ("{ size: 1, scales: 0.4 }", "3:13 avatars[0].size out-of-range"),
    ("scales: []", "3:13 avatars[0].scales out-of-range"),
    ("scales: [1, 0]", "3:17 avatars[0].scales[1] out-of-range"),
    ("scales: [1, 2, 3, 4, 5, 6, 7, 8, 9]", "3:13 avatars[0].scales too-many"),
    ("shape: blob", "3:12 avatars[0].shape unknown-value"),
    ("radius: 101%", "3:13 avatars[0].radius out-of-range"),
    ("radius: \"%\"", "3:13 avatars[0].radius wrong-type"),
    ("corners: [tl, xx]", "3:19 avatars[0].corners[1] unknown-value"),
    ("focus: 50%", "3:12 avatars[0].focus unknown-value"),
    ("border: { width: -1, color: red }", "3:22 avatars[0].border.width out-of-range"),
    ("border: { color: reed }", "3:22 avatars[0].border.color bad-color"),
    ("border: { mode: under }", "3:21 avatars[0].border.mode unknown-value"),
    ("background: \"rgb(1,2\"", "3:17 avatars[0].background bad-color"),
    ("background: \"#12345\"", "3:17 avatars[0].background bad-color"),
    ("formats: [png, heic]", "3:20 avatars[0].formats[1] not-supported"),
    ("formats: jpeg", "3:14 avatars[0].formats jpeg-needs-background"),
    ("quality: 80", "3:14 avatars[0].quality wrong-type"),
    ("quality: { webp: 0 }", "3:22 avatars[0].quality.webp out-of-range"),
    ("quality: { png: 80 }", "3:16 avatars[0].quality.png unknown-key"),
    ("name: Round", "3:11 avatars[0].name bad-name"),
    ("name: ../x", "3:11 avatars[0].name bad-name"),
    ("from: other", "3:11 avatars[0].from unknown-style"),
    ("from: round", "3:11 avatars[0].from style-cycle"),
    ("- 1", "3:5 avatars[0] wrong-type"),
  ])
  func `invalid style values are reported`(keys: String, problem: String) throws {
    #expect(try ManifestText.style(keys).problems() == [problem])
  }

  /// I21: colours, sizes and radii of buttons.
  @Test(arguments: [
    ("highlighted: Auto", "5:18 buttons[0].highlighted bad-color"),
    ("title: auto", "5:12 buttons[0].title bad-color"),
    ("dark: { normal: auto }", "5:21 buttons[0].dark.normal bad-color"),
    ("dark: { normal: blue, disabled: auto }", "5:37 buttons[0].dark.disabled missing-key"),
    ("highlighted: sane", "5:18 buttons[0].highlighted bad-color"),
    ("dark: { normal: blu }", "5:21 buttons[0].dark.normal bad-color"),
    ("title: white\n    dark: { title: x }", "6:20 buttons[0].dark.title bad-color"),
    ("dark: { normal: blue, radius: 1 }", "5:27 buttons[0].dark.radius unknown-key"),
    ("dark: { normal: blue, disabled: red }", "5:37 buttons[0].dark.disabled missing-key"),
    ("dark: { normal: blue, focused: same }", "5:36 buttons[0].dark.focused missing-key"),
    ("dark: blue", "5:11 buttons[0].dark wrong-type"),
    ("radius: -0.5", "5:13 buttons[0].radius out-of-range"),
    ("radius: 25%", "5:13 buttons[0].radius wrong-type"),
    ("emit: [css, webp]", "5:17 buttons[0].emit[1] unknown-value"),
    ("emit: png\n    radius: 257", "3:5 buttons[0] out-of-range"),
    ("emit: png\n    border: { width: 257, color: red }", "3:5 buttons[0] out-of-range"),
    ("template: 1", "5:15 buttons[0].template wrong-type"),
    ("shadow: { spred: 1 }", "5:15 buttons[0].shadow.spred unknown-key"),
    ("shape: circle", "5:12 buttons[0].shape unknown-value"),
    ("emit: png\n    overlay: { colors: [red, blue] }", "3:5 buttons[0] conflict"),
  ])
  func `invalid button values are reported`(keys: String, problem: String) throws {
    #expect(try ManifestText.button(keys).problems() == [problem])
  }

  /// B3: a button is one plain colour; gradients and URLs are errors with their path.
  @Test(arguments: [
    ("\"linear-gradient(red, blue)\"", "bad-color"), ("\"url(x.png)\"", "bad-color"),
    ("url(x.png)", "bad-color"), ("\"red, blue\"", "bad-color"), ("x.png", "bad-color"),
    ("https://example.org/x.png", "bad-color"), ("[red, blue]", "wrong-type"), ("[]", "wrong-type"),
    ("{ colors: [red, blue], kind: linear }", "wrong-type"), ("{ url: x.png }", "wrong-type"),
    ("{}", "wrong-type"),
  ])
  func `gradients are rejected as button colours`(value: String, id: String) throws {
    for key in ["highlighted", "disabled", "selected", "focused", "title"] {
      let column = 7 + key.utf8.count
      let problems = try ManifestText.button("\(key): \(value)").problems()
      #expect(problems == ["5:\(column) buttons[0].\(key) \(id)"])
      let text = """
        version: 1
        buttons:
          - name: b
            normal: red
            disabled: red
            selected: red
            focused: red
            dark:
              normal: blue
              \(key): \(value)

        """
      let dark = try ManifestText(text: text).problems()
      #expect(dark == ["10:\(column + 2) buttons[0].dark.\(key) \(id)"])
    }
    let normal = ManifestText(text: "version: 1\nbuttons: [{ name: b, normal: \(value) }]\n")
    #expect(try normal.problems() == ["2:30 buttons[0].normal \(id)"])
  }

  @Test(arguments: [
    ("name: \"a\\tb\"", "4:11 users[0].name bad-text (warning)"),
    ("avatar: \"color:#12345\"", "4:13 users[0].avatar bad-color (warning)"),
    ("avatar: [a.jpg, \"color:\"]", "4:21 users[0].avatar[1] bad-color (warning)"),
    ("tags: { a: b }", "4:11 users[0].tags wrong-type (warning)"),
    ("styles: [round, rund]", "4:21 users[0].styles[1] unknown-style (warning)"),
    ("styles: square", "4:13 users[0].styles unknown-style (warning)"),
    ("avater: a.jpg", "4:5 users[0].avater unknown-key"),
    ("\"\": x", "4:5 users[0].\"\" unknown-key"),
  ])
  func `invalid user values are reported`(keys: String, problem: String) throws {
    #expect(try ManifestText.user(keys).problems() == [problem])
  }

  @Test(arguments: [
    ("users: [{ id: a }]", "1:1 version-missing"),
    ("version:\nusers: [{ id: a }]", "1:1 version-missing"),
    ("version: \"1\"\nusers: [{ id: a }]", "1:10 version wrong-type"),
    ("version: 2\nusers: 5", "1:10 version version-unknown"), ("[1, 2]", "1:1 wrong-type"),
    ("version: 1\nsite: The team\nusers: [{ id: a }]", "2:7 site wrong-type"),
    ("version: 1\nsite: { titel: x }\nusers: [{ id: a }]", "2:9 site.titel unknown-key"),
    ("version: 1\nsite: { language: \"\" }\nusers: [{ id: a }]", "2:19 site.language bad-language"),
    ("version: 1\nsite: { title: \"a\\nb\" }\nusers: [{ id: a }]", "2:16 site.title bad-text"),
    ("version: 1\navatars: []\nusers: [{ id: a }]", "2:10 avatars out-of-range"),
    ("version: 1\navatars: [{}, {}]\nusers: [{ id: a }]", "2:15 avatars[1] duplicate-name"),
    ("version: 1\nbuttons: {}", "2:10 buttons wrong-type"),
    ("version: 1\nbuttons: [{ normal: red }]", "2:11 buttons[0] missing-key"),
    ("version: 1\nbuttons: [{ name: a }]", "2:11 buttons[0] missing-key"),
    ("version: 1\nbuttons: [{ name: \" \", normal: red }]", "2:19 buttons[0].name bad-name"),
    (
      "version: 1\nbuttons: [{ name: a, normal: red }, { name: a, normal: red }]",
      "2:45 buttons[1].name duplicate-name"
    ),
    ("version: 1\nusers: ada", "2:8 users wrong-type"),
    ("version: 1\nusers: {}", "2:8 users missing-key"),
    ("version: 1\nusers: { from: users.txt }", "2:16 users.from unknown-value"),
    ("version: 1\nusers: { from: users.csv }", "2:16 users.from users-unreadable"),
    ("version: 1\nusers: [{ name: Ada }]", "2:11 users[0] missing-key"),
    ("version: 1\nallowOutside: yes\nusers: [{ id: a }]", "2:15 allowOutside wrong-type"),
    ("version: 1\nexports: [ios]\nusers: [{ id: a }]", "2:11 exports[0] unknown-value"),
    ("version: 1\nexports: icons\nusers: [{ id: a }]", "2:10 exports missing-key"),
    ("version: 1\nicons: { from: \"\" }\nusers: [{ id: a }]", "2:16 icons.from missing-key"),
    ("version: 1\nposter: { size: 7 }\nusers: [{ id: a }]", "2:17 poster.size out-of-range"),
    ("version: 1\nposter: { style: x }\nusers: [{ id: a }]", "2:18 poster.style unknown-style"),
    ("version: 1\nposter: { tiers: [] }\nusers: [{ id: a }]", "2:18 poster.tiers out-of-range"),
    (
      "version: 1\nposter: { tiers: [{ tga: x }] }\nusers: [{ id: a }]",
      "2:21 poster.tiers[0].tga unknown-key"
    ),
    ("version: 1\nicons: {}\nusers: [{ id: a }]", "2:8 icons missing-key"),
    ("version: 1\nicons: { from: \"color:x\" }\nusers: [{ id: a }]", "2:16 icons.from bad-color"),
    ("version: 1\nstrips: [{ name: a }]\nusers: [{ id: a }]", "2:10 strips[0] missing-key"),
    (
      "version: 1\nnetwork: { allow: [10.0.0.0/33] }\nusers: [{ id: a }]",
      "2:20 network.allow[0] bad-network"
    ),
    (
      "version: 1\nnetwork: { allow: [\"a.example:80\"] }\nusers: [{ id: a }]",
      "2:20 network.allow[0] bad-network"
    ),
    (
      "version: 1\nnetwork: { allow: [256.1] }\nusers: [{ id: a }]",
      "2:20 network.allow[0] bad-network"
    ),
    (
      "version: 1\nnetwork: { proxy: \"http://a:b@c\" }\nusers: [{ id: a }]",
      "2:19 network.proxy bad-link"
    ),
    (
      "version: 1\nnetwork: { services: { github: github.com } }\nusers: [{ id: a }]",
      "2:32 network.services.github bad-link"
    ),
  ])
  func `invalid manifest values are reported`(text: String, problem: String) throws {
    #expect(try ManifestText(text: text + "\n").problems() == [problem])
  }

  @Test(arguments: [
    ("pages: { feed: true }", "remove it; `assets.json` lists all people"),
    ("notices: { plain: off }", "remove it"), ("notices: { round: off }", "remove it"),
  ])
  func `removed keys get a migration hint`(line: String, help: String) throws {
    let text = ManifestText(text: "version: 1\n\(line)\nusers: [{ id: a }]\n")
    let problem = try #require(text.read().diagnostics.sorted.first)
    #expect(problem.id == "unknown-key" && problem.message.hasSuffix("was removed"))
    #expect(problem.help == help)
  }
}
