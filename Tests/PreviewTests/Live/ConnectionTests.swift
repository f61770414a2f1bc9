import Preview
import TestSupport

extension LivePages {
  struct ConnectionTests {
    private let site: LiveSite

    init() throws { site = try LiveSite() }

    private static let board = "document.querySelector('sitegen-live')?.shadowRoot"
    private static let isLost = "\(board)?.querySelector('.badge').checkVisibility() === true"
    private static let text = "document.querySelector('p').textContent"

    @Test func `a page reconnects to a restarted server and shows its state`() throws {
      try site.write("<p>first</p>")
      let page = try site.page()
      site.stop()
      try page.wait(for: Self.isLost)
      let words: String = try page.value(of: "\(Self.board).querySelector('.badge').textContent")
      #expect(words == "Not connected: is sitegen serve running?")
      try site.write("<p>second</p>")
      try site.start()
      try page.waitForLoad()
      #expect(try page.value(of: Self.text) == "second")
      try page.wait(for: "!document.querySelector('sitegen-live')")
    }

    @Test func `changes between loading a page and opening its stream are not missed`() throws {
      try site.write("<p>first</p>")
      let page = try site.browser.page()
      // Delays the stream until the test starts it.
      try page.prepare(
        """
        window.loads = Number(sessionStorage.getItem("loads") ?? 0) + 1;
        sessionStorage.setItem("loads", loads);
        const Real = EventSource;
        window.EventSource = function (address) {
          const target = new EventTarget();
          target.close = () => {};
          window.begin = () => new Real(address).addEventListener("message", ({ data }) =>
            target.dispatchEvent(new MessageEvent("message", { data })));
          if (loads > 1) begin();
          return target;
        };
        """)
      try page.open(site.root)
      try site.write("<p>second</p>")
      site.send(.changed(["index.html"]))
      try page.wait(for: "window.begin")
      try page.run("begin()")
      try page.waitAcrossLoads(for: "\(Self.text) === 'second' && window.loads === 2")
    }

    @Test func `a page is never reloaded twice for the same revision`() throws {
      try site.write("<p>first</p>")
      let page = try site.browser.page()
      // The page always receives a revision other than its own.
      try page.prepare(
        """
        window.loads = Number(sessionStorage.getItem("loads") ?? 0) + 1;
        sessionStorage.setItem("loads", loads);
        window.heard = 0;
        const Real = EventSource;
        window.EventSource = class extends Real {
          addEventListener(name, hear) {
            super.addEventListener(name, (event) => {
              hear(name !== "message" ? event : new MessageEvent(name, {
                data: event.data.replace(/"revision":\\d+/, '"revision":99'),
              }));
              window.heard += 1;
            });
          }
        };
        """)
      try page.open(site.root)
      try page.waitAcrossLoads(for: "window.loads === 2 && window.heard > 0")
      for _ in 0..<10 { try page.waitForPaint() }
      #expect(try page.value(of: "loads") == 2)
    }

    @Test func `only visible pages keep a stream open, and others catch up later`() throws {
      try site.write("<p>first</p>")
      let page = try site.page()
      func show(isHidden: Bool) throws {
        try page.run(
          """
          Object.defineProperty(document, "hidden", { value: \(isHidden), configurable: true });
          document.dispatchEvent(new Event("visibilitychange"))
          """)
      }
      try show(isHidden: true)
      try site.write("<p>second</p>")
      site.send(.changed(["index.html"]))
      for _ in 0..<5 { try page.waitForPaint() }
      #expect(try page.isSame)
      try show(isHidden: false)
      try page.waitAcrossLoads(for: "window.mark !== 1 && \(Self.text) === 'second'")
      #expect(page.requests.count { $0 == site.root + "-/events" } >= 2)
    }

    @Test func `a page applies missed changes when the user goes back to it`() throws {
      try site.folder.write("text", to: "page.txt")
      try site.folder.write("p { color: lime; }", to: "page.css")
      try site.write("<p>text</p>", head: "<link rel=\"stylesheet\" href=\"page.css\">")
      let page = try site.page()
      try page.open(site.root + "page.txt")
      try site.folder.write("p { color: blue; }", to: "page.css")
      site.send(.changed(["page.css"]))
      // The call is delayed, because a page that is being left cannot respond.
      try page.run("setTimeout(() => history.back())")
      try page.waitAcrossLoads(
        for: "getComputedStyle(document.querySelector('p')).color === 'rgb(0, 0, 255)'")
    }
  }
}
