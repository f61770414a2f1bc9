import SiteSupport

extension InBrowser {
  struct KeyboardTests {
    @Test func `searching, viewing, copying, paging and closing work by keyboard alone`() throws {
      let site = try TestSite.gallery()
      let server = try ScriptedServer(serving: site.folder.path(of: "output"))
      let root = server.url()
      let browser = try Browser()
      try browser.allowClipboard()
      let page = try browser.page(width: 1_200, height: 900)
      try page.open(root + "index.html")
      try page.tab(to: "document.activeElement.id === 'find-text'")
      try page.type("otter")
      try page.wait(for: "document.getElementById('find-said').textContent === '1 person found'")
      try page.tab(to: "document.activeElement.matches('#results h3 a')")
      try page.press(.enter)
      try page.wait(for: page.isDetailOpen)
      #expect(try page.value(of: "document.activeElement.textContent") == "Sample Otter")
      try page.tab(to: "document.activeElement.localName === 'summary'")
      try page.press(.enter)
      try page.tab(to: "document.activeElement.dataset.copy === 'url'")
      try page.press(.enter)
      try page.wait(for: "document.querySelector('#detail [data-said]').textContent === 'Copied'")
      let file = try #require(try site.assets().users["otter"]?.avatars["round"]?.first)
      #expect(try page.value(of: "navigator.clipboard.readText()") == root + file.path)
      for _ in 0..<40 {
        try page.press(.tab)
        let isInside: Bool = try page.value(
          of: "document.activeElement === document.body"
            + " || document.getElementById('detail').contains(document.activeElement)")
        #expect(isInside)
      }
      try page.press(.escape)
      try page.wait(for: "document.activeElement.matches('#results h3 a')")
      while try !page.value(of: "document.activeElement.id === 'find-text'", as: Bool.self) {
        try page.press(.backTab)
      }
      try page.press(.escape)
      try page.wait(for: "document.getElementById('found').hidden")
      try page.tab(to: "document.activeElement.getAttribute('href') === 'page/2/index.html'")
      try page.press(.enter)
      try page.wait(for: "location.pathname === '/page/2/index.html'")
    }
  }
}
