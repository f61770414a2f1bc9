import Foundation
import Preview
import TestSupport
import Testing

extension LivePages {
  /// Swaps that do not come true, and those that are long past.
  struct SwapEndTests {
    private let site: LiveSite

    init() throws { site = try LiveSite() }

    /// Which pictures the page names, each once, by their colours.
    private static let named =
      "[...new Set(document.querySelector('main').innerHTML"
      + ".match(/(?<=assets\\/..\\/)[0-9a-f]{6}/g))].join()"

    private func write(_ path: String) throws {
      try site.write(
        "<img src=\"\(path)\" width=\"40\" height=\"40\" alt=\"\"><a href=\"\(path)\">picture</a>")
    }

    @Test func `a swap that does not come true is undone, and the page is not loaded again`() throws
    {
      let red = try site.paint(.red)
      let green = try site.paint(.green)
      let blue = site.lend(.blue)
      let white = site.lend(.white, isHeld: true)
      try write(red)
      let page = try site.page()
      // Scripts have made something of the same data.
      try page.run(
        """
        (() => {
          const image = new Image(40, 40);
          image.src = "\(red)";
          image.dataset.large = "../\(red)";
          const ground = document.createElement("div");
          ground.style.background = "url('\(red)') 0 0 / 8px, lime";
          document.querySelector("main").append(image, ground);
        })()
        """)
      try page.wait(for: "[...document.images].every((image) => image.naturalWidth)")
      site.send(.swapped([red: blue]))
      try page.wait(for: "\(Self.named) === '0000ff'")
      try page.wait(for: "swapped.length === 1")
      // The folder still has the old one.
      site.send(.failed([LiveProblem(severity: "error", message: "no")]))
      site.sendAnything()
      try page.wait(for: "\(Self.named) === 'ff0000'")

      // Nor is one shown that was still on its way.
      site.send(.swapped([red: white]))
      while !site.loans.isAsked(for: white) { try page.settle() }
      try lookAgain(page)
      site.loans.open(white)
      try page.wait(for: "swapped.length === 2")
      for _ in 0..<5 { try page.settle() }
      #expect(try page.value(of: Self.named) == "ff0000")
      try page.run(
        """
        (() => {
          const later = document.createElement("p");
          later.dataset.large = "\(red)";
          document.querySelector("main").append(later);
        })()
        """)
      for _ in 0..<3 { try page.settle() }
      #expect(try page.value(of: Self.named) == "ff0000")

      // What has come true stays.
      site.send(.swapped([red: green]))
      try page.wait(for: "\(Self.named) === '00ff00'")
      try write(green)
      site.send(.changed(["index.html"]))
      try page.wait(for: "swapped.length === 4")
      try lookAgain(page)
      #expect(try page.value(of: Self.named) == "00ff00")
      #expect(try page.isSame)
    }

    /// Has the page ask for itself once more, and make of it what it will.
    private func lookAgain(_ page: BrowserPage) throws {
      func looks() -> Int { page.requests.count { $0 == site.root } }
      let before = looks()
      site.sendAnything()
      while looks() == before { try page.settle() }
      for _ in 0..<10 { try page.settle() }
    }

    @Test func `a long session is forgotten from its beginning`() throws {
      let red = try site.paint(.red)
      let blue = try site.paint(.blue)
      try write(red)
      let page = try site.page()
      site.send(.swapped([red: blue]))
      func address(_ batch: Int, _ number: Int) -> String {
        LiveSite.path(LiveSite.Color(UInt8(batch), UInt8(number / 256), UInt8(number % 256)), 1)
      }
      for batch in 0..<3 {
        let pairs = (0..<1_000).map { (address(2 * batch, $0), address(2 * batch + 1, $0)) }
        site.send(.swapped(Dictionary(uniqueKeysWithValues: pairs)))
      }
      try page.wait(for: "swapped.length === 4")
      #expect(try page.value(of: Self.named) == "0000ff")
      try page.run(
        """
        for (const address of ["\(red)", "\(address(0, 7))", "\(address(2, 7))"]) {
          const element = document.createElement("p");
          element.dataset.large = address;
          document.querySelector("main").append(element);
        }
        """)
      let last = address(3, 7)
      let said = "[...document.querySelectorAll('p')].map((element) => element.dataset.large)"
      try page.wait(for: "\(said).at(-1) === '\(last)'")
      #expect(try page.value(of: said) == [red, address(0, 7), last])
    }
  }
}
