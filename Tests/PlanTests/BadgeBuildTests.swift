import SiteSupport

struct BadgeBuildTests {
  private func site(_ badge: String, people: [Person]? = nil) throws -> TestSite {
    let site = try TestSite()
    try site.paint("a.png", .red)
    try site.write(
      people ?? [Person("a", "a.png")],
      styles: [
        "name: small, size: 32, scales: [1], formats: [png], decorations: [\(badge)]"
      ])
    return site
  }

  /// Returns the only error of a failed build: position, path, id and note.
  private func problem(_ site: TestSite, run: (TestSite) throws -> Void) throws -> [String] {
    let failure = try #require(throws: BuildFailure.self) { try run(site) }
    guard case .usage(let diagnostics) = failure else { return ["\(failure)"] }
    #expect(failure.exitStatus == 2 && site.outputFiles().isEmpty)
    let diagnostic = try #require(diagnostics.sorted.first)
    #expect(diagnostics.sorted.count == 1)
    let position = diagnostic.location?.position.map { "\($0.line):\($0.column)" } ?? "-"
    return [position, diagnostic.path ?? "", diagnostic.id, diagnostic.note ?? ""]
  }

  @Test(arguments: [
    ("missing.png", "no such file or directory"),
    ("broken.png", "this is plain text"),
    ("large.png", "it is larger than 1 MiB"), ("folder", "it is not a regular file"),
    ("../out.png", "it is outside the manifest's folder"),
  ])
  func `an unusable badge fails the build and is reported where the style names it`(
    path: String, note: String
  ) throws {
    for isCheck in [false, true] {
      let site = try site("{ badge: \(path) }")
      try site.put(Array("broken".utf8), at: "broken.png")
      try site.put([UInt8](repeating: 0, count: (1 << 20) + 1), at: "large.png")
      try site.folder.makeFolder("content/folder")
      try site.folder.write("x", to: "out.png")
      let problem = try problem(site) {
        if isCheck { _ = try Build($0.options()).check() } else { try $0.build() }
      }
      #expect(problem == ["3:82", "avatars[0].decorations[0].badge", "badge-unreadable", note])
    }
  }

  @Test func `images are rendered again if their badge changes`() throws {
    let site = try site("{ badge: b.png, size: 10 }")
    try site.paint("b.png", .blue)
    #expect(try site.build().report.counters.renders == 1)
    #expect(try site.build().report.counters.renders == 0)
    try site.paint("b.png", .green)
    try site.folder.setModified("content/b.png", to: TestSite.longAgo + 10)
    #expect(try site.build().report.counters.renders == 1)
  }

  @Test func `only users who list a badge get it`() throws {
    let site = try site(
      "{ badge: b.png, name: vip }",
      people: [
        Person("a", "a.png"), Person("b", "a.png", decorations: ["vip"]),
        Person("c", "a.png", decorations: ["vip"]),
      ])
    try site.paint("b.png", .blue)
    let counters = try site.build().report.counters
    #expect(counters.decodes == 1 && counters.renders == 2 && counters.deduped == 1)
    #expect(try site.image(of: "b").path == site.image(of: "c").path)
  }

  /// Returns a unique picture of just below 1 MiB.
  private func heavy(_ number: Int) -> Data {
    func comment(_ count: Int) -> [UInt8] {
      [0xFF, 0xFE, UInt8((count + 2) >> 8), UInt8((count + 2) & 255), UInt8(number)]
        + [UInt8](repeating: 0, count: count - 1)
    }
    return TestPicture.jpeg(
      width: 8, height: 8, extra: (0..<15).map { _ in comment(65_533) } + [comment(60_000)]
    ) { _, _ in .red }
  }

  /// A worker's startup data is limited, and the build reports this before a worker fails.
  @Test func `the total size of badges is limited`() throws {
    let site = try TestSite()
    try site.paint("a.png", .red)
    for number in 0..<100 { try site.put(heavy(number), at: "\(number).jpg") }
    func styles(_ count: Int) -> [String] {
      (0..<4).map { style in
        let badges = (0..<count).map { "{ badge: \(style * 25 + $0).jpg, size: 4 }" }
        return "name: s\(style), size: 32, scales: [1], formats: [png], "
          + "decorations: [\(badges.joined(separator: ", "))]"
      }
    }
    try site.write([Person("a", "a.png")], styles: styles(25))
    for isCheck in [false, true] {
      let problem = try problem(site) {
        if isCheck { _ = try Build($0.options()).check() } else { try $0.build() }
      }
      #expect(
        problem.dropFirst(2) == [
          "badge-unreadable",
          "badges, fonts and the face detector's data are limited to 95 MiB in total",
        ])
      #expect(problem.dropFirst().first?.hasPrefix("avatars[3].decorations[") == true)
    }
    try site.write([Person("a", "a.png")], styles: styles(22))
    #expect(try site.build().report.users.ok == 1)
  }

  @Test func `the error for a badge outside the folder explains how to allow it`() throws {
    let site = try site("{ badge: ../out.png, size: 10 }")
    try site.folder.write(TestPicture.png(width: 4, height: 4) { _, _ in .blue }, to: "out.png")
    let mistakes = try site.mistakes()
    #expect(
      mistakes.map(\.help)
        == ["move the picture next to the manifest, or write `allowOutside: true`"])
    try site.write(
      [Person("a", "a.png")],
      styles: ["name: small, size: 32, scales: [1], decorations: { badge: ../out.png }"],
      more: "allowOutside: true")
    #expect(try site.build().report.users.ok == 1)
  }
}
