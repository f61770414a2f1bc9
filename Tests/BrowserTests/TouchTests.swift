import SiteSupport

extension InBrowser {
  /// `buttons.js`, enabled by `exports: [touch]`.
  struct TouchTests {
    private func built() throws -> TestSite {
      let site = try TestSite()
      try site.write(
        [Person("a")], buttons: ["name: b, normal: \"#0a84ff\", highlighted: \"#0060df\""],
        more: "exports: [touch]")
      try site.build()
      return site
    }

    /// Opens a page with one button, at x 200 to 300 and y 200 to 250.
    private func page(of site: TestSite, in browser: Browser) throws -> BrowserPage {
      try site.folder.write(
        """
        <!DOCTYPE html>
        <link rel="stylesheet" href="buttons.css">
        <link rel="stylesheet" href="test.css">
        <script src="buttons.js" defer></script>
        <button class="btn-b">b</button>
        <button class="btn-b" disabled>b</button>
        <button class="btn-b" aria-disabled="true">b</button>
        <input id="text">
        """, to: "output/test.html")
      try site.folder.write(
        "button { position: absolute; left: 200px; top: 200px; width: 100px; height: 50px; }"
          + "button:disabled { left: 500px; }"
          + " [aria-disabled] { left: 500px; top: 400px; }", to: "output/test.css")
      let page = try browser.page()
      try page.open(file: site.folder.path(of: "output/test.html"))
      return page
    }

    /// Sends an event to the button and returns the button's classes.
    private func send(
      _ name: String, x: Double = 250, y: Double = 225, pointer: Int = 1, to page: BrowserPage
    ) throws -> String {
      try page.value(
        of: """
          (button => (button.dispatchEvent(new PointerEvent("\(name)", {
            bubbles: true, pointerId: \(pointer), pointerType: "touch", isPrimary: true,
            button: "\(name)" == "pointermove" ? -1 : 0,
            buttons: ["pointerup", "pointercancel"].includes("\(name)") ? 0 : 1,
            clientX: \(x), clientY: \(y) })), button.className))
          (document.querySelector("button"))
          """)
    }

    /// Positions just inside and just outside each side, then two corners.
    private static let places: [(x: Double, y: Double, isIn: Bool)] = [
      (129.6, 225, true), (129.5, 225, false), (200, 225, true), (369.9, 225, true),
      (370, 225, false), (250, 130.1, true), (250, 130, false), (250, 319.9, true),
      (250, 320, false), (129.6, 319.9, true), (129.5, 319.9, false), (250, 225, true),
    ]

    /// B4: a button stays highlighted within 70.5 pixels on the left and 70 on the other sides.
    @Test func `the button stays lit while the finger is near`() throws {
      let page = try page(of: built(), in: Browser())
      let (lit, outside, normal) = ("btn-b is-pressed", "btn-b is-outside", "btn-b")
      for end in ["pointerup", "pointercancel"] {
        #expect(try send("pointerdown", to: page) == lit)
        for (x, y, isIn) in Self.places {
          let classes = try send("pointermove", x: x, y: y, to: page)
          #expect(classes == (isIn ? lit : outside), "\(x), \(y)")
        }
        #expect(try send(end, to: page) == normal)
        #expect(try send("pointermove", to: page) == normal)
        #expect(try send("pointerdown", to: page) == lit)
        #expect(try send("pointermove", x: 0, y: 0, to: page) == outside)
        #expect(try send(end, x: 0, y: 0, to: page) == normal)
      }
    }

    /// B4: interrupted presses do not leave a button highlighted.
    @Test func `interrupting a press ends the highlight`() throws {
      let page = try page(of: built(), in: Browser())
      let (lit, normal) = ("btn-b is-pressed", "btn-b")
      // A second finger does not end the press.
      #expect(try send("pointerdown", to: page) == lit)
      #expect(try send("pointerup", pointer: 2, to: page) == lit)
      let blurred: String = try page.value(
        of: "(window.dispatchEvent(new Event('blur')), document.querySelector('button').className)")
      #expect(blurred == normal)
      #expect(try send("pointerdown", to: page) == lit)
      let moved: String = try page.value(
        of: """
          (button => (button.dispatchEvent(new PointerEvent("pointermove", { bubbles: true,
            pointerId: 1, buttons: 0, clientX: 250, clientY: 225 })), button.className))
          (document.querySelector("button"))
          """)
      #expect(moved == normal)
      let disabled: String = try page.value(
        of: """
          (button => (button.dispatchEvent(new PointerEvent("pointerdown",
            { bubbles: true, pointerId: 3, buttons: 1 })), button.className))
          (document.querySelector("button:disabled"))
          """)
      #expect(disabled == normal)
    }

    /// B4: uses real touches, which scroll the page unless the button prevents it.
    @Test func `a pressed button prevents scrolling`() throws {
      let site = try built()
      for (isOurs, isLit) in [(true, true), (false, false)] {
        let page = try page(of: site, in: Browser(hasMouse: false))
        let _: Int = try page.value(of: "(document.body.style.height = '5000px', 1)")
        if !isOurs {
          let _: Int = try page.value(
            of: "(document.querySelector('button').style.touchAction = 'auto', 1)")
        }
        func classes() throws -> String {
          try page.value(of: "document.querySelector('button').className")
        }
        try page.finger(.laid, x: 250, y: 240)
        #expect(try classes() == "btn-b is-pressed")
        for y in stride(from: 230.0, through: 180, by: -10) {
          try page.finger(.moved, x: 250, y: y)
        }
        for y in [160.0, 145, 140] { try page.finger(.moved, x: 250, y: y) }
        #expect(try classes() == (isLit ? "btn-b is-pressed" : "btn-b"), "60 points above")
        guard isOurs else { continue }
        try page.finger(.moved, x: 250, y: 120)
        #expect(try classes() == "btn-b is-outside", "80 points above")
        try page.finger(.moved, x: 250, y: 150)
        #expect(try classes() == "btn-b is-pressed")
        try page.finger(.lifted)
        #expect(try classes() == "btn-b")
      }
    }

    /// B4: the script keeps the page's own classes and ignores disabled buttons.
    @Test func `the script changes only classes that it has added`() throws {
      let page = try page(of: built(), in: Browser())
      let _: Int = try page.value(
        of: "(document.querySelector('button').classList.add('is-highlighted'), 1)")
      #expect(try send("pointerdown", to: page) == "btn-b is-highlighted is-pressed")
      #expect(try send("pointerup", to: page) == "btn-b is-highlighted")
      let off: String = try page.value(
        of: """
          (button => (button.dispatchEvent(new PointerEvent("pointerdown",
            { bubbles: true, pointerId: 3, buttons: 1 })), button.className))
          (document.querySelector("[aria-disabled]"))
          """)
      #expect(off == "btn-b")
    }

    @Test func `a pressed button looks pressed, and keys work as usual`() throws {
      let page = try page(of: built(), in: Browser())
      func color() throws -> String {
        try page.value(of: "getComputedStyle(document.querySelector('button')).backgroundColor")
      }
      let (normal, lit) = ("rgb(10, 132, 255)", "rgb(0, 96, 223)")
      // The press must not end when another element loses the focus.
      let _: Int = try page.value(of: "document.getElementById('text').focus(), 1")
      #expect(try color() == normal)
      try page.mouse(.pressed, x: 250, y: 225)
      #expect(try color() == lit)
      let classes: String = try page.value(of: "document.querySelector('button').className")
      #expect(classes == "btn-b is-pressed")
      try page.mouse(.moved, x: 140, y: 225)
      #expect(try color() == lit)
      try page.mouse(.moved, x: 120, y: 225)
      #expect(try color() == normal)
      try page.mouse(.moved, x: 140, y: 225)
      #expect(try color() == lit)
      try page.mouse(.released, x: 140, y: 225)
      #expect(try color() == normal)
      let _: Int = try page.value(of: "document.querySelector('button').focus(), 1")
      try page.key(isDown: true, code: "Space", text: " ", number: 32)
      #expect(try color() == lit)
      try page.key(isDown: false, code: "Space", text: " ", number: 32)
      #expect(try color() == normal)
      #expect(page.complaints == [])
    }

    /// B4: the script is included only with `exports: [touch]`.
    @Test func `the touch script is disabled by default`() throws {
      let site = try built()
      func scripts(_ page: String) throws -> [String?] {
        HTMLPage(try site.text(page)).tags("script").map { $0["src"] }
      }
      #expect(try scripts("buttons/index.html") == ["../gallery.js", "../buttons.js"])
      #expect(try scripts("index.html") == ["gallery.js"])
      #expect(try site.text("buttons.css").contains(".is-outside"))
      #expect(try site.text("buttons.css").contains("touch-action: none;"))
      try site.write([Person("a")], buttons: ["name: b, normal: red"])
      try site.build()
      #expect(!site.outputFiles().contains("buttons.js"))
      #expect(try scripts("buttons/index.html") == ["../gallery.js"])
      for word in [".is-outside", ".is-pressed", "touch-action"] {
        #expect(try !site.text("buttons.css").contains(word))
      }
    }
  }
}
