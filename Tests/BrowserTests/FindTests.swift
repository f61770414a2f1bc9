import SiteSupport

extension InBrowser {
  struct FindTests {
    private let site: TestSite

    init() throws { site = try .gallery(", problems: true") }

    private func opened(_ query: String = "", of other: TestSite? = nil) throws -> BrowserPage {
      let page = try Browser().page(width: 1_200, height: 900)
      try page.open((other ?? site).address(of: "index.html") + query)
      return page
    }

    private func reload(_ page: BrowserPage) throws {
      try page.open(try page.value(of: "location.href"))
    }

    @Test func `search ignores case and accents in names, titles and tags`() throws {
      let page = try opened()
      for (text, names) in [
        ("OTTER", ["Sample Otter"]), ("zo\u{EB} strasse", ["Zoe\u{308} Stra\u{DF}e"]),
        ("oeuvre FIND", ["Zoe\u{308} Stra\u{DF}e"]), ("creme", ["Zoe\u{308} Stra\u{DF}e"]),
        ("\u{3C3}\u{3BF}\u{3C6}\u{3BF}\u{3C2}", ["\u{3A3}\u{39F}\u{3A6}\u{39F}\u{3A3}"]),
        ("gardener founders", ["Sample Otter"]), ("\"sample\" &", ["<b>\"Sample\" & 'co'</b>"]),
      ] {
        try page.find(text, said: "1 person found")
        #expect(try page.names() == names, "\(text)")
        try page.press(.escape)
        try page.wait(for: "document.getElementById('found').hidden")
        try page.wait(for: "document.getElementById('find-said').textContent === '30 people'")
      }
      try page.find("otter nobody", said: "No matches")
      #expect(try page.value(of: "document.getElementById('results').childElementCount") == 0)
      try page.run("document.getElementById('find-clear').click()")
      try page.wait(for: "document.getElementById('found').hidden")
      #expect(try page.query() == "")
      #expect(page.complaints == [])
    }

    @Test func `search text, tag, status and order are combined and saved in the URL`() throws {
      let page = try opened()
      try page.choose("find-status", "fallback")
      try page.wait(for: "document.getElementById('find-said').textContent === '1 person found'")
      #expect(try page.names() == ["Sample Plain"])
      #expect(try page.query() == "?status=fallback")
      #expect(
        try page.value(of: "document.querySelector('#results .notice').textContent")
          == "Plain colour")
      try page.choose("find-status", "")
      try page.wait(for: "document.getElementById('found').hidden")
      try page.wait(for: "document.getElementById('find-tag').options.length === 5")
      try page.choose("find-tag", "crew")
      try page.choose("find-sort", "name-down")
      try page.find("person 1", said: "11 people found")
      try page.wait(for: "location.search !== '?tag=crew&sort=name-down'")
      #expect(try page.query() == "?q=person+1&tag=crew&sort=name-down")
      let expected = [21, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10].map { "Sample Person \($0)" }
      #expect(try page.names() == expected)

      // The URL can be shared, and the back button restores the search.
      try reload(page)
      try page.wait(for: "document.getElementById('find-said').textContent === '11 people found'")
      #expect(try page.names() == expected)
      let values: [String] = try page.value(
        of: "['text', 'tag', 'status', 'sort'].map(name =>"
          + " document.getElementById(`find-${name}`).value)")
      #expect(values == ["person 1", "crew", "", "name-down"])
      #expect(
        try page.value(
          of: "[document.getElementById('people-list').checkVisibility(),"
            + " document.getElementById('pages').checkVisibility()]") == [false, false])
    }

    @Test func `a tag can be selected by URL, even if unknown, or by a click on a card`() throws {
      let page = try opened("?tag=unheard")
      try page.wait(for: "document.getElementById('find-said').textContent === 'No matches'")
      #expect(try page.value(of: "document.getElementById('find-tag').value") == "unheard")
      try page.open(site.address(of: "page/2/index.html") + "?q=otter")
      try page.wait(for: "document.querySelector('#results .tags a')")
      try page.run("document.querySelectorAll('#results .tags a')[1].click()")
      try page.wait(for: "document.getElementById('find-said').textContent === '2 people found'")
      #expect(try page.names() == ["Sample Otter", "Sample Plain"])
      #expect(try page.query() == "?tag=field")
      #expect(try page.value(of: "document.activeElement.id") == "find-tag")
    }

    @Test func `results appear sixty at a time, and the first new one is focused`() throws {
      let site = try TestSite()
      try site.paint("red.png", .red)
      try site.write((0..<130).map { Person("p\($0)", name: "Sample \($0)", "red.png") })
      try site.buildAsWritten()
      let page = try opened(of: site)
      try page.find("sample", said: "130 people found")
      for (count, isMore) in [(60, true), (120, true), (130, false)] {
        #expect(try page.names() == (0..<count).map { "Sample \($0)" })
        #expect(try page.value(of: "!document.getElementById('more').hidden") == isMore)
        try page.run("document.getElementById('more').click()")
        let focused: String = try page.value(of: "document.activeElement.textContent")
        if isMore { #expect(focused == "Sample \(count)") }
      }
    }

    /// D1: empty values create no element, and three changes cause one redraw.
    @Test func `empty values create no elements, and quick changes cause one redraw`() throws {
      let page = try opened()
      let empty = "[...document.querySelectorAll('%@')].filter(e => !e.textContent.trim()).length"
      let parts = ".person p, .person h3, .person a:not([aria-label])"
      #expect(
        try page.value(of: empty.replacingOccurrences(of: "%@", with: parts), as: Int.self) == 0)
      try page.find("sample", said: "23 people found")
      #expect(
        try page.value(of: empty.replacingOccurrences(of: "%@", with: parts), as: Int.self) == 0)
      try page.run(
        """
        window.drawn = 0;
        new MutationObserver(records => drawn += records.filter(r => r.type === 'childList').length)
          .observe(document.getElementById('results'), { childList: true });
        """)
      try page.run(
        """
        for (const value of ['sample o', 'sample ot', 'sample ott']) {
          const field = document.getElementById('find-text');
          field.value = value;
          field.dispatchEvent(new Event('input', { bubbles: true }));
        }
        """)
      try page.wait(for: "document.getElementById('find-said').textContent === '1 person found'")
      #expect(try page.value(of: "drawn", as: Int.self) == 1)
    }

    /// D3: repeating a search redraws nothing, and only the matched text looks different.
    @Test func `only the matching text is highlighted`() throws {
      let page = try opened("?tag=Cr%C3%A8me")
      try page.wait(for: "document.querySelector('#results picture img')?.complete")
      try page.wait(for: "document.getElementById('find-said').textContent === '1 person found'")
      try page.run("document.activeElement.blur()")
      let card = "document.querySelector('#results .person')"
      let box: [Double] = try page.value(
        of: "(b => [b.x, b.y, b.width, b.height])(\(card).getBoundingClientRect())")
      func shot() throws -> Pixels {
        try page.waitForPaint()
        return try Pixels(png: page.screenshot(x: box[0], y: box[1], width: box[2], height: box[3]))
      }
      let plain = try shot()
      let texts = "[...\(card).querySelectorAll('h3, p')].map(e => e.textContent)"
      let before: [String] = try page.value(of: texts)

      try page.find("zoe ss finder", said: "1 person found")
      try page.wait(for: "document.querySelector('#results mark')")
      try page.run("document.activeElement.blur()")
      #expect(try page.value(of: texts) == before)
      let marked: [String] = try page.value(
        of: "[...\(card).querySelectorAll('mark')].map(e => e.textContent)")
      #expect(marked == ["Zoe\u{308}", "\u{DF}", "\u{FB01}nder"])
      let rects: [[Double]] = try page.value(
        of: "[...\(card).querySelectorAll('mark')].map(e => (b => [b.left - \(box[0]),"
          + " b.top - \(box[1]), b.right - \(box[0]), b.bottom - \(box[1])])"
          + "(e.getBoundingClientRect()))")
      let lit = try shot()
      var outside = 0
      var inside = 0
      for y in 0..<plain.height {
        for x in 0..<plain.width where plain[x, y] != lit[x, y] {
          let isInside = rects.contains { rect in
            Double(x) > rect[0] - 2 && Double(x) < rect[2] + 1 && Double(y) > rect[1] - 2
              && Double(y) < rect[3] + 1
          }
          if isInside { inside += 1 } else { outside += 1 }
        }
      }
      #expect(outside == 0 && inside > 100)

      try page.run(
        """
        window.changes = 0;
        new MutationObserver(records => changes += records.length).observe(
          document.getElementById('results'), { childList: true, subtree: true, attributes: true });
        """)
      try page.run("document.getElementById('find-text').focus()")
      try page.type(" ")
      try page.waitForPaint()
      #expect(try page.value(of: "changes", as: Int.self) == 0)
    }

    @Test func `the script normalizes text in the same way as the search index`() throws {
      let page = try opened()
      try page.find("otter", said: "1 person found")
      // Latin, Greek, Cyrillic, Arabic, Indic, Hangul, Kana, presentation forms, and others.
      let ranges: [ClosedRange<UInt32>] = [
        0x20...0x24F, 0x370...0x52F, 0x5D0...0x6D3, 0x900...0x97F, 0xE01...0xE5B, 0x1E00...0x1FFE,
        0x2070...0x218B, 0x2460...0x24E9, 0x3041...0x30FF, 0xAC00...0xAD00, 0xFB00...0xFB4F,
        0xFE70...0xFEFC, 0xFF01...0xFFDC, 0x1D400...0x1D7CB, 0x1F100...0x1F16B,
      ]
      let texts = ranges.joined().compactMap(Unicode.Scalar.init)
        .filter { $0.properties.age.map { $0.major < 14 } ?? false }
        .map { "a\(Character($0))\u{301}Z" }
      #expect(texts.count > 4_000)
      let json = String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
      let folded: [String] = try page.value(of: "\(json).map(folding.folded)")
      var different: [String] = []
      for (text, folded) in zip(texts, folded) {
        let ours = Folding.folded(text)
        if !ours.unicodeScalars.elementsEqual(folded.unicodeScalars) {
          different.append("\(text.unicodeScalars.map { String($0.value, radix: 16) })")
        }
      }
      #expect(different == [])
    }
  }
}
