import SiteSupport

extension InBrowser {
  struct ScreenshotTests {
    private func script() throws -> String { try Checkout.text(of: "script/shown.js") }

    private func site() throws -> TestSite {
      let site = try TestSite()
      try site.put(
        TestPicture.png(width: 96, height: 96) { x, y in
          TestPicture.Pixel(UInt8(x * 2), UInt8(y * 2), 96)
        }, at: "scene.png")
      try site.write(
        [Person("a", name: "Sample Otter", "scene.png")],
        styles: ["name: round, size: 64, scales: [1], formats: [png]"])
      try site.buildAsWritten()
      return site
    }

    /// H3: the script waits until placeholders are replaced.
    @Test func `the script detects a placeholder and waits for its picture`() throws {
      let site = try site()
      defer { withExtendedLifetime(site) {} }
      let gate = DispatchSemaphore(value: 0)
      let server = try ScriptedServer(serving: site.folder.path(of: "output"), gate: gate)
      let page = try Browser().page(width: 400, height: 400)
      func placeholder() throws -> Bool {
        try page.value(
          of: "getComputedStyle(document.querySelector('picture'), '::before').content !== 'none'")
      }
      try page.begin(server.url() + "index.html")
      try page.wait(for: "document.querySelector('picture > img.waits')")
      try page.waitForPaint()
      #expect(try placeholder())
      try page.run("void (\(script())).then((count) => { window.shown = count; })")
      try page.waitForPaint()
      #expect(try page.value(of: "window.shown === undefined"))
      gate.signal()
      try page.wait(for: "window.shown === 1")
      #expect(try !placeholder())
    }

    /// H3: a picture that fails to load stops the script.
    @Test func `a missing picture is an error`() throws {
      let site = try site()
      for path in site.folder.list() where path.hasPrefix("output/assets/") && path.hasSuffix("png")
      {
        try site.folder.remove(path)
      }
      let page = try Browser().page(width: 400, height: 400)
      try page.open(site.address(of: "index.html"))
      #expect(throws: Browser.Failure.self) { try page.value(of: script(), as: Int.self) }
    }
  }
}

/// H3: the pictures in docs/pictures show people, not placeholders.
struct DocsPictureTests {
  @Test func `pictures in the docs show no placeholders`() throws {
    let docs = Checkout.root.appendingPathComponent("docs/pictures")
    let names = try FileManager.default.contentsOfDirectory(atPath: docs.path)
      .filter { $0.hasSuffix(".png") }
    #expect(names.count >= 9)
    for name in names {
      let shot = try Pixels(png: Data(contentsOf: docs.appendingPathComponent(name)))
      #expect(shot.placeholder == nil, "\(name): \(String(describing: shot.placeholder))")
    }
  }
}
