import SiteSupport

struct ManifestReaderTests {
  @Test func `a complete manifest is read`() throws {
    let text = ManifestText(
      text: """
        version: 1
        site: { title: The team, description: "Who\\nwe are", language: pt-BR }
        allowOutside: true
        buttons:
          - name: Primary!
            normal: "#0a84ff"
            highlighted: blue
            disabled: same
            dark: { normal: navy }
            title: white
            radius: 10
            border: { color: "#0060df" }
        users: [{ id: ada, name: Ada }]

        """)
    let manifest = try #require(try text.read().manifest)
    let normal = Color(red: 0x0A, green: 0x84, blue: 0xFF)
    let navy = Color(red: 0, green: 0, blue: 0x80)
    #expect(manifest.site.title == "The team" && manifest.site.description == "Who\nwe are")
    #expect(manifest.site.language == "pt-BR" && manifest.site.url == nil)
    #expect(manifest.allowOutside)
    let blue = Color(red: 0, green: 0, blue: 255)
    var light = ButtonStyle.Colors(normal: normal, highlighted: blue)
    (light.others[.disabled], light.title) = (normal, .white)
    var dark = ButtonStyle.Colors(normal: navy, highlighted: blue)
    (dark.others[.disabled], dark.title) = (navy, .white)
    let location = FileLocation(
      file: "content/manifest.yaml", position: Position(line: 5, column: 5))
    var button = ButtonStyle(
      name: "Primary!", light: light, declared: Located(location, path: "buttons[0]"))
    (button.dark, button.radius) = (dark, 10)
    button.border = .init(width: 1, color: Color(red: 0, green: 0x60, blue: 0xDF))
    #expect(manifest.buttons == [button])
    #expect(manifest.users.map(\.name) == ["Ada"])
  }

  /// M24: unknown keys name their path and the nearest key; so do wrong types and versions.
  @Test(arguments: [
    ("version: 1\nuser: []\nusers: [{ id: a }]", "user", "did you mean `users`?"),
    (
      "version: 1\n__proto__: {}\nusers: [{ id: a }]", "__proto__",
      "known names are `version`, `site`, `avatars`, `buttons`, `users`, `fallback`, `allowOutside`, "
        + "`font`, `strips`, `exports`, `icons`, `poster`, `pages`, `network`, `words`, `notices`, "
        + "`keepOld`, `$schema`"
    ),
    ("version: 1\nusers: [{ id: a, Avatar: x }]", "users[0].Avatar", "did you mean `avatar`?"),
    ("version: 1\nusers: [{ id: a, tgas: x }]", "users[0].tgas", "did you mean `tags`?"),
    (
      "version: 1\navatars: [{ bordr: {} }]\nusers: [{ id: a }]", "avatars[0].bordr",
      "did you mean `border`?"
    ),
    (
      "version: 1\navatars: [{ border: { colour: red } }]\nusers: [{ id: a }]",
      "avatars[0].border.colour", "did you mean `color`?"
    ),
    ("version: 7\nusers: [{ id: a }]", "version", "write `version: 1`, or update sitegen"),
    ("version: 1\nusers: [{ id: a }]\nallowOutside: 1", "allowOutside", "write it without quotes"),
  ])
  func `error messages suggest the nearest key`(text: String, path: String, help: String) throws {
    let (manifest, diagnostics) = try ManifestText(text: text + "\n").read()
    #expect(manifest == nil)
    #expect(diagnostics.sorted.map(\.path) == [path])
    #expect(diagnostics.sorted.map(\.help) == [help])
  }

  @Test func `all errors are reported together, sorted by position`() throws {
    let text = ManifestText(
      text: """
        users:
          - id: a
            id: b
          - { id: a, name: [x] }
        buttons: [{ name: 1, normal: x }]
        avatars: [{ size: 0, shape: x }]
        site: 5
        sites: 5

        """)
    let problems = try text.problems()
    #expect(
      problems == [
        "1:1 version-missing", "3:5 duplicate-key", "4:11 users[1].id duplicate-id",
        "4:20 users[1].name wrong-type (warning)", "5:30 buttons[0].normal bad-color",
        "6:19 avatars[0].size out-of-range", "6:29 avatars[0].shape unknown-value",
        "7:7 site wrong-type", "8:1 sites unknown-key",
      ])
  }

  @Test func `a JSON manifest is read like the same manifest in YAML`() throws {
    let yaml = ManifestText(text: "version: 1\nusers: [{ id: a, tags: [x] }]\n")
    let json = ManifestText(
      text: "{\"version\": 1, \"users\": [{\"id\": \"a\", \"tags\": [\"x\"]}]}", syntax: .json)
    let first = try #require(try yaml.read().manifest)
    let second = try #require(try json.read().manifest)
    #expect(first.users.map(\.tags) == second.users.map(\.tags))
    #expect(first.styles.map(\.scales) == second.styles.map(\.scales))
  }

  @Test func `a truncated manifest is either accepted or rejected with an error`() throws {
    let text = """
      version: 1
      site: { title: x, language: en }
      avatars:
        - { name: a, size: [10, 20], radius: 25%, shape: rounded, border: { width: 1, color: red } }
        - { name: b, from: a, focus: [10%, 20%], formats: [png, jpeg], opaque: true, scales: 2 }
        - name: c
          focus: { find: face, headRoom: 25%, otherwise: [10%, 20%] }
          border: [{ width: hairline, gradient: { colors: [red, blue], kind: conic } }, {}]
          overlay: { colors: [red, "#0000"], direction: left }
          shadow: { color: red, radius: 2, offset: [0, 4], spread: -1 }
          decorations: [{ name: vip, dot: red, at: [1, 2], when: tall }]
          maxBytes: { png: 9, webp: 8 }
      buttons: [{ name: b, normal: red, dark: { normal: blue }, emit: css }]
      users: [{ id: a, avatar: [a.jpg, color:red], styles: [a], tags: x, link: "https://x" },
        { id: c, focus: top, decorations: [vip] }]
      fallback: [b.png]

      """
    #expect(try ManifestText(text: text).read().manifest != nil)
    for length in 0..<text.count {
      let cut = ManifestText(text: String(text.prefix(length)))
      do {
        let (manifest, diagnostics) = try cut.read()
        #expect((manifest == nil) == diagnostics.hasErrors, "\(length)")
      } catch {
        #expect(error is Diagnostic, "\(length)")
      }
    }
  }

  @Test func `JSON values are not converted to other types`() throws {
    let text = """
      {"version": "1", "allowOutside": "true",
       "avatars": [{"size": "64", "opaque": 1, "scales": [null]}], "users": [{"id": "a"}]}
      """
    #expect(
      try ManifestText(text: text, syntax: .json).problems() == [
        "1:13 version wrong-type", "1:34 allowOutside wrong-type",
        "2:23 avatars[0].size wrong-type", "2:39 avatars[0].opaque wrong-type",
        "2:53 avatars[0].scales[0] wrong-type",
      ])
  }
}
