import SiteSupport

extension InBrowser {
  struct ButtonLookTests {
    private static let states = ["normal", "highlighted", "disabled", "selected", "focused"]

    private struct Look {
      var name: String
      var radius: Double
      var border: Double
      var normal: String
      var edge: String
      var curve = Outline.Curve.circular
    }

    private static let full =
      "normal: \"#0a84ff\", highlighted: \"#0060df\", disabled: \"#0a84ff59\", "
      + "selected: \"#112233\", focused: \"#445566\", title: white, "
      + "dark: { normal: \"#100020\", highlighted: \"#300040cc\", selected: \"#500060\", "
      + "title: \"#ffffcc\" }"

    private func built(_ buttons: [String], _ html: String) throws -> TestSite {
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
      try site.folder.write(
        "html { background: #406080; } body { margin: 0; }"
          + " .box { position: absolute; box-sizing: border-box; margin: 0; padding: 0; }"
          + " #wide { left: 0; top: 0; width: 300px; height: 60px; }"
          + " #square { left: 0; top: 60px; width: 48px; height: 48px; }", to: "output/test.css")
      return site
    }

    private static let ground: [UInt8] = [0x40, 0x60, 0x80]

    /// Composites a pixel with straight alpha over the colour `ground`.
    private func composed(_ pixel: ArraySlice<UInt8>) -> [Double] {
      let alpha = Double(pixel[pixel.startIndex + 3]) / 255
      return zip(pixel.prefix(3), Self.ground.map(Double.init)).map {
        Double($0) * alpha + $1 * (1 - alpha)
      }
    }

    /// B11: `border-image` with the real files looks like the drawn button, within 2/255.
    @Test(arguments: Extent.isAll ? [1.0, 2, 3] : [1, 2])
    func `stretched border images look like drawn buttons`(scale: Double) throws {
      let looks = [
        Look(name: "round", radius: 10, border: 0, normal: "#0a84ff", edge: ""),
        Look(name: "edged", radius: 8, border: 2, normal: "#ffcc00", edge: "#0060df"),
        Look(name: "clear", radius: 24, border: 1, normal: "#0a84ff59", edge: "#ffffff80"),
        Look(name: "odd", radius: 4.5, border: 1.5, normal: "#112233", edge: "#ff0000"),
        Look(
          name: "smooth", radius: 12, border: 2, normal: "#ffcc00", edge: "#0060df",
          curve: .continuous),
        Look(name: "square", radius: 0, border: 3, normal: "#ffffff", edge: "#00000080"),
      ]
      let site = try built(
        looks.map { look in
          let edge = "border: { width: \(look.border), color: \"\(look.edge)\" }"
          return "name: \(look.name), normal: \"\(look.normal)\", radius: \(look.radius), "
            + (look.curve == .continuous ? "shape: continuous, " : "")
            + "emit: [css, png]\(look.edge.isEmpty ? "" : ", " + edge)"
        }, "<p class=box id=wide></p><p class=box id=square></p>")
      let page = try Browser(scale: scale).page()
      try page.open(file: site.folder.path(of: "output/test.html"))
      for look in looks {
        let classes = "box btn-\(look.name) as-image"
        let _: Int = try page.value(
          of: "document.querySelectorAll('.box').forEach(e => e.className = '\(classes)'), 1")
        try page.waitForPaint()
        let color = try #require(Color(parsing: look.normal))
        var button = ButtonStyle(
          name: look.name, light: ButtonStyle.Colors(normal: color, highlighted: color),
          declared: Located(FileLocation(file: ""), path: ""))
        (button.radius, button.curve) = (look.radius, look.curve)
        button.border = Color(parsing: look.edge).map { .init(width: look.border, color: $0) }
        let boxes: [(y: Double, width: Double, height: Double)] = [(0, 300, 60), (60, 48, 48)]
        for (y, width, height) in boxes {
          let shot = try Pixels(png: page.screenshot(y: y, width: width, height: height))
          var picture = try Picture(.color(color))
          let size = PixelSize(width: Int(width * scale), height: Int(height * scale))
          let recipe = button.recipe(size: size, scale: scale)
          let direct = try Pixels(png: picture.rendered(recipe).bytes)
          #expect(shot.width == direct.width && shot.height == direct.height)
          let worst = shot.worstDifference(from: direct, on: Self.ground)
          #expect(worst <= 2, "\(look.name), \(Int(width)) wide")
        }
      }
    }

    private struct Sample {
      var classes: String
      var color: Color
      var words: String
    }

    /// Every state of every button in every form, with and without a forced appearance.
    private func samples(of assets: AssetsFile, isDark: Bool) throws -> [Sample] {
      var samples: [Sample] = []
      for (name, button) in assets.buttons.sorted(by: { $0.key < $1.key }) {
        let forms = ["both", "rounded"].contains(name) ? ["", " as-image"] : [""]
        for (form, force) in forms.flatMap({ form in
          ["", " is-light", " is-dark"].map { (form, $0) }
        }) {
          let appearance = force == " is-dark" || (isDark && force.isEmpty) ? "dark" : "light"
          for state in Self.states {
            guard let light = button["light"]?[state] else { continue }
            let color = button[appearance]?[state]?.color ?? light.color
            samples.append(
              Sample(
                classes: "btn-\(name)\(form)\(force) is-\(state)",
                color: try #require(Color(parsing: color)),
                words: appearance == "dark" ? "rgb(255, 255, 204)" : "rgb(255, 255, 255)"))
          }
        }
      }
      return samples
    }

    @Test(arguments: [false, true])
    func `button states set by a class have the declared colours`(isDark: Bool) throws {
      let site = try built(
        [
          "name: colors, \(Self.full)", "name: both, emit: [css, png], \(Self.full)",
          "name: rounded, emit: [css, png], radius: 6, \(Self.full)",
          "name: plain, emit: [png], \(Self.full)",
          "name: picture, emit: [png], radius: 6, border: { color: red }, \(Self.full)",
          "name: light, normal: red, highlighted: lime, title: white, dark: { normal: red, "
            + "title: \"#ffffcc\" }",
        ], "")
      let samples = try samples(of: site.assets(), isDark: isDark)
      #expect(samples.count == 7 * 3 * 5 + 3 * 2)
      let boxes = samples.enumerated().map { number, sample in
        "<p class=\"box \(sample.classes)\" style=\"left: \(number % 20 * 20)px; "
          + "top: \(number / 20 * 20)px; width: 20px; height: 20px\"></p>"
      }
      try site.folder.write(try site.text("test.html") + boxes.joined(), to: "output/test.html")
      let page = try Browser().page(isDark: isDark)
      try page.open(file: site.folder.path(of: "output/test.html"))
      try page.finishLoading()
      let shot = try Pixels(png: page.screenshot(width: 400, height: 200))
      let words: [String] = try page.value(
        of: "[...document.querySelectorAll('.box')].map(e => getComputedStyle(e).color)")
      for (number, sample) in samples.enumerated() {
        let pixel = shot[number % 20 * 20 + 10, number / 20 * 20 + 10]
        let color = sample.color
        let wanted = composed([color.red, color.green, color.blue, color.alpha])
        let isSame = zip(pixel, wanted).allSatisfy { abs(Double($0) - $1) <= 2 }
        #expect(isSame, "\(sample.classes), dark \(isDark): \(pixel)")
        #expect(words[number] == sample.words, "\(sample.classes), dark \(isDark)")
      }
    }

    @Test func `mouse and keyboard input sets the button states`() throws {
      let site = try built(
        ["name: b, emit: [css, png], \(Self.full)"],
        """
        <button class="box btn-b" id="wide">b</button>
        <button class="btn-b" id="off" disabled>b</button>
        <button class="btn-b" id="on" aria-pressed="true">b</button>
        """)
      let page = try Browser().page()
      try page.open(file: site.folder.path(of: "output/test.html"))
      func color(_ id: String) throws -> String {
        try page.value(of: "getComputedStyle(document.getElementById('\(id)')).backgroundColor")
      }
      let (normal, lit) = ("rgb(10, 132, 255)", "rgb(0, 96, 223)")
      #expect(try color("wide") == normal)
      #expect(try color("off") == "rgba(10, 132, 255, 0.35)")
      #expect(try color("on") == "rgb(17, 34, 51)")
      try page.key(isDown: true, code: "Tab", number: 9)
      try page.key(isDown: false, code: "Tab", number: 9)
      #expect(try color("wide") == "rgb(68, 85, 102)")
      try page.key(isDown: true, code: "Space", text: " ", number: 32)
      #expect(try color("wide") == lit)
      try page.key(isDown: false, code: "Space", text: " ", number: 32)
      #expect(try color("wide") == "rgb(68, 85, 102)")
      let _: Int = try page.value(of: "document.activeElement.blur(), 1")
      #expect(try color("wide") == normal)
      try page.mouse(.moved, x: 10, y: 10)
      #expect(try color("wide") == lit)
      try page.mouse(.moved, x: 10, y: 300)
      #expect(try color("wide") == normal)
      try page.mouse(.moved, x: 10, y: 10)
      try page.mouse(.pressed, x: 10, y: 10)
      #expect(try color("wide") == lit)
      try page.mouse(.released, x: 10, y: 10)
      try page.mouse(.moved, x: 10, y: 300)
      #expect(try color("wide") == normal)
      // A touch screen does not support hover.
      let finger = try Browser(hasMouse: false).page()
      try finger.open(file: site.folder.path(of: "output/test.html"))
      try finger.mouse(.moved, x: 10, y: 10)
      let untouched: String = try finger.value(
        of: "getComputedStyle(document.getElementById('wide')).backgroundColor")
      #expect(untouched == normal)
    }

    /// B10: the pictures of all states are loaded with the first paint.
    @Test(arguments: ["", ", radius: 6"])
    func `the first press of a button sends no requests`(more: String) throws {
      let site = try built(
        ["name: b, emit: [png]\(more), \(Self.full)"],
        "<button class=\"box btn-b\" id=\"wide\">b</button>")
      let cases = [("light", 1.0), ("dark", 2)]
      for (appearance, scale) in Extent.isAll
        ? cases[...] : more.isEmpty ? cases[..<1] : cases[1...]
      {
        let server = try ScriptedServer(serving: site.folder.path(of: "output"))
        let page = try Browser(scale: scale).page(isDark: appearance == "dark")
        try page.open(server.url() + "test.html")
        try page.finishLoading()
        let button = try #require(site.assets().buttons["b"])
        let light = try #require(button["light"])
        let wanted = light.map { state, colors in
          (button[appearance]?[state] ?? colors).images.first { $0.scale == scale || more.isEmpty }?
            .path
        }
        let awaited = Set(try wanted.map { try "/" + #require($0) })
        let images = server.paths.filter { $0.hasSuffix(".png") }
        #expect(Set(images) == awaited)
        #expect(images.count == Set(images).count)
        let count = server.paths.count
        try page.mouse(.moved, x: 150, y: 10)
        try page.mouse(.pressed, x: 150, y: 10)
        let shot = try Pixels(png: page.screenshot(x: 10, y: 30, width: 1, height: 1))
        let lit = try #require(button[appearance]?["highlighted"]?.color)
        let color = try #require(Color(parsing: lit))
        let pressed = composed([color.red, color.green, color.blue, color.alpha])
        #expect(zip(shot[0, 0], pressed).allSatisfy { abs(Double($0) - $1) <= 2 })
        try page.mouse(.released, x: 150, y: 10)
        let _: Int = try page.value(of: "document.getElementById('wide').disabled = true, 1")
        try page.waitForPaint()
        #expect(server.paths.count == count)
      }
    }
  }
}
