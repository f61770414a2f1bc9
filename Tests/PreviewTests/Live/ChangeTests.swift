import Preview
import TestSupport

extension LivePages {
  struct ChangeTests {
    private let site: LiveSite

    init() throws { site = try LiveSite() }

    private static let sheet = "<link rel=\"stylesheet\" href=\"page.css\">"
    private static let color = "getComputedStyle(document.querySelector('h1')).color"
    private static let lime = "rgb(0, 255, 0)"
    private static let blue = "rgb(0, 0, 255)"

    private func tag(_ path: String, _ more: String = "") -> String {
      "<img src=\"\(path)\" width=\"40\" height=\"40\" alt=\"\" \(more)>"
    }

    /// Waits until the page has received all earlier messages.
    private func catchUp(_ page: BrowserPage) throws {
      let count: Int = try page.value(of: "heard.length")
      site.send(.mended)
      try page.wait(for: "heard.length > \(count)")
      for _ in 0..<3 { try page.waitForPaint() }
    }

    @Test func `a style sheet is replaced without a flash of unstyled content`() throws {
      try site.folder.write("h1 { color: lime; }", to: "page.css")
      // A later sheet keeps its place in the cascade.
      try site.folder.write("p { color: rgb(1, 2, 3); }", to: "last.css")
      try site.write(
        "<p>text</p>", head: Self.sheet + "<link rel=\"stylesheet\" href=\"last.css\">")
      let page = try site.page()
      try page.run(
        """
        window.colors = [];
        (function look() {
          const color = \(Self.color);
          if (colors.at(-1) !== color) colors.push(color);
          requestAnimationFrame(look);
        })();
        """)
      try page.wait(for: "colors.length")
      // Delays the new sheet.
      site.gate.hold("page.css")
      try site.folder.write("h1 { color: blue; } p { color: red; }", to: "page.css")
      site.send(.changed(["page.css", "unheard.css"]))
      try page.wait(for: "document.querySelectorAll('link').length === 3")
      for _ in 0..<5 { try page.waitForPaint() }
      #expect(try page.value(of: Self.color) == Self.lime)
      site.gate.open()
      try page.wait(for: "\(Self.color) === '\(Self.blue)'")
      try page.wait(for: "document.querySelectorAll('link').length === 2")
      try page.waitForPaint()
      #expect(try page.value(of: "colors") == [Self.lime, Self.blue])
      let text = "getComputedStyle(document.querySelector('p')).color"
      #expect(try page.value(of: text) == "rgb(1, 2, 3)")
      #expect(try page.isSame)
      #expect(page.complaints == [])
    }

    @Test func `after many quick changes, the last one is applied`() throws {
      try site.folder.write("h1 { color: lime; }", to: "page.css")
      try site.write("", head: Self.sheet)
      let page = try site.page()
      for number in 1...30 {
        try site.folder.write("h1 { color: rgb(0, 0, \(number)); }", to: "page.css")
        site.send(.changed(["page.css"]))
      }
      try page.wait(for: "\(Self.color) === 'rgb(0, 0, 30)'")
      try page.wait(for: "document.querySelectorAll('link').length === 1")
      // If a sheet is deleted, the page keeps the old sheet.
      try site.folder.remove("page.css")
      site.send(.changed(["page.css"]))
      try catchUp(page)
      try page.wait(for: "document.querySelectorAll('link').length === 1")
      #expect(try page.value(of: Self.color) == "rgb(0, 0, 30)")
      #expect(try page.isSame)
    }

    @Test func `changing an imported style sheet reloads the sheet that imports it`() throws {
      try site.folder.write("@import \"colors.css\";", to: "page.css")
      try site.folder.write("h1 { color: lime; }", to: "colors.css")
      try site.write("", head: Self.sheet)
      let page = try site.page()
      try site.folder.write("h1 { color: blue; }", to: "colors.css")
      site.send(.changed(["colors.css"]))
      try page.wait(for: "\(Self.color) === '\(Self.blue)'")
      #expect(try page.isSame)
    }

    @Test func `a page is not reloaded if only its pictures have changed`() throws {
      let red = try site.paint(.red)
      let green = try site.paint(.green)
      let blue = try site.paint(.blue)
      func write(_ first: String, _ color: String) throws {
        try site.write(
          "<picture><source type=\"image/png\" srcset=\"\(first) 1x\">"
            + "\(tag(first, "data-color=\"\(color)\""))</picture>"
            + "<p><a href=\"\(first)\">picture</a></p>\(tag(red))<noscript>none</noscript>",
          head: "<link rel=\"icon\" href=\"\(first)\">")
      }
      try write(green, "#00ff00")
      let page = try site.page()
      let said = """
        [document.querySelector("source").srcset, document.querySelector("a").getAttribute("href"),
          document.querySelector("link").getAttribute("href"),
          ...[...document.images].map((image) => image.getAttribute("src"))].join()
        """
      try write(blue, "#0000ff")
      site.send(.changed(["assets", "index.html"]))
      try page.wait(
        for: "\(said) === '\([blue + " 1x", blue, blue, blue, red].joined(separator: ","))'")
      #expect(try page.isSame)
      #expect(page.complaints == [])
      // Only one of two people with the same picture changed, so the script cannot tell which one.
      try write(red, "#ff0000")
      site.send(.changed(["index.html"]))
      try page.wait(
        for: "\(said) === '\([red + " 1x", red, red, red, red].joined(separator: ","))'")
      try write(green, "#00ff00")
      site.send(.changed(["index.html"]))
      try page.waitForLoad()
      #expect(try page.value(of: "document.images[1].getAttribute('src')") == red)
    }

    @Test func `only the page's source is compared, and changes by scripts are ignored`() throws {
      let red = try site.paint(.red)
      let blue = try site.paint(.blue)
      try site.folder.write(
        "document.querySelector('h1').textContent = 'Another'; document.querySelector('p').remove();",
        to: "page.js")
      let head = "<script src=\"page.js\" defer></script>"
      try site.write("<p>gone</p>" + tag(red), head: head)
      let page = try site.page()
      #expect(try page.value(of: "document.querySelector('h1').textContent") == "Another")
      try site.write("<p>gone</p>" + tag(blue), head: head)
      site.send(.changed(["index.html"]))
      try page.wait(for: "document.images[0].getAttribute('src') === '\(blue)'")
      #expect(try page.isSame)
    }

    @Test func `changed text reloads the page and keeps the scroll position`() throws {
      try site.folder.write("div { height: 4000px; }", to: "page.css")
      func write(_ text: String) throws {
        try site.write("<p>\(text)</p><div></div><div></div>", head: Self.sheet)
      }
      try write("first")
      let page = try site.page()
      try page.run("scrollTo(0, 3900)")
      try write("second")
      site.send(.changed(["index.html"]))
      try page.waitForLoad()
      try page.wait(for: "document.querySelector('p').textContent === 'second'")
      try page.wait(for: "Math.abs(scrollY - 3900) <= 1")
      #expect(page.complaints == [])
    }

    @Test func `changes to other pages are ignored`() throws {
      try site.write("<p>first</p>")
      try site.folder.write("", to: "other.js")
      let page = try site.page()
      try site.write("<p>second</p>")
      site.send(.changed(["page/2/index.html", "other.js", "data/search.js", "x/index.html"]))
      try catchUp(page)
      #expect(try page.isSame)
      #expect(page.requests.filter { $0 == site.root }.count == 1)
      // `/` and `/index.html` are the same page.
      site.send(.changed(["index.html"]))
      try page.waitForLoad()
    }

    @Test func `a deleted page is reported`() throws {
      try site.write("<p>first</p>", to: "people/otter/index.html")
      let page = try site.page("people/otter/")
      try site.folder.remove("people/otter/index.html")
      site.send(.changed(["people/otter/index.html"]))
      try page.waitAcrossLoads(
        for: "window.mark !== 1 && document.readyState === 'complete' && "
          + "document.querySelector('p')?.textContent !== 'first'")
    }

    @Test func `a missing page is shown as soon as it exists`() throws {
      let page = try site.page("people/otter/")
      // Changes to other pages do not reload the 404 page.
      try site.write("<p>other</p>")
      site.send(.changed(["index.html", "people/ada/index.html"]))
      try catchUp(page)
      #expect(try page.isSame)
      try site.write("<p>first</p>", to: "people/otter/index.html")
      site.send(.changed(["people/otter/index.html"]))
      try page.waitAcrossLoads(for: "document.querySelector('p')?.textContent === 'first'")
      try page.waitForLoad()
      // After the reload, the page behaves like any other page.
      try page.run("window.mark = 1")
      try site.write("<p>second</p>", to: "people/otter/index.html")
      site.send(.changed(["people/otter/index.html"]))
      try page.waitForLoad()
      #expect(try page.value(of: "document.querySelector('p').textContent") == "second")
    }

    @Test func `a changed script reloads the page`() throws {
      try site.folder.write("window.version = 1", to: "page.js")
      // This script leaves no element in the document.
      try site.folder.write("window.data = 1", to: "data/search.js")
      try site.write("", head: "<script src=\"page.js\" defer></script>")
      let page = try site.page()
      try site.folder.write("window.data = 2", to: "data/search.js")
      site.send(.changed(["data/search.js"]))
      try catchUp(page)
      #expect(try page.isSame, "the page reloaded although it does not use the script")
      try page.run(
        """
        new Promise((resolve) => {
          const script = document.createElement("script");
          script.src = "data/search.js";
          script.onload = () => resolve(script.remove());
          document.head.append(script);
        })
        """)
      #expect(try page.value(of: "window.data") == 2)
      site.send(.changed(["data/search.js"]))
      try page.waitForLoad()

      try page.run("window.mark = 1")
      try site.folder.write("window.version = 2", to: "page.js")
      site.send(.changed(["page.js"]))
      try page.waitForLoad()
      #expect(try page.value(of: "window.version") == 2)
    }
  }
}
