import SiteSupport

struct DefaultsTests {
  /// A14: the first manifest states every default, and all manifests mean the same.
  @Test(arguments: [
    ["allowOutside: false", ""],
    [
      "avatars: [{ name: round, size: 64, scales: [1, 2, 3], shape: circle, fit: fill, "
        + "focus: [50%, 50%], underlay: false, opaque: false, formats: [webp, png] }]",
      "avatars: [{}]",
    ],
    ["site: { title: Gallery, language: en }", "site: {}", ""],
    [
      "pages: { size: 100, people: false, tags: true, cards: false, "
        + "cardColor: \"#f7f7f5\" }", "pages: {}", "pages:", "",
    ],
    [
      "network: { allow: [], ports: [], maxStale: 30, perHost: 4, overall: 16, proxy: none, "
        + "services: { gravatar: https://gravatar.com, github: https://github.com, "
        + "libravatar: https://seccdn.libravatar.org } }",
      "network: { services: {} }", "network: {}", "",
    ],
    ["exports: []", ""],
    ["poster: { size: 40, gap: 8, appearance: auto }", "poster: {}"],
    ["poster: { tiers: [a] }", "poster: { tiers: a }"],
    [
      "buttons: [{ name: b, normal: red, highlighted: same, radius: 0, emit: [css], "
        + "template: false }]", "buttons: [{ name: b, normal: red }]",
    ],
    [
      "buttons: [{ name: b, normal: red, border: { color: blue, width: 1 } }]",
      "buttons: [{ name: b, normal: red, border: { color: blue } }]",
    ],
    [
      "strips: [{ name: s, color: red, radius: 0, offset: 0, edge: below }]",
      "strips: [{ name: s, color: red }]",
    ],
    [
      "avatars: [{ border: { color: red, width: 1, mode: over, gap: 0, hidden: false, "
        + "allowNonSquare: false } }]", "avatars: [{ border: { color: red } }]",
    ],
    [
      "avatars: [{ border: { gradient: { colors: [red, blue], direction: down, kind: linear } } }]",
      "avatars: [{ border: { gradient: { colors: [red, blue] } } }]",
    ],
    [
      "avatars: [{ border: { gradient: { colors: [red, blue], direction: up, kind: conic } } }]",
      "avatars: [{ border: { gradient: { colors: [red, blue], kind: conic } } }]",
    ],
    [
      "avatars: [{ overlay: { colors: [red, blue], direction: down } }]",
      "avatars: [{ overlay: { colors: [red, blue] } }]",
    ],
    [
      "avatars: [{ shadow: { color: red, radius: 0, offset: [0, 0], spread: 0 } }]",
      "avatars: [{ shadow: { color: red } }]",
    ],
    [
      "avatars: [{ focus: { find: face, headRoom: 30%, otherwise: smart } }]",
      "avatars: [{ focus: { find: face } }]", "avatars: [{ focus: face }]",
    ],
    [
      "avatars: [{ focus: { find: smart, otherwise: center } }]",
      "avatars: [{ focus: { find: smart } }]", "avatars: [{ focus: smart }]",
    ],
    [
      "avatars: [{ decorations: [{ dot: red, size: 14, corner: br, gap: 0 }] }]",
      "avatars: [{ decorations: [{ dot: red }] }]",
    ],
    [
      "avatars: [{ shape: rounded, radius: 25%, corners: [tl, tr, br, bl] }]",
      "avatars: [{ shape: rounded }]",
    ],
  ])
  func `omitted keys have the documented defaults`(keys: [String]) throws {
    let manifests = try keys.map { keys in
      // The keys come last, so that other positions stay the same.
      let text = ManifestText(text: "version: 1\nusers: [{ id: a, name: a }]\n\(keys)\n")
      let (manifest, diagnostics) = try text.read()
      #expect(diagnostics.isEmpty, "\(keys): \(diagnostics.sorted)")
      return try #require(manifest)
    }
    for (manifest, keys) in zip(manifests, keys) { #expect(manifest == manifests[0], "\(keys)") }
  }

  @Test func `only the built-in style detects faces by default`() throws {
    func manifest(_ keys: String) throws -> Manifest {
      let text = ManifestText(text: "version: 1\nusers: [{ id: a, name: a }]\n\(keys)\n")
      return try #require(try text.read().manifest)
    }
    let plain = try manifest("")
    #expect(plain.styles[0].finder == .quickFace && plain.styles[0].focus == .center)
    #expect(plain.styles[0].zoom == nil)
    #expect(try manifest("avatars: [{ focus: face }]").styles[0].zoom == 1)
    #expect(plain.notices[.faceless] == nil && plain.notices[.small] == .note)
    #expect(try manifest("notices: { faceless: warning }").notices[.faceless] == .warning)
    let written = try manifest("avatars: [{}]")
    #expect(written.styles[0].finder == nil && written.notices[.faceless] == .note)
  }
}
