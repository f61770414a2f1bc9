import SiteSupport

extension InBrowser {
  struct DetailTests {
    private let name = "document.getElementById('detail-name').textContent"

    private let site: TestSite

    init() throws { site = try .gallery(", people: true, cards: true") }

    private func opened(_ rest: String = "") throws -> BrowserPage {
      let page = try Browser().page(width: 1_200, height: 900)
      try page.open(site.address(of: "index.html") + rest)
      return page
    }

    @Test func `a URL opens the detail view, and closing the view restores the focus`() throws {
      let page = try opened("#person-zoe")
      try page.wait(for: page.isDetailOpen)
      #expect(try page.value(of: name) == "Zoe\u{308} Stra\u{DF}e")
      try page.press(.escape)
      try page.wait(for: "location.hash === ''")
      #expect(try page.value(of: "document.activeElement.textContent") == "Zoe\u{308} Stra\u{DF}e")
      try page.press(.enter)
      try page.wait(for: page.isDetailOpen)
      #expect(try page.value(of: "location.hash") == "#person-zoe")
      try page.run("location.hash = '#person-quote'")
      try page.wait(for: "\(name).startsWith('<b>')")
      #expect(page.complaints == [])
    }

    @Test func `the Previous and Next buttons follow the page order or search results`() throws {
      let page = try opened()
      let button = "document.querySelector('#detail [data-go=%@]')"
      let next = button.replacingOccurrences(of: "%@", with: "next")
      let previous = button.replacingOccurrences(of: "%@", with: "previous")
      try page.run("document.querySelectorAll('#people-list h3 a')[9].click()")
      try page.wait(for: page.isDetailOpen)
      try page.run("\(next).click()")
      try page.wait(for: "\(name) === 'Sample Person 10'")
      try page.press(.left)
      try page.wait(for: "\(name) === 'Sample Person 9'")
      try page.press(.escape)
      try page.wait(for: "!\(page.isDetailOpen)")
      try page.find("gardener", said: "2 people found")
      try page.run("sitegen.opener(document.querySelector('#results .person')).click()")
      try page.wait(for: page.isDetailOpen)
      #expect(try page.value(of: "[\(previous).disabled, \(next).disabled]") == [true, false])
      try page.run("\(next).focus()")
      try page.press(.enter)
      try page.wait(for: "\(name) === '\u{3A3}\u{39F}\u{3A6}\u{39F}\u{3A3}'")
      #expect(try page.value(of: "[\(previous).disabled, \(next).disabled]") == [false, true])
      #expect(try page.value(of: "document.activeElement.id") == "detail-name")
      try page.wait(for: "location.search === '?q=gardener'")
    }

    @Test func `scripts use the site's language`() throws {
      let site = try TestSite.gallery(", cards: true", language: "de")
      let page = try Browser().page(width: 1_200, height: 900)
      try page.open(site.address(of: "index.html"))
      try page.find("gardener", said: "2 Personen gefunden")
      try page.find(" otter", said: "1 Person gefunden")
      try page.run("sitegen.opener(document.querySelector('#results .person')).click()")
      try page.wait(for: page.isDetailOpen)
      let said: [String] = try page.value(
        of: "[...document.querySelectorAll('#detail nav button, #detail .profiles a, [data-source],"
          + " [data-tags] a')].map(e => e.ariaLabel ?? e.textContent)")
      for text in [
        "Zurück", "Weiter", "Schließen", "Kontaktkarte", "Quelle: file", "founders", "field",
      ] {
        #expect(said.contains(text), "\(text) of \(said)")
      }
      #expect(page.complaints == [])
    }

    @Test func `the detail view lists every file with its details`() throws {
      let page = try opened("#person-otter")
      try page.wait(for: page.isDetailOpen)
      let rows: [[String]] = try page.value(
        of: "[...document.querySelectorAll('#detail tbody tr')].map(r => [...r.cells]"
          + ".slice(0, 6).map(c => c.textContent))")
      let images = try #require(try site.assets().users["otter"]).avatars
      let wanted = Set(
        images.flatMap { style, images in
          images.map { image in
            [
              style, "\(Int(image.scale))×", image.format, "\(image.width) × \(image.height)",
              String(image.bytes), image.sha256,
            ]
          }
        })
      #expect(rows.count == 5 && Set(rows) == wanted)
      let facts: String = try page.value(of: "document.querySelector('.facts').textContent")
      let tags: [[String]] = try page.value(
        of: "[...document.querySelectorAll('#detail .tags a')].map(a =>"
          + " [a.textContent, a.getAttribute('href')])")
      #expect(
        tags == [["founders", "tags/founders/index.html"], ["field", "tags/field/index.html"]])
      // Technical details of pictures are shown only to site makers.
      #expect(!facts.contains("Made from") && !facts.contains("as asked for"), "\(facts)")
      #expect(
        try page.value(of: "document.querySelector('[data-source]').textContent")
          == "Made from: file")
      let links: [String] = try page.value(
        of: "[...document.querySelectorAll('#detail .profiles a')].map(a =>"
          + " a.getAttribute('href'))")
      #expect(links.first == "https://example.org/otter")
      #expect(links.suffix(2) == ["people/otter/index.html", "people/otter/card.vcf"])
      let words: [String] = try page.value(
        of: "[...document.querySelectorAll('#detail .about, .profiles a')].map(e => e.textContent)")
      #expect(
        words == [
          "Digs.\n</script><b>Plants.</b>", "example.org/otter", "GitHub", "@otter@example.org",
          "otter@b.example", "Profile", "Contact card",
        ])
      // There is one icon per link, and no data is left over from the previous person.
      let icons: [Double] = try page.value(
        of: "[...document.querySelectorAll('.profiles a')].map(a => a.offsetWidth - "
          + "parseFloat(getComputedStyle(a, '::before').inlineSize))")
      #expect(icons.allSatisfy { $0 > 16 })
      try page.run("document.querySelector('#detail [data-go=next]').click()")
      try page.wait(
        for: "document.querySelector('#detail .about').offsetHeight == 0"
          + " && document.querySelectorAll('#detail .profiles a').length == 2")
    }

    @Test func `published pages omit the detail view's file tables and picture controls`() throws {
      let site = try TestSite()
      try site.paint("red.png", .red, side: 300)
      try site.write(
        (0..<3).map { Person("p\($0)", name: "Sample \($0)", "red.png", tags: ["crew"]) },
        styles: ["name: round, size: 96, formats: [png]"], more: "pages: { groupBy: tag }")
      try site.buildAsWritten()
      let page = try Browser().page(width: 1_200, height: 900)
      try page.open(site.address(of: "index.html"))
      try page.run("document.querySelectorAll('#people-list h3 a')[1].click()")
      try page.wait(for: page.isDetailOpen)
      #expect(try page.value(of: name) == "Sample 1")
      let tools = "document.querySelectorAll('#detail :is(details, table, select)').length"
      #expect(try page.value(of: tools) == 0)
      // A picture is as large as its resolution allows, but never larger than its container.
      #expect(try page.value(of: "document.querySelector('[data-portrait] img').width") == 192)
      try page.press(.right)
      try page.wait(for: "\(name) === 'Sample 2'")
      #expect(
        try page.value(of: "document.querySelector('#detail .tags a').getAttribute('href')")
          == "tags/crew/index.html")
      #expect(page.complaints == [])
    }

    @Test func `snippets are escaped and can be copied without clipboard access`() throws {
      let page = try opened("#person-quote")
      try page.wait(for: page.isDetailOpen)
      try page.run(
        """
        Object.defineProperty(navigator, 'clipboard', { value: undefined });
        addEventListener('copy', () => window.copied = document.activeElement.value);
        document.querySelector('#detail details').open = true;
        document.querySelector('#detail td [data-copy=picture]').focus();
        """)
      try page.press(.enter)
      try page.wait(for: "document.querySelector('#detail [data-said]').textContent === 'Copied'")
      let snippet: String = try page.value(of: "copied")
      let markup = HTMLPage(snippet)
      #expect(markup.tags.map(\.name) == ["picture", "source", "img"], "\(snippet)")
      let image = try #require(markup.tags("img").first)
      #expect(image["alt"] == "<b>\"Sample\" & 'co'</b>")
      #expect(image["width"] == "48" && image["height"] == "48")
      let all = try #require(try site.assets().users["quote"]?.avatars["round"])
      func set(_ format: String) -> String {
        all.filter { $0.format == format }.map { "\($0.path) \(Int($0.scale))x" }
          .joined(separator: ", ")
      }
      #expect(image["srcset"] == set("png"))
      #expect(markup.tags("source").first?["srcset"] == set("webp"))
      #expect(try page.value(of: "document.activeElement.dataset.copy") == "picture")
      #expect(try page.value(of: "document.querySelectorAll('#detail textarea').length") == 0)
      try page.press(.tab)
      try page.press(.enter)
      let css = all.filter { $0.format == "webp" }
        .map { "url(\"\($0.path)\") \(Int($0.scale))x" }.joined(separator: ", ")
      try page.wait(for: "copied.startsWith('background-image')")
      #expect(
        try page.value(of: "copied")
          == "background-image: image-set(\(css));\nbackground-size: 48px 48px;")
    }

    @Test func `a copied picture element uses the site's public URLs`() throws {
      let site = try TestSite()
      try site.paint("red.png", .red, side: 96)
      try site.write(
        [Person("a", name: "A & B", "red.png")],
        styles: ["name: round, size: 48, scales: [1, 2], formats: [webp, png]"],
        more: "site: { url: \"https://example.org/team/\" }\npages: { styles: true }")
      try site.buildAsWritten()
      let page = try Browser().page(width: 1_200, height: 900)
      try page.open(site.address(of: "index.html") + "#person-a")
      try page.wait(for: page.isDetailOpen)
      #expect(try page.value(of: "document.querySelector('[data-portrait] img').width") == 96)
      #expect(
        try page.value(
          of: "document.querySelector('[data-bench=style]').closest('label').hidden"))
      try page.run(
        """
        Object.defineProperty(navigator, 'clipboard', { value: undefined });
        addEventListener('copy', () => window.copied = document.activeElement.value);
        document.querySelector('#detail details').open = true;
        document.querySelector('#detail [data-whole]').focus();
        """)
      try page.press(.enter)
      try page.wait(for: "window.copied")
      let url = "https://example.org/team/"
      func set(_ format: String) throws -> String {
        try #require(try site.assets().users["a"]?.avatars["round"])
          .filter { $0.format == format }.map { "\(url)\($0.path) \(Int($0.scale))x" }
          .joined(separator: ", ")
      }
      let (png, size) = (try set("png"), "width=\"48\" height=\"48\"")
      #expect(
        try page.value(of: "copied") == """
          <picture>
            <source type="image/webp" srcset="\(try set("webp"))">
            <img src="\(png.prefix { $0 != " " })" srcset="\(png)" \(size) alt="A &#38; B">
          </picture>
          """)
      #expect(page.complaints == [])
    }

    @Test func `the preview controls affect only the displayed picture`() throws {
      let page = try opened("#person-otter")
      try page.wait(for: page.isDetailOpen)
      func choose(_ name: String, _ value: String) throws {
        try page.run(
          """
          (e => { e.value = '\(value)'; e.dispatchEvent(new Event('input', { bubbles: true })); })(
            document.querySelector('[data-bench=\(name)]'))
          """)
      }
      let images = "[...document.querySelectorAll('#detail [data-stage] img')]"
      // Images in a collapsed section are not loaded.
      #expect(try page.value(of: "\(images).length") == 0)
      try page.run("document.querySelector('#detail details').open = true")
      try page.wait(for: "\(images).length === 2")
      func widths() throws -> [Int] { try page.value(of: "\(images).map(i => i.width)") }
      #expect(try widths() == [48, 32])
      try choose("style", "round")
      try choose("zoom", "8")
      #expect(try widths() == [384])
      let rendering: String = try page.value(of: "getComputedStyle(\(images)[0]).imageRendering")
      #expect(rendering == "pixelated")
      try choose("density", "2")
      try choose("format", "png")
      try page.wait(for: "\(images)[0].currentSrc.endsWith('.png') && \(images)[0].complete")
      try choose("zoom", "1")
      try page.run(
        """
        (e => { e.checked = true; e.dispatchEvent(new Event('input', { bubbles: true })); })(
          document.querySelector('[data-bench=overlay]'))
        """)
      #expect(try widths() == [48, 48])
      let boxes: [[Double]] = try page.value(
        of: "\(images).map(i => (b => [b.x, b.y])(i.getBoundingClientRect()))")
      #expect(boxes[0] == boxes[1])
      let stage = "document.querySelector('#detail [data-stage]')"
      for (ground, color) in [
        ("light", "rgb(255, 255, 255)"), ("dark", "rgb(17, 17, 17)"),
        ("colour", "rgb(136, 136, 204)"),
      ] {
        try choose("ground", ground)
        #expect(
          try page.value(of: "getComputedStyle(\(stage)).backgroundColor") == color, "\(ground)")
        let isAsked = "!document.querySelector('[data-only=colour]').hidden"
        #expect(try page.value(of: isAsked) == (ground == "colour"))
      }
      try choose("ground", "checker")
      let checker: String = try page.value(of: "getComputedStyle(\(stage)).backgroundImage")
      #expect(checker.contains("conic-gradient"))
      #expect(page.complaints == [])
    }
  }
}
