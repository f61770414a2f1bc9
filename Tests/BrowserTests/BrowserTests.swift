import SiteSupport

extension InBrowser {
  struct BrowserTests {
    private let folder = TemporaryFolder()

    @Test func `the browser helper captures pixels, reports errors and sends input`() throws {
      try folder.write(
        """
        <!DOCTYPE html>
        <meta http-equiv="Content-Security-Policy" content="style-src file:; script-src file:">
        <link rel="stylesheet" href="page.css">
        <p onclick="1">
        """, to: "page.html")
      try folder.write(
        """
        html { background: #0a84ff; }
        p { position: absolute; top: 0; left: 0; width: 2px; height: 2px; margin: 0; }
        p:hover { background: lime; }
        p:active { background: red; }
        @media (prefers-color-scheme: dark) { html { background: #102030; } }
        """, to: "page.css")
      let page = try Browser(scale: 2).page()
      try page.open(file: folder.path(of: "page.html"))
      func shot() throws -> Pixels { try Pixels(png: page.screenshot(width: 4, height: 3)) }
      let first = try shot()
      #expect(first.width == 8 && first.height == 6)
      #expect(first[0, 0] == [10, 132, 255, 255])
      try page.show(isDark: true)
      #expect(try shot()[0, 0] == [16, 32, 48, 255])
      try page.mouse(.moved, x: 1, y: 1)
      #expect(try shot()[3, 3] == [0, 255, 0, 255] && shot()[4, 4] == [16, 32, 48, 255])
      try page.mouse(.pressed, x: 1, y: 1)
      #expect(try shot()[3, 3] == [255, 0, 0, 255])
      try page.mouse(.released, x: 1, y: 1)
      #expect(try page.value(of: "devicePixelRatio", as: Double.self) == 2)
      #expect(page.complaints.count == 1 && page.complaints[0].contains("inline"))
      #expect(throws: Browser.Failure.self) { try page.value(of: "nothing", as: Int.self) }
      #expect(throws: Browser.Failure.self) { try page.open(file: folder.path(of: "missing")) }
    }
  }
}
