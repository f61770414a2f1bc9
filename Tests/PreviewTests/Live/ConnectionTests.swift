import Foundation
import Preview
import TestSupport
import Testing

extension LivePages {
  /// Streams that break, servers that go and come, many tabs.
  struct ConnectionTests {
    private let site: LiveSite

    init() throws { site = try LiveSite() }

    private static let board = "document.querySelector('sitegen-live')?.shadowRoot"
    private static let isLost = "\(board)?.querySelector('.badge').checkVisibility() === true"
    private static let text = "document.querySelector('p').textContent"

    @Test func `a server that comes back is found, and a page that it did not change stays`() throws
    {
      try site.folder.write("window.version = 1", to: "page.js")
      try site.folder.write("p { color: lime; }", to: "page.css")
      let head =
        "<script src=\"page.js\" defer></script><link rel=\"stylesheet\" href=\"page.css\">"
      try site.write("<p>first</p>", head: head)
      let page = try site.page()
      site.stop()
      try page.wait(for: Self.isLost)
      let words: String = try page.value(of: "\(Self.board).querySelector('.badge').textContent")
      #expect(words == "Not connected: is sitegen serve running?")
      try site.start()
      try page.wait(for: "!document.querySelector('sitegen-live')")
      // What is news to the page is brought; nothing else was.
      try site.folder.write("p { color: blue; }", to: "page.css")
      site.send(.changed(["page.css"]))
      let color = "getComputedStyle(document.querySelector('p')).color"
      try page.wait(for: "\(color) === 'rgb(0, 0, 255)'")
      #expect(try page.isSame)

      // What changed while nobody told it, it finds by itself, though both count from nothing.
      site.stop()
      try site.write("<p>second</p>", head: head)
      try site.start()
      try page.waitForLoad()
      #expect(try page.value(of: "[\(Self.text), version].join()") == "second,1")
      try page.run("window.mark = 1")
      site.stop()
      try site.folder.write("window.version = 2 // longer", to: "page.js")
      try site.start()
      try page.waitForLoad()
      #expect(try page.value(of: "[\(Self.text), version].join()") == "second,2")
    }

    @Test func `what happened between a page and its stream is not missed`() throws {
      try site.write("<p>first</p>")
      let page = try site.browser.page()
      // The stream begins when the test lets it.
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

    @Test func `a page is never loaded twice for the same reason`() throws {
      // Whatever the folder is said to have, the page is another one each time that it is asked for.
      let site = self.site
      try site.write("<p>first</p>")
      let page = try site.browser.page()
      try page.prepare(
        """
        window.loads = Number(sessionStorage.getItem("loads") ?? 0) + 1;
        sessionStorage.setItem("loads", loads);
        window.fetches = 0;
        const real = fetch;
        window.fetch = async (...words) => {
          fetches += 1;
          const text = await (await real(...words)).text();
          return new Response(text.replace("first", `${performance.now()}`));
        };
        const Real = EventSource;
        window.EventSource = class extends Real {
          addEventListener(name, hear) {
            super.addEventListener(name, (event) => hear(name !== "message" ? event
              : new MessageEvent(name, {
                  data: event.data.replace(/"revision":\\d+/, '"revision":99'),
                })));
          }
        };
        """)
      try page.open(site.root)
      try page.waitAcrossLoads(for: "window.loads === 2 && window.fetches > 0")
      // What is heard next is the same revision, so that it must be something else that it does.
      for _ in 0..<10 { try page.settle() }
      #expect(try page.value(of: "loads") == 2)
    }

    @Test func `eight tabs have one stream, and the next takes it over`() throws {
      try site.folder.write("p { color: lime; }", to: "page.css")
      try site.write("<p>text</p>", head: "<link rel=\"stylesheet\" href=\"page.css\">")
      var pages = try (0..<8).map { _ in try site.page() }
      func streams() -> Int {
        pages.reduce(0) { sum, page in
          sum + page.requests.count { $0 == site.root + "-/events" }
        }
      }
      func expectColor(_ number: Int) throws {
        try site.folder.write("p { color: rgb(0, 0, \(number)); }", to: "page.css")
        site.send(.changed(["page.css"]))
        for page in pages {
          try page.waitAcrossLoads(
            for: "getComputedStyle(document.querySelector('p')).color === 'rgb(0, 0, \(number))'")
          #expect(try page.isSame)
        }
      }
      try expectColor(1)
      #expect(streams() == 1)
      let leader = try #require(pages.firstIndex { $0.requests.contains(site.root + "-/events") })
      try pages[leader].close()
      pages.remove(at: leader)
      try expectColor(2)
      try expectColor(3)
      #expect(streams() == 1)
      // A page that goes elsewhere and comes back has what was missed.
      try pages[0].open("about:blank")
      try expectColorElsewhere(pages[1])
      try pages[0].open(site.root)
      let color = "getComputedStyle(document.querySelector('p')).color"
      try pages[0].waitAcrossLoads(for: "\(color) === 'rgb(0, 0, 4)'")
    }

    private func expectColorElsewhere(_ page: BrowserPage) throws {
      try site.folder.write("p { color: rgb(0, 0, 4); }", to: "page.css")
      site.send(.changed(["page.css"]))
      try page.waitAcrossLoads(
        for: "getComputedStyle(document.querySelector('p')).color === 'rgb(0, 0, 4)'")
    }

    @Test func `a page that one comes back to has what was missed`() throws {
      try site.folder.write("text", to: "page.txt")
      try site.folder.write("p { color: lime; }", to: "page.css")
      try site.write("<p>text</p>", head: "<link rel=\"stylesheet\" href=\"page.css\">")
      let page = try site.page()
      try page.open(site.root + "page.txt")
      try site.folder.write("p { color: blue; }", to: "page.css")
      site.send(.changed(["page.css"]))
      // Browsers take what they have kept, and ask for nothing but the page.
      // Later, since who leaves cannot answer.
      try page.run("setTimeout(() => history.back())")
      try page.waitAcrossLoads(
        for: "getComputedStyle(document.querySelector('p')).color === 'rgb(0, 0, 255)'")
    }

    @Test func `a tab that sleeps with the stream in its hand does not keep it`() throws {
      try site.folder.write("p { color: lime; }", to: "page.css")
      try site.write("<p>text</p>", head: "<link rel=\"stylesheet\" href=\"page.css\">")
      // Somebody who holds the lock and never answers.
      try site.folder.write("text", to: "page.txt")
      let sleeper = try site.browser.page()
      try sleeper.open(site.root + "page.txt")
      try sleeper.run(
        """
        new Promise((resolve, reject) =>
          navigator.locks.request("sitegen-live", () => new Promise(resolve)).catch(reject))
        """)
      let page = try site.page()
      try site.folder.write("p { color: blue; }", to: "page.css")
      site.send(.changed(["page.css"]))
      try page.wait(
        for: "getComputedStyle(document.querySelector('p')).color === 'rgb(0, 0, 255)'")
    }

    /// Where all servers count alike, only the page itself can know that it has missed something.
    @Test(arguments: [true, false])
    func `who slept while another server came looks anew`(isFrozen: Bool) throws {
      try site.write("<p>first</p>")
      let page = try site.browser.page()
      try page.prepare(
        """
        window.looks = 0;
        window.isFrozen = false;
        document.addEventListener("freeze", () => (isFrozen = true));
        const real = fetch;
        window.fetch = async (...words) => {
          const text = await (await real(...words)).text();
          looks += 1;
          return new Response(text);
        };
        const Real = EventSource;
        window.EventSource = class extends Real {
          addEventListener(name, hear) {
            super.addEventListener(name, (event) => hear(name !== "message" ? event
              : new MessageEvent(name, {
                  data: event.data.replace(/"revision":\\d+/, '"revision":99'),
                })));
          }
        };
        """)
      if !isFrozen {
        try page.prepare(
          "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })")
      }
      try page.open(site.root)
      try page.wait(for: "looks === 1")
      for _ in 0..<3 { try page.settle() }
      func sleep(_ isAsleep: Bool) throws {
        if isFrozen {
          try page.sleep(isAsleep)
          if isAsleep { try page.waitAcrossLoads(for: "window.isFrozen") }
        } else {
          try page.run(
            """
            Object.defineProperty(document, "hidden", { value: \(isAsleep), configurable: true });
            document.dispatchEvent(new Event("visibilitychange"))
            """)
        }
      }
      try sleep(true)
      site.stop()
      try site.write("<p>second</p>")
      try site.start()
      try sleep(false)
      try page.waitAcrossLoads(for: "\(Self.text) === 'second'")
    }

    @Test func `without locks only pages that are seen have a stream`() throws {
      try site.write("<p>first</p>")
      let page = try site.browser.page()
      try page.prepare("Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })")
      try page.open(site.root)
      try site.write("<p>second</p>")
      try page.run("window.mark = 1")
      func show(isHidden: Bool) throws {
        try page.run(
          """
          Object.defineProperty(document, "hidden", { value: \(isHidden), configurable: true });
          document.dispatchEvent(new Event("visibilitychange"))
          """)
      }
      try show(isHidden: true)
      site.send(.changed(["index.html"]))
      for _ in 0..<5 { try page.settle() }
      #expect(try page.isSame)
      try show(isHidden: false)
      try page.waitAcrossLoads(for: "window.mark !== 1 && \(Self.text) === 'second'")
      #expect(page.requests.count { $0 == site.root + "-/events" } >= 2)
    }
  }
}
