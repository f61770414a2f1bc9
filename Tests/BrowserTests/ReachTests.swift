import SiteSupport

extension InBrowser {
  struct ReachTests {
    /// Returns all linked pages by path.
    private func crawl(_ site: TestSite) throws -> [String: HTMLPage] {
      var pages: [String: HTMLPage] = [:]
      var waiting = ["index.html"]
      while let path = waiting.popLast() {
        guard pages[path] == nil else { continue }
        let page = HTMLPage(try site.text(path))
        pages[path] = page
        for href in page.tags("a").compactMap({ $0["href"] }) {
          let target = resolved(href, from: path)
          if target.hasSuffix(".html") { waiting.append(target) }
        }
      }
      return pages
    }

    /// Resolves a URL on a page to a file in the output.
    private func resolved(_ href: String, from path: String) -> String {
      let base = URL(string: "file:///\(path)")
      guard let url = URL(string: href, relativeTo: base)?.absoluteURL, url.isFileURL else {
        return href
      }
      return String(url.path.dropFirst())
    }

    @Test(arguments: ["", ", people: true"])
    func `without scripts, links lead to every person and picture`(
      pages: String
    ) throws {
      let site = try TestSite.gallery(pages)
      let reached = try crawl(site)
      let assets = try site.assets()
      var names: Set<String> = []
      var files: Set<String> = []
      for (path, page) in reached {
        names.formUnion(page.texts)
        for tag in page.tags {
          for value in [tag["src"], tag["srcset"], tag["href"]].compactMap(\.self) {
            for piece in value.split(separator: ", ") {
              files.insert(resolved(String(piece.prefix { $0 != " " }), from: path))
            }
          }
        }
      }
      for user in assets.users.values { #expect(names.contains(user.name), "\(user.name)") }
      for image in assets.images { #expect(files.contains(image.path), "\(image.path)") }
      #expect(reached.count > 6)
    }

    @Test func `features that need scripts are hidden if scripts are disabled`() throws {
      let site = try TestSite.gallery()
      let page = try Browser().page()
      try page.forbidScripts()
      try page.open(site.address(of: "index.html"))
      #expect(try page.value(of: "document.getElementById('find').checkVisibility()") == false)
      let names: [String] = try page.value(
        of: "[...document.querySelectorAll('h3 a')].filter(a => a.checkVisibility() &&"
          + " getComputedStyle(a).opacity === '1').map(a => a.textContent)")
      #expect(names.count == 10 && names.first == "Sample Otter")
      #expect(try page.value(of: "document.querySelectorAll('dialog[open]').length") == 0)
    }

    @Test(arguments: [false, true])
    func `pages work under a strict CSP and contact only their own site`(isServed: Bool) throws {
      let site = try TestSite.gallery(", people: true")
      let folder = site.folder.path(of: "output")
      let server = try ScriptedServer(serving: folder, policy: "default-src 'self'")
      let root = isServed ? server.url() : "file://\(folder)/"
      let page = try Browser().page(width: 1_200, height: 900)
      let pages = site.outputFiles().filter { path in
        path.hasSuffix(".html") && !path.hasPrefix("people/p") && !path.hasPrefix("tags/f")
      }
      for path in pages { try page.open(root + path) }
      // A card's URL opens the detail view.
      try page.open(root + "page/2/index.html#person-p12")
      try page.wait(for: page.isDetailOpen)
      try page.run(
        """
        (e => { e.value = 'colour'; e.dispatchEvent(new Event('input', { bubbles: true })); })(
          document.querySelector('[data-bench=ground]'))
        """)
      try page.press(.escape)
      try page.wait(for: "!\(page.isDetailOpen)")
      try page.find("sample", said: "23 people found")
      try page.wait(for: "document.querySelectorAll('#results picture img').length > 5")
      try page.run("sitegen.opener(document.querySelector('#results .person')).click()")
      try page.wait(for: page.isDetailOpen)
      try page.run("document.querySelector('#detail [data-go=next]').click()")
      try page.waitForPaint()
      #expect(page.complaints == [])
      let strangers = page.requests.filter { !$0.hasPrefix(root) }
      #expect(strangers == [] && page.requests.count > 4 * pages.count)
    }
  }
}
