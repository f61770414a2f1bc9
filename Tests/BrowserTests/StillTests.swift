import SiteSupport

extension InBrowser {
  struct StillTests {
    private static let nothing = "rgba(0, 0, 0, 0)"
    private static let watch = """
      window.shifts = [];
      window.shiftWatch = new PerformanceObserver((list) => shifts.push(...list.getEntries()));
      shiftWatch.observe({ type: "layout-shift", buffered: true });
      document.addEventListener("DOMContentLoaded", () => requestAnimationFrame(() =>
        requestAnimationFrame(() => window.firstWhole = performance.now())));
      """
    /// Layout shifts, except those of cards, which grow with their row while HTML is arriving.
    ///
    /// `firstWhole` is read two frames after the last piece, which is laid out in the first one. On
    /// a busy machine, the second frame's own timestamp may be earlier than that layout.
    private static let shifts = """
      (shifts.push(...shiftWatch.takeRecords()), shifts.filter(({ startTime, sources }) =>
        startTime > window.firstWhole ||
        !sources.every(({ node }) => node?.closest?.(".person"))).map(({ value, sources }) =>
        value + " " +
        sources.map(({ node, previousRect: a, currentRect: b }) =>
          `${node?.outerHTML?.slice(0, 80) ?? node?.nodeName} ${a.x},${a.y} to ${b.x},${b.y}`)))
      """

    private let scroll = """
      (async () => {
        for (let y = 0; y < document.documentElement.scrollHeight; y += 150) {
          scrollTo(0, y);
          await new Promise(requestAnimationFrame);
        }
        return 1;
      })()
      """

    /// F5, F6, G17: the page reserves the right size before a picture loads.
    @Test(arguments: Extent.isAll ? [390, 820, 1_440] : [390, 1_440])
    func `the layout is stable while pictures load`(width: Int) throws {
      let site = try TestSite.gallery(", problems: true")
      let gate = DispatchSemaphore(value: 0)
      let server = try ScriptedServer(serving: site.folder.path(of: "output"), gate: gate)
      let root = server.url()
      let browser = try Browser()
      let page = try browser.page(width: width, height: 700)
      try page.prepare(Self.watch)
      func expectStill(_ what: String) throws {
        let shifts: [String] = try page.value(of: Self.shifts)
        #expect(shifts == [], "\(what)")
      }
      // The script is running at this point, and no picture has loaded.
      try page.begin(root + "index.html")
      try page.wait(for: "document.querySelector('picture > img.waits')")
      try page.waitForPaint()
      try expectStill("first")
      gate.signal()
      try page.wait(for: "[...document.images].every(i => i.complete || i.loading === 'lazy')")
      let _: Int = try page.value(of: scroll)
      try page.waitForPaint()
      try expectStill("first")

      let queries = ["?q=sample", "?sort=name-down", "?status=fallback", "?q=unheard"]
      for query in Extent.isAll ? queries : Array(queries.prefix(2)) {
        try page.open(root + "index.html" + query)
        try page.wait(
          for: "/found$|^No matches$/.test(document.getElementById('find-said').textContent)")
        if query == "?q=sample" {
          try page.wait(for: "document.querySelector('#results picture img')?.complete")
        }
        let _: Int = try page.value(of: scroll)
        try page.waitForPaint()
        try expectStill(query)
      }
    }

    @Test func `the search layout is stable while the page arrives in pieces`() throws {
      let site = try TestSite.gallery(", problems: true")
      let html = try site.folder.read("output/index.html")
      let end = Data("</label>".utf8)
      let wide = try #require(html.range(of: end))
      let field = try #require(html.range(of: end, in: wide.upperBound..<html.count))
      let folder = site.folder
      let server = try ScriptedServer { request in
        guard request.target == "/index.html" else {
          let type = request.target.hasSuffix("css") ? "text/css" : "text/javascript"
          let file = try? folder.read("output\(request.target)")
          return [file.map { .answer(200, ["Content-Type": type], body: $0) } ?? .answer(404)]
        }
        return [
          .head("HTTP/1.1 200 \nContent-Type: text/html\nContent-Length: \(html.count)\n"),
          .bytes(Array(html[..<field.upperBound])), .pause(1),
          .bytes(Array(html[field.upperBound...])),
        ]
      }
      let page = try Browser().page(width: 820, height: 700)
      try page.prepare(Self.watch)
      try page.begin(server.url() + "index.html")
      try page.wait(for: "document.readyState === 'complete'")
      try page.waitForPaint()
      let shifts: [String] = try page.value(of: Self.shifts)
      #expect(shifts == [])
    }

    /// F13: pictures that load late fade in, unless motion is reduced or scripts are disabled.
    @Test(arguments: [false, true])
    func `pictures that load late fade in, unless motion is reduced`(isMotionReduced: Bool) throws {
      let site = try TestSite.gallery(", problems: true")
      let gate = DispatchSemaphore(value: 0)
      let server = try ScriptedServer(serving: site.folder.path(of: "output"), gate: gate)
      let page = try Browser().page()
      try page.show(isDark: false, isMotionReduced: isMotionReduced)
      try page.prepare(
        """
        window.fades = [];
        addEventListener("transitionrun", (event) => fades.push(
          [event.propertyName, getComputedStyle(event.target).transitionDuration]), true);
        """)
      try page.begin(server.url() + "index.html")
      try page.wait(for: "document.querySelector('picture > img.waits')")
      let opacity = "getComputedStyle(document.querySelector('picture > img')).opacity"
      #expect(try page.value(of: opacity) == (isMotionReduced ? "1" : "0"))
      let behind = "getComputedStyle(document.querySelector('picture'), '::before').backgroundColor"
      #expect(try page.value(of: behind, as: String.self) != Self.nothing)
      gate.signal()
      try page.wait(for: "\(opacity) === '1' && \(behind) === '\(Self.nothing)'")
      let fades: [[String]] = try page.value(of: "fades")
      if isMotionReduced {
        #expect(fades == [])
      } else {
        #expect(Set(fades) == [["opacity", "0.25s"]])
      }
      try page.wait(for: "document.querySelectorAll('.waits, .comes').length === 0")

      try page.forbidScripts()
      try page.open(server.url() + "index.html")
      #expect(try page.value(of: opacity) == "1")
    }

    /// G5: an avatar is one `img` in one `picture`, and ten cards have at most sixty other nodes.
    @Test func `ten cards have at most sixty DOM nodes besides their pictures`() throws {
      let site = try TestSite()
      defer { withExtendedLifetime(site) {} }
      try site.paint("red.png", .red)
      try site.write(
        (0..<30).map {
          Person("p\($0)", name: "Sample \($0)", "red.png", title: "Sailor", tags: ["crew"])
        }, more: "pages: { size: 10 }")
      try site.buildAsWritten()
      let page = try Browser().page()
      try page.open(site.address(of: "index.html"))
      let nodes = """
        [...document.querySelectorAll('%@ .person')].slice(0, 10).reduce((sum, card) =>
          sum + 1 + card.querySelectorAll(':not(picture, picture *, svg, svg *)').length, 0)
        """
      let wrapped = """
        [...document.querySelectorAll('.person img')].filter(image =>
          !image.matches('.person > picture > img:only-of-type')).length
        """
      let listed = nodes.replacingOccurrences(of: "%@", with: "#people-list")
      #expect((1...60).contains(try page.value(of: listed, as: Int.self)))
      try page.choose("find-sort", "name")
      try page.wait(for: "document.querySelectorAll('#results picture').length > 3")
      let found = nodes.replacingOccurrences(of: "%@", with: "#results")
      #expect((1...60).contains(try page.value(of: found, as: Int.self)))
      #expect(try page.value(of: wrapped, as: Int.self) == 0)
    }
  }
}
