import SiteSupport

extension InBrowser {
  struct ButtonCareTests {
    private func built(_ buttons: [String], _ html: String, _ css: String = "") throws -> TestSite {
      let site = try TestSite()
      try site.write([Person("a")], buttons: buttons)
      try site.build()
      try site.folder.write(
        """
        <!DOCTYPE html>
        <link rel="stylesheet" href="buttons.css">
        <link rel="stylesheet" href="test.css">
        \(html)
        """, to: "output/test.html")
      try site.folder.write("body { margin: 0; } " + css, to: "output/test.css")
      return site
    }

    private func page(
      of site: TestSite, in browser: Browser, isDark: Bool = false
    ) throws -> BrowserPage {
      let page = try browser.page(isDark: isDark)
      try page.open(file: site.folder.path(of: "output/test.html"))
      try page.waitForPaint()
      return page
    }

    /// A disabled button without its own colour does not change, even on hover.
    @Test func `a disabled button does not react to the pointer`() throws {
      let attributes = ["disabled", "aria-disabled=true", "class=is-disabled"]
      for (more, wanted) in [("", "rgb(255, 0, 0)"), (", disabled: blue", "rgb(0, 0, 255)")] {
        let site = try built(
          ["name: b, normal: red, highlighted: lime, focused: yellow" + more],
          attributes.map { word in
            word.hasPrefix("class")
              ? "<button class=\"btn-b is-disabled\">b</button>"
              : "<button class=btn-b \(word)>b</button>"
          }.joined(), "button { display: block; width: 100px; height: 50px; margin: 0; }")
        let page = try page(of: site, in: Browser())
        for number in attributes.indices {
          func color() throws -> String {
            try page.value(
              of: "getComputedStyle(document.querySelectorAll('button')[\(number)]).backgroundColor"
            )
          }
          let y = Double(number) * 50 + 25
          try page.mouse(.moved, x: 50, y: y)
          #expect(try color() == wanted, "\(attributes[number]), under the mouse")
          try page.mouse(.pressed, x: 50, y: y)
          #expect(try color() == wanted, "\(attributes[number]), pressed")
          try page.mouse(.released, x: 50, y: y)
        }
      }
    }

    /// B11: the background is not visible between the parts of a border image.
    @Test(arguments: [1.25, 1.5])
    func `border images have no seams at fractional scales`(scale: Double) throws {
      let boxes = ["round", "edged", "small"].enumerated().map { number, name in
        "<p class=\"btn-\(name) as-image\" style=\"top: \(number * 70 + 5)px\"></p>"
      }
      let site = try built(
        [
          "name: round, normal: \"#000080\", radius: 10, emit: [css, png]",
          "name: edged, normal: \"#000080\", radius: 7, emit: [css, png], "
            + "border: { width: 1, color: \"#000000\" }",
          "name: small, normal: \"#000080\", radius: 3, emit: [css, png]",
        ], boxes.joined(),
        "html { background: #ff0000; } p { position: absolute; box-sizing: border-box; "
          + "left: 7px; width: 201px; height: 61px; margin: 0; }")
      let page = try page(of: site, in: Browser())
      try page.show(scale: scale)
      try page.finishLoading()
      // The browser may paint parts at the new scale only after the first screenshot.
      var wrong: [String] = []
      _ = try eventually {
        let shot = try Pixels(png: page.screenshot(width: 230, height: 220))
        wrong = zip([10.0, 7, 3], [5.0, 75, 145]).compactMap { radius, top in
          // The inside of the button, without its cut-off corners.
          let (left, right) = (Int(7 * scale) + 3, Int(208 * scale) - 3)
          let (upper, lower) = (Int(top * scale) + 3, Int((top + 61) * scale) - 3)
          let cut = Int(radius * scale / 3)
          var worst: UInt8 = 0
          for y in upper..<lower {
            let isOuter = y < upper + cut || y >= lower - cut
            for x in (isOuter ? left + cut : left)..<(isOuter ? right - cut : right) {
              worst = max(worst, shot[x, y][0])
            }
          }
          let corner = shot[Int(7 * scale) + 1, Int(top * scale) + 1][0]
          let isRight = worst <= 16 && corner >= (radius > 3 ? 250 : 60)
          return isRight ? nil : "radius \(radius): \(worst) within, \(corner) at the corner"
        }
        return wrong.isEmpty
      }
      #expect(wrong.isEmpty)
    }

    /// In forced-colours mode, buttons have an outline and no picture.
    @Test func `buttons are visible in forced-colours mode`() throws {
      let full = "normal: red, highlighted: lime, selected: blue, dark: { normal: blue }"
      let site = try built(
        [
          "name: color, \(full)", "name: both, radius: 6, emit: [css, png], \(full)",
          "name: nine, radius: 6, emit: [png], \(full)", "name: one, emit: [png], \(full)",
        ],
        ["color", "both", "both as-image", "nine", "one"].flatMap { name in
          ["", " is-highlighted", " is-selected", " is-dark"].map {
            "<button class=\"btn-\(name)\($0)\">b</button>"
          }
        }.joined())
      let page = try page(of: site, in: Browser())
      try page.show(isDark: false, hasForcedColors: true)
      try page.waitForPaint()
      let looks: [[String]] = try page.value(
        of: """
          [...document.querySelectorAll("button")].map(e => (s => [s.borderTopWidth,
            s.borderTopStyle, s.borderImageSource, s.backgroundImage])(getComputedStyle(e)))
          """)
      #expect(looks.count == 20)
      for look in looks { #expect(look == ["1px", "solid", "none", "none"]) }
    }

    /// A theme class on the page sets the appearance; a class on the button takes precedence.
    @Test(arguments: [false, true])
    func `a theme class sets the appearance of a button`(isDark: Bool) throws {
      let states =
        "normal: \"#110000\", highlighted: \"#220000\", selected: \"#330000\", "
        + "dark: { normal: \"#001100\", highlighted: \"#002200\", selected: \"#003300\" }"
      // The ancestors' classes, the button's own class, and whether the button is dark.
      let cases: [(grounds: [String], own: String, isDark: Bool)] = [
        ([], "", isDark), (["is-dark"], "", true), (["is-light"], "", false),
        (["is-dark"], "is-light", false), (["is-light"], "is-dark", true),
        (["is-dark", "is-light"], "", false), (["is-light", "is-dark"], "", true),
      ]
      var html = ""
      var wanted: [(channels: [UInt8], name: String)] = []
      let forms = ["color", "both as-image", "flat as-image", "nine", "one"]
      for (grounds, own, isDark) in cases {
        for form in forms {
          for (number, state) in ["normal", "highlighted", "selected"].enumerated() {
            let open = grounds.map { "<div class=\($0)>" }.joined()
            let close = grounds.map { _ in "</div>" }.joined()
            html += "\(open)<p class=\"btn-\(form) \(own) is-\(state)\"></p>\(close)"
            let value = UInt8(number + 1) * 17
            wanted.append(
              (isDark ? [0, value, 0] : [value, 0, 0], "\(grounds) \(form) \(own) \(state)"))
          }
        }
      }
      let site = try built(
        [
          "name: color, \(states)", "name: both, radius: 3, emit: [css, png], \(states)",
          "name: flat, emit: [css, png], \(states)",
          "name: nine, radius: 3, emit: [png], \(states)", "name: one, emit: [png], \(states)",
        ], html, "p { float: left; width: 20px; height: 20px; margin: 0; }")
      let page = try page(of: site, in: Browser(), isDark: isDark)
      let places: [[Int]] = try page.value(
        of: "[...document.querySelectorAll('p')].map(e => (b => [b.left + 10, b.top + 10])"
          + "(e.getBoundingClientRect()))")
      let shot = try Pixels(png: page.screenshot(width: 800, height: 200))
      #expect(places.count == wanted.count)
      for (place, (channels, name)) in zip(places, wanted) {
        let pixel = shot[place[0], place[1]].prefix(3)
        let isSame = zip(pixel, channels).allSatisfy { abs(Int($0) - Int($1)) <= 2 }
        #expect(isSame, "\(name): \(pixel)")
      }
    }

    /// Browsers can read the web manifest on a server, so they report no error there.
    @Test func `icons cause no console messages except those about the web manifest`() throws {
      let site = try TestSite()
      try site.paint("red.png", .red)
      try site.write([Person("a", "red.png")], more: "exports: [icons]\nicons: { from: red.png }")
      try site.build()
      let server = try ScriptedServer(serving: site.folder.path(of: "output"))
      let browser = try Browser()
      let hosted = try browser.page()
      try hosted.open(server.url() + "index.html")
      try hosted.waitForPaint()
      #expect(hosted.complaints == [])
      // Some browsers report that they cannot read the manifest from a `file:` URL.
      let local = try browser.page()
      try local.open(file: site.folder.path(of: "output/index.html"))
      try local.waitForPaint()
      #expect(local.complaints.allSatisfy { $0.contains("site.webmanifest") })
    }
  }
}
