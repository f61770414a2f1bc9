import Preview
import TestSupport

extension LivePages {
  /// The error panel of live pages.
  struct BoardTests {
    private let site: LiveSite

    init() throws { site = try LiveSite() }

    private static let board = "document.querySelector('sitegen-live')?.shadowRoot"
    private static let isShown = "\(board)?.querySelector('.panel').checkVisibility() === true"
    private static let isNotShown = "!(\(isShown))"

    private static let problem = LiveProblem(
      severity: "error", message: "no such style: rond", place: "content/manifest.yaml:3:5",
      details: ["styles are: round, tile", "did you mean round?"])

    @Test func `a failure is shown with its location and details until it is fixed`() throws {
      try site.write("<p>text</p><button id=\"own\">own</button>")
      let page = try site.page()
      try page.run("document.getElementById('own').focus()")
      site.send(.failed([Self.problem, LiveProblem(severity: "warning", message: "no picture")]))
      try page.wait(for: Self.isShown)
      let text: String = try page.value(of: "\(Self.board).querySelector('.panel').innerText")
      for part in [
        "Rebuild failed", "Error: no such style: rond",
        "content/manifest.yaml:3:5", "styles are: round, tile", "did you mean round?",
        "Warning: no picture",
      ] {
        #expect(text.contains(part), "\(text)")
      }
      #expect(try page.value(of: "document.activeElement.id") == "own")
      site.send(.failed([LiveProblem(severity: "error", message: "another")]))
      try page.wait(for: "\(Self.board).querySelector('ol').innerText === 'Error: another'")
      site.send(.mended)
      try page.wait(for: "!document.querySelector('sitegen-live')")
      #expect(try page.isSame)
      #expect(page.complaints == [])
    }

    @Test func `dismissed problems stay dismissed on other pages`() throws {
      try site.write("<p>text</p>")
      let page = try site.page()
      site.send(.flawed([Self.problem]))
      try page.wait(for: Self.isShown)
      let text: String = try page.value(of: "\(Self.board).querySelector('.panel').innerText")
      #expect(text.contains("Built with problems") && text.contains("no such style: rond"))
      #expect(!text.contains("Rebuild failed"), "\(text)")
      try page.press(.escape)
      try page.wait(for: Self.isNotShown)
      try page.run("setTimeout(() => location.reload())")
      try page.waitForLoad()
      // A dismissed problem is shown again only if it makes a build fail; new ones are shown.
      site.send(.failed([Self.problem]))
      try page.wait(for: Self.isShown)
      site.send(.flawed([Self.problem]))
      try page.wait(for: Self.isNotShown)
      site.send(.flawed([LiveProblem(severity: "error", message: "another")]))
      try page.wait(for: Self.isShown)
      site.send(.mended)
      try page.wait(for: "!document.querySelector('sitegen-live')")
      #expect(page.complaints == [])
    }

    /// S16: only errors cover the page.
    @Test func `warnings and notes stay in the corner until they are opened`() throws {
      try site.write("<p>text</p><button id=\"own\">own</button>")
      let page = try site.page()
      let corner = "\(Self.board)?.querySelector('.corner')"
      func isCorner(_ text: String) -> String {
        "\(corner)?.checkVisibility() === true && \(corner).textContent === '\(text)' && "
          + Self.isNotShown
      }
      let warnings = ["one", "two"].map { LiveProblem(severity: "warning", message: $0) }
      site.send(.flawed(warnings + [LiveProblem(severity: "note", message: "small")]))
      try page.wait(for: isCorner("2 warnings, 1 note"))
      #expect(try page.violations(try #require(Axe.script)) == [])
      try page.tab(to: "\(Self.board)?.activeElement?.className === 'corner'")
      try page.press(.enter)
      try page.wait(for: "\(Self.isShown) && \(corner).checkVisibility() === false")
      let text: String = try page.value(of: "\(Self.board).querySelector('.panel').innerText")
      #expect(text.contains("Warning: two") && text.contains("Note: small"), "\(text)")
      // The panel stays open while warnings change, and closes into the corner.
      site.send(.flawed(warnings))
      try page.wait(for: "\(Self.board).querySelectorAll('ol > li').length === 2")
      #expect(try page.value(of: Self.isShown))
      try page.press(.escape)
      try page.wait(for: isCorner("2 warnings"))
      // An error covers the page; once it is fixed, the warnings return to the corner.
      site.send(.failed([Self.problem] + warnings))
      try page.wait(for: Self.isShown)
      site.send(.flawed([warnings[0]]))
      try page.wait(for: isCorner("1 warning"))
      site.send(.mended)
      try page.wait(for: "!document.querySelector('sitegen-live')")
      #expect(page.complaints == [])
    }

    @Test func `pages opened after a failure show it until the server restarts`() throws {
      try site.write("<p>text</p>")
      site.send(.failed([Self.problem]))
      let page = try site.page()
      try page.waitAcrossLoads(for: Self.isShown)
      site.stop()
      try site.start()
      try page.waitAcrossLoads(for: "!document.querySelector('sitegen-live')")
    }

    @Test func `problem texts are escaped`() throws {
      try site.write("<p>text</p>")
      let page = try site.page()
      let hostile = "<img src=x onerror=\"window.hit = 1\"><script>window.hit = 1</script>&lt;"
      site.send(
        .failed([
          LiveProblem(severity: hostile, message: hostile, place: hostile, details: [hostile])
        ]))
      try page.wait(for: Self.isShown)
      for name in [".panel ol p", ".panel .place", ".details li"] {
        #expect(try page.value(of: "\(Self.board).querySelector('\(name)').textContent") == hostile)
      }
      #expect(try page.value(of: "\(Self.board).querySelectorAll('img, script').length") == 0)
      try page.waitForPaint()
      #expect(try page.value(of: "window.hit ?? 0") == 0)
      #expect(page.complaints == [])
    }

    @Test func `a thousand problems are shown as a truncated list`() throws {
      try site.write("<p>text</p>")
      let page = try site.page()
      site.send(
        .failed((0..<1_000).map { LiveProblem(severity: "error", message: "problem \($0)") }))
      try page.wait(for: Self.isShown)
      #expect(
        try page.value(of: "\(Self.board).querySelector('ol').lastElementChild.textContent")
          == "And 950 more")
    }

    @Test func `Escape and the Close button close the panel until the next failure`() throws {
      try site.write("<p>text</p><button id=\"own\">own</button>")
      let page = try site.page()
      site.send(.failed([Self.problem]))
      try page.wait(for: Self.isShown)
      try page.press(.escape)
      #expect(try page.value(of: Self.isNotShown))
      // A repeated failure opens the panel again.
      site.send(.failed([Self.problem]))
      try page.wait(for: Self.isShown)
      try page.run("document.getElementById('own').focus()")
      try page.tab(to: "\(Self.board)?.activeElement?.localName === 'button'")
      try page.press(.enter)
      #expect(try page.value(of: Self.isNotShown))
      #expect(try page.value(of: "document.activeElement.id") == "own")
      site.send(.failed([Self.problem]))
      try page.wait(for: Self.isShown)
    }

    @Test func `the panel works inside an open dialog, and Escape closes the panel first`() throws {
      try site.write("<p>text</p><dialog><button id=\"own\">own</button></dialog>")
      let page = try site.page()
      try page.run("document.querySelector('dialog').showModal()")
      site.send(.failed([Self.problem]))
      try page.wait(for: Self.isShown)
      try page.tab(to: "\(Self.board)?.activeElement?.localName === 'button'")
      try page.press(.escape)
      let isOpen = "document.querySelector('dialog').open"
      #expect(try page.value(of: "\(Self.isNotShown) && \(isOpen)"))
      site.send(.failed([Self.problem]))
      try page.wait(for: Self.isShown)
      // The panel survives the end of the dialog and moves into the next dialog.
      try page.run("document.querySelector('dialog').close()")
      try page.wait(for: "\(Self.isShown) && !document.querySelector('dialog sitegen-live')")
      try page.run("document.querySelector('dialog').showModal()")
      try page.wait(for: "\(Self.isShown) && document.querySelector('dialog sitegen-live')")
    }

    @Test(arguments: Extent.isAll ? [(320, false), (1_200, true)] : [(320, false)])
    func `axe-core finds no violations`(width: Int, isDark: Bool) throws {
      let axe = try #require(Axe.script, "script/bootstrap test installs it")
      // The page's styles must not affect the panel.
      try site.folder.write(
        "sitegen-live { color: #eee !important; margin: 50px; display: none !important; }",
        to: "page.css")
      try site.write("<p>text</p>", head: "<link rel=\"stylesheet\" href=\"page.css\">")
      let page = try site.page(width: width, isDark: isDark)
      let long = String(repeating: "averylongname", count: 20)
      site.send(
        .failed([
          Self.problem,
          LiveProblem(
            severity: "error", message: long, place: long, details: (0..<40).map { "line \($0)" }),
        ]))
      try page.wait(for: Self.isShown)
      #expect(try page.violations(axe) == [])
      // The panel fits into the window, and longer content scrolls.
      let isWithin: Bool = try page.value(
        of: """
          (box => box.left >= 0 && box.right <= \(width) && box.top >= 0 && box.bottom <= 600)(
            \(Self.board).querySelector(".panel").getBoundingClientRect())
          """)
      #expect(isWithin)
      #expect(
        try page.value(
          of: "(list => list.scrollWidth <= list.clientWidth && list.scrollHeight > "
            + "list.clientHeight)(\(Self.board).querySelector('.list'))"))
      site.stop()
      try page.wait(for: "\(Self.board).querySelector('.badge').checkVisibility()")
      #expect(try page.violations(axe) == [])
    }
  }
}
