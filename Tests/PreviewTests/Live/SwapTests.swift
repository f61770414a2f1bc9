import Preview
import TestSupport

extension LivePages {
  struct SwapTests {
    private let site: LiveSite

    init() throws { site = try LiveSite() }

    private static let image = "document.querySelector('img')"
    private static let source = "\(image).getAttribute('src')"

    /// Records in each frame which image is shown, and any gaps without an image.
    private static let sampler = """
      window.gaps = [];
      window.shown = [];
      (function look() {
        const image = document.querySelector("img");
        const box = image.parentElement;
        if (!image.complete || !image.naturalWidth) gaps.push("not there");
        if (getComputedStyle(image).opacity !== "1" || image.matches(".waits, .comes")) {
          gaps.push("not seen");
        }
        if (box.style.background || image.style.background) gaps.push("placeholder");
        const name = image.currentSrc.split("/").at(-1).slice(0, 6);
        if (shown.at(-1) !== name) shown.push(name);
        requestAnimationFrame(look);
      })();
      """

    private func tag(_ path: String, _ more: String = "") -> String {
      "<img src=\"\(path)\" width=\"40\" height=\"40\" alt=\"\" \(more)>"
    }

    private func change(_ body: String, head: String = "") throws {
      try site.write(body, head: head)
      site.send(.changed(["index.html"]))
    }

    /// Returns the colour at the top left of the picture.
    private func color(_ page: BrowserPage) throws -> [UInt8] {
      struct Box: Decodable {
        var x: Double
        var y: Double
      }
      let box: Box = try page.value(of: "\(Self.image).getBoundingClientRect()")
      return try page.color(x: box.x + 20, y: box.y + 20)
    }

    /// C8: the old picture stays until the new one is ready.
    ///
    /// G27: the new picture's placeholder is not shown, and the page is not reloaded.
    @Test func `the old picture stays visible until the new one has loaded`() throws {
      let red = try site.paint(.red)
      let root = Checkout.root
      for name in ["gallery.js", "gallery.css"] {
        try site.folder.write(Data(contentsOf: root.appending(path: "templates/\(name)")), to: name)
      }
      let placeholder =
        "decoding=\"async\" data-color=\"#00ff00\" data-thumbhash=\"3OcRJYB4d3h/iIeHeEh3eIhw+j2w\""
      let head = """
        <link rel="stylesheet" href="gallery.css">
        <script src="gallery.js" data-root="" defer></script>
        """
      try site.write("<picture>\(tag(red, placeholder))</picture>", head: head)
      let page = try site.page()
      try page.wait(for: "\(Self.image).complete && !\(Self.image).matches('.waits, .comes')")
      try page.run(Self.sampler)
      let blue = try site.paint(.blue, isHeld: true)
      try change("<picture>\(tag(blue, placeholder))</picture>", head: head)
      while !site.gate.isAsked(for: blue) { try page.waitForPaint() }
      for _ in 0..<5 {
        #expect(try color(page) == LiveSite.Color.red.bytes)
        #expect(try page.value(of: Self.source) == red)
      }
      site.gate.open()
      try page.wait(for: "\(Self.source) === '\(blue)'")
      #expect(try color(page) == LiveSite.Color.blue.bytes)
      try page.waitForPaint()
      #expect(try page.value(of: "gaps") == [String]())
      #expect(try page.value(of: "shown") == ["ff0000", "0000ff"])
      #expect(try page.isSame)
      #expect(page.complaints == [])
    }

    @Test func `the newest picture wins`() throws {
      let red = try site.paint(.red)
      try site.write(tag(red))
      let page = try site.page()
      try page.run(Self.sampler)
      let blue = try site.paint(.blue, isHeld: true)
      try change(tag(blue))
      while !site.gate.isAsked(for: blue) { try page.waitForPaint() }
      let green = try site.paint(.green)
      try change(tag(green))
      site.gate.open()
      try page.wait(for: "\(Self.source) === '\(green)'")
      try page.waitForPaint()
      #expect(try color(page) == LiveSite.Color.green.bytes)
      #expect(try page.value(of: "gaps") == [String]())
      #expect(try page.isSame)
    }

    @Test func `all URLs of a picture change together and keep their formats`() throws {
      func picture(_ paths: [String]) -> String {
        """
        <picture><source type="image/unheard" srcset="\(paths[0])">\
        <source type="image/png" srcset="\(paths[1]) 1x, \(paths[2]) 2x">\(tag(paths[3]))</picture>
        """
      }
      let old = try (0..<4).map { try site.paint(.red, $0) }
      try site.write(picture(old))
      let page = try site.page()
      try page.run(
        """
        window.states = [];
        (function look() {
          const picture = document.querySelector("picture").outerHTML;
          states.push([/assets.ff/.test(picture), /assets.00/.test(picture)].join());
          requestAnimationFrame(look);
        })();
        """)
      let new = try (0..<4).map { try site.paint(.blue, $0) }
      try change(picture(new))
      try page.wait(for: "\(Self.source) === '\(new[3])'")
      for _ in 0..<3 { try page.waitForPaint() }
      #expect(try page.value(of: "[...new Set(states)]") == ["true,false", "false,true"])
      #expect(try color(page) == LiveSite.Color.blue.bytes)
      // The browser requests only the file that is shown.
      #expect(![0, 2, 3].contains { site.gate.isAsked(for: new[$0]) })
      #expect(page.complaints == [])
    }

    @Test func `swapping does not load lazy pictures early`() throws {
      let red = try site.paint(.red)
      let blue = try site.paint(.blue)
      // The picture is too far down for the browser to preload.
      try site.folder.write("div { height: 20000px; }", to: "page.css")
      let head = "<link rel=\"stylesheet\" href=\"page.css\">"
      try site.write("<div></div>" + tag(red, "loading=\"lazy\""), head: head)
      let page = try site.page()
      try change("<div></div>" + tag(blue, "loading=\"lazy\""), head: head)
      try page.wait(for: "\(Self.source) === '\(blue)'")
      #expect(!page.requests.contains { $0.contains("/assets/") })
      try page.run("\(Self.image).scrollIntoView()")
      try page.wait(for: "\(Self.image).complete && \(Self.image).naturalWidth === 40")
    }

    @Test func `if two pictures swap URLs, each is replaced once`() throws {
      let red = try site.paint(.red)
      let blue = try site.paint(.blue)
      try site.write(tag(red) + tag(blue))
      let page = try site.page()
      try change(tag(blue) + tag(red))
      let sources = "[...document.images].map((image) => image.getAttribute('src'))"
      try page.wait(for: "\(sources).join() === '\(blue),\(red)'")
      #expect(try page.isSame)
    }

    @Test func `pictures moved by scripts are also replaced`() throws {
      let red = try site.paint(.red)
      let blue = try site.paint(.blue)
      try site.write("<dialog>\(tag(red))</dialog>")
      let page = try site.page()
      try page.run(
        """
        document.querySelector("dialog").showModal();
        const link = document.createElement("a");
        link.setAttribute("href", "../\(red)");
        document.querySelector("dialog").append(link);
        """)
      try page.wait(for: "\(Self.image).complete")
      try change("<dialog>\(tag(blue))</dialog>")
      try page.wait(for: "document.querySelector('a').getAttribute('href') === '../\(blue)'")
      #expect(try page.value(of: Self.source) == blue)
      #expect(try page.isSame)
      #expect(page.complaints == [])
    }
  }
}
