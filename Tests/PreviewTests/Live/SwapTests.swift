import Foundation
import Preview
import TestSupport
import Testing

extension LivePages {
  /// Pictures that change under a page that stays.
  struct SwapTests {
    private let site: LiveSite

    init() throws { site = try LiveSite() }

    private static let image = "document.querySelector('img')"

    /// Looks at the first image in each frame: whether there is one to see, and which.
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

    /// The picture at the top left of a page of nothing else.
    private func color(_ page: BrowserPage) throws -> [UInt8] {
      struct Box: Decodable {
        var x: Double
        var y: Double
      }
      let box: Box = try page.value(of: "\(Self.image).getBoundingClientRect()")
      return try page.color(x: box.x + 20, y: box.y + 20)
    }

    /// C8, G27: the old picture stays until the new one is ready, and never gives way to its
    /// placeholder; the page is not loaded again.
    @Test func `the old picture stays until the new one can be seen`() throws {
      let red = try site.paint(.red)
      let root = Checkout.root
      for name in ["gallery.js", "gallery.css"] {
        try site.folder.write(Data(contentsOf: root.appending(path: "templates/\(name)")), to: name)
      }
      let placeholder =
        "decoding=\"async\" data-color=\"#00ff00\" data-thumbhash=\"3OcRJYB4d3h/iIeHeEh3eIhw+j2w\""
      try site.write(
        "<picture>\(tag(red, placeholder))</picture>",
        head: """
          <link rel="stylesheet" href="gallery.css">
          <script src="gallery.js" data-root="" defer></script>
          """)
      let page = try site.page()
      try page.run(Self.sampler)
      let blue = site.lend(.blue, isHeld: true)
      site.send(.swapped([red: blue]))
      let asked = LiveSite.path(.blue)
      while !site.loans.isAsked(for: asked) { try page.settle() }
      // As long as it takes, the old one is there.
      for _ in 0..<5 {
        #expect(try color(page) == LiveSite.Color.red.bytes)
        #expect(try page.value(of: "\(Self.image).getAttribute('src')") == red)
      }
      site.loans.open(blue)
      try page.wait(for: "swapped.length === 1")
      #expect(try color(page) == LiveSite.Color.blue.bytes)
      #expect(try page.value(of: "swapped[0].swapped") == 1)
      try page.settle()
      #expect(try page.value(of: "gaps") == [String]())
      #expect(try page.value(of: "shown") == ["ff0000", "0000ff"])
      #expect(try page.value(of: "\(Self.image).getAttribute('decoding')") == "async")
      #expect(try page.isSame)
      #expect(page.complaints == [])
    }

    @Test func `a picture that cannot be had leaves the old one`() throws {
      let red = try site.paint(.red)
      try site.write(tag(red))
      let page = try site.page()
      try page.run(Self.sampler)
      site.send(.swapped([red: LiveSite.path(.blue)]))
      try page.wait(for: "swapped.length === 1")
      #expect(try page.value(of: "[swapped[0].swapped, swapped[0].failed]") == [0, 1])
      #expect(try color(page) == LiveSite.Color.red.bytes)
      // What became of the one that nobody has ever seen is news all the same.
      let green = try site.paint(.green)
      site.send(.swapped([LiveSite.path(.blue): green]))
      try page.wait(for: "swapped.length === 2")
      #expect(try color(page) == LiveSite.Color.green.bytes)
      #expect(try page.value(of: "gaps") == [String]())
      #expect(try page.isSame)
    }

    @Test func `the newest wins, however they come`() throws {
      let red = try site.paint(.red)
      try site.write(tag(red))
      let page = try site.page()
      try page.run(Self.sampler)
      let blue = site.lend(.blue, isHeld: true)
      site.send(.swapped([red: blue]))
      while !site.loans.isAsked(for: blue) { try page.settle() }
      let green = try site.paint(.green)
      site.send(.swapped([blue: green]))
      try page.wait(for: "\(Self.image).getAttribute('src') === '\(green)'")
      site.loans.open(blue)
      try page.wait(for: "swapped.length === 2")
      try page.settle()
      #expect(try page.value(of: "shown") == ["ff0000", "00ff00"])
      // And back to what it was, even before the other has come.
      let white = site.lend(.white, isHeld: true)
      site.send(.swapped([green: white]))
      while !site.loans.isAsked(for: white) { try page.settle() }
      site.send(.swapped([white: green]))
      try page.wait(for: "swapped.length === 3")
      site.loans.open(white)
      try page.wait(for: "swapped.length === 4")
      #expect(try page.value(of: "shown") == ["ff0000", "00ff00"])
      #expect(try page.value(of: "gaps") == [String]())
    }

    @Test func `all addresses of a picture change at once, and its formats are kept`() throws {
      let old = try (0..<4).map { try site.paint(.red, $0) }
      let new = (0..<4).map { site.lend(.blue, $0, isHeld: true) }
      try site.write(
        """
        <picture><source type="image/unheard" srcset="\(old[0])">\
        <source type="image/png" srcset="\(old[1]) 1x, \(old[2]) 2x">\(tag(old[3]))</picture>
        """)
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
      site.send(.swapped(Dictionary(uniqueKeysWithValues: zip(old, new))))
      while !site.loans.isAsked(for: new[1]) { try page.settle() }
      site.loans.open(new[1])
      try page.wait(for: "swapped.length === 1")
      #expect(try page.value(of: "[...new Set(states)]") == ["true,false", "false,true"])
      #expect(try color(page) == LiveSite.Color.blue.bytes)
      // What the browser would not show it was not asked for.
      #expect(![0, 2, 3].contains { site.loans.isAsked(for: new[$0]) })
      #expect(page.complaints == [])
    }

    @Test func `what is not loaded yet is not loaded for it`() throws {
      let red = try site.paint(.red)
      let blue = try site.paint(.blue)
      // So far down that no browser looks ahead as far.
      try site.folder.write("div { height: 20000px; }", to: "page.css")
      try site.write(
        "<div></div>" + tag(red, "loading=\"lazy\""),
        head: "<link rel=\"stylesheet\" href=\"page.css\">")
      let page = try site.page()
      site.send(.swapped([red: blue]))
      try page.wait(for: "\(Self.image).getAttribute('src') === '\(blue)'")
      try page.wait(for: "swapped.length === 1")
      #expect(!page.requests.contains { $0.contains("/assets/") })
      try page.run("\(Self.image).scrollIntoView()")
      try page.wait(for: "\(Self.image).complete && \(Self.image).naturalWidth === 40")
    }

    @Test func `what scripts make of older data is brought up to date`() throws {
      let red = try site.paint(.red)
      let green = try site.paint(.green)
      let blue = try site.paint(.blue)
      try site.write(tag(red))
      let page = try site.page()
      site.send(.swapped([red: green]))
      try page.wait(for: "swapped.length === 1")
      site.send(.swapped([green: blue]))
      try page.wait(for: "swapped.length === 2")
      func add(_ source: String) throws {
        try page.run(
          """
          (() => {
            const box = document.createElement("div");
            const link = document.createElement("a");
            link.href = "\(source)";
            const image = new Image(40, 40);
            image.src = "\(source)";
            image.dataset.large = "../\(source)";
            box.append(link, image);
            document.querySelector("main").replaceChildren(box);
          })()
          """)
      }
      let said =
        "[document.querySelector('main a').getAttribute('href'),"
        + " \(Self.image).getAttribute('src'), \(Self.image).dataset.large]"
      // Each address that it has had is the last by now.
      for source in [red, green, blue] {
        try add(source)
        try page.wait(for: "\(Self.image).getAttribute('src') === '\(blue)'")
        #expect(try page.value(of: said) == [blue, blue, "../" + blue])
      }
      try page.run("\(Self.image).src = '\(green)'")
      try page.wait(for: "\(Self.image).getAttribute('src') === '\(blue)'")
      // Back to the first.
      site.send(.swapped([blue: red]))
      try page.wait(for: "swapped.length === 3")
      #expect(try page.value(of: said) == [red, red, "../" + red])
      try add(blue)
      try page.wait(for: "\(Self.image).getAttribute('src') === '\(red)'")
      try add(red)
      try page.settle()
      #expect(try page.value(of: said) == [red, red, "../" + red])
      #expect(try page.isSame)
      #expect(page.complaints == [])
    }

    @Test func `two that change places do so once`() throws {
      let red = try site.paint(.red)
      let blue = try site.paint(.blue)
      try site.write(tag(red) + tag(blue))
      let page = try site.page()
      site.send(.swapped([red: blue, blue: red]))
      try page.wait(for: "swapped.length === 1")
      // Whatever touches them.
      try page.run("for (const image of document.images) image.className = 'touched'")
      for _ in 0..<5 { try page.settle() }
      let sources = "[...document.images].map((image) => image.getAttribute('src'))"
      #expect(try page.value(of: sources) == [blue, red])
    }

    @Test func `grounds of elements and pictures in an open dialog are swapped too`() throws {
      let red = try site.paint(.red)
      let blue = try site.paint(.blue)
      try site.write("<p>ground</p><dialog>\(tag(red))</dialog>")
      let page = try site.page()
      try page.run(
        """
        document.querySelector("dialog").showModal();
        document.querySelector("p").style.background = "url('\(red)') 0 0 / 8px, lime";
        """)
      try page.wait(for: "\(Self.image).complete")
      site.send(.swapped([red: blue]))
      try page.wait(for: "swapped.length === 1")
      #expect(try color(page) == LiveSite.Color.blue.bytes)
      let ground: String = try page.value(of: "document.querySelector('p').style.background")
      for part in [blue, "lime", "8px"] { #expect(ground.contains(part), "\(ground)") }
      #expect(try page.isSame)
      #expect(page.complaints == [])
    }

    @Test func `a tab that nobody sees is up to date when somebody does`() throws {
      let red = try site.paint(.red)
      let blue = try site.paint(.blue)
      try site.write(tag(red))
      let page = try site.page()
      let other = try site.page()
      try page.waitAcrossLoads(for: "document.hidden")
      site.send(.swapped([red: blue]))
      for page in [page, other] {
        try page.waitAcrossLoads(for: "swapped.length === 1")
        #expect(try page.value(of: "\(Self.image).getAttribute('src')") == blue)
        #expect(try page.isSame)
      }
    }
  }
}
