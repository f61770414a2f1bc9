import SiteSupport

struct StyleInheritanceTests {
  private func text(_ styles: String) -> ManifestText {
    ManifestText(text: "version: 1\navatars:\n\(styles)\nusers: [{ id: a }]\n")
  }

  @Test func `a style inheritance cycle is reported once`() throws {
    let (manifest, diagnostics) = try text(
      """
        - { name: d, from: c }
        - { name: a, from: c }
        - { name: b, from: a }
        - { name: c, from: b }
      """
    ).read()
    #expect(manifest == nil)
    let problem = try #require(diagnostics.sorted.first)
    #expect(diagnostics.count(.error) == 1)
    #expect(problem.message == "styles inherit from one another: a → c → b → a")
    #expect(problem.path == "avatars[1].from")
  }

  @Test func `a missing parent is reported once, with the nearest name`() throws {
    let (_, diagnostics) = try text(
      "  - { name: base, from: bose }\n  - { name: bold, from: base }"
    ).read()
    #expect(diagnostics.sorted.map(\.id) == ["unknown-style"])
    #expect(diagnostics.sorted.map(\.help) == ["did you mean `base`?"])
  }

  @Test func `errors in a parent are not repeated in children`() throws {
    let problems = try text(
      """
        - { name: base, size: -5, border: { width: 40, color: red } }
        - { name: child, from: base }
      """
    ).problems()
    #expect(problems == ["3:25 avatars[0].size out-of-range"])
  }

  @Test func `inherited borders are checked at the child's size`() throws {
    let problems = try text(
      """
        - { name: base, border: { width: 20, color: red } }
        - { name: child, from: base, size: 30 }
      """
    ).problems()
    #expect(problems == ["4:5 avatars[1].border border-skipped (warning)"])
  }

  private let red = Color(red: 255, green: 0, blue: 0)
  private let blue = Color(red: 0, green: 0, blue: 255)

  private func fills(_ styles: String) throws -> [Fill?] {
    let (manifest, diagnostics) = try text(styles).read()
    #expect(diagnostics.isEmpty)
    return try #require(manifest).styles.map { $0.border.first?.fill }
  }

  @Test func `a border's gradient is inherited key by key`() throws {
    let fills = try fills(
      """
        - { name: a, border: { width: 4, gradient: { colors: [red, blue] } } }
        - { name: b, from: a, border: { gradient: { direction: right } } }
        - { name: c, from: a, border: { gradient: { colors: [] } } }
        - { name: d, from: b, border: { gradient: { kind: conic } } }
        - { name: e, from: a, border: { gradient: { colors: [blue, red] } } }
      """)
    #expect(
      fills == [
        .linear([red, blue], degrees: 180), .linear([red, blue], degrees: 90), nil,
        .conic([red, blue], degrees: 90), .linear([blue, red], degrees: 180),
      ])
  }

  @Test func `a border colour replaces an inherited gradient, and vice versa`() throws {
    let fills = try fills(
      """
        - { name: a, border: { gradient: { colors: [red, blue], direction: right } } }
        - { name: flat, from: a, border: { color: red } }
        - { name: other, from: flat, border: { gradient: { colors: [blue, red] } } }
        - { name: turned, from: flat, border: { gradient: { direction: left } } }
        - { name: none, from: flat, border: { gradient: { colors: [] } } }
        - { name: last, from: other, border: { width: 3 } }
      """)
    // A solid paint has no direction, so the direction of the first gradient is gone.
    #expect(
      fills == [
        .linear([red, blue], degrees: 90), .solid(red), .linear([blue, red], degrees: 180),
        .solid(red), nil, .linear([blue, red], degrees: 180),
      ])
  }

  @Test func `problems with inherited limits or focus are reported at the child style`() throws {
    let styles = try #require(
      text(
        """
          - { name: a, focus: face, maxBytes: 5000 }
          - { name: b, from: a, maxBytes: { png: 9 } }
          - { name: c, from: a }
        """
      ).read().manifest?.styles)
    let positions = styles.map { style in
      [style.focusLocation, style.limitLocation].map {
        $0?.position.map { "\($0.line):\($0.column)" }
      }
    }
    #expect(positions == [["3:23", "3:39"], [nil, "4:35"], [nil, nil]])
    #expect(styles[0].diagnostic(with: StyleResources())?.location == styles[0].focusLocation)
    #expect(styles[1].diagnostic(with: StyleResources())?.location == styles[1].declared.location)
  }
}
