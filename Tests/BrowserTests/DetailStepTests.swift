import SiteSupport

extension InBrowser {
  struct DetailStepTests {
    private let name = "document.getElementById('detail-name').textContent"
    private let site: TestSite

    init() throws { site = try .gallery() }

    private func opened(
      _ rest: String, width: Int = 1_200, height: Int = 900
    ) throws -> BrowserPage {
      let page = try Browser().page(width: width, height: height)
      try page.open(site.address(of: "index.html") + rest)
      return page
    }

    @Test func `two quick clicks on Next advance by two people`() throws {
      let page = try opened("")
      try page.run("document.querySelectorAll('#people-list h3 a')[9].click()")
      try page.wait(for: page.isDetailOpen)
      try page.run("for (const _ of [1, 2]) document.querySelector('[data-go=next]').click()")
      try page.wait(for: "\(name) === 'Sample Person 11'")
      let hash: String = try page.value(of: "location.hash")
      #expect(hash == "#person-p11:11")
      let other = try opened(hash)
      try other.wait(for: other.isDetailOpen)
      #expect(try other.value(of: name) == "Sample Person 11")
      // The number in the URL does not match this person, so the view closes.
      try other.run("location.hash = '#person-p11:12'")
      try other.wait(for: "!\(other.isDetailOpen)")
      #expect(other.complaints == [])
    }

    @Test func `only clicks outside the detail view close it`() throws {
      let page = try opened("#person-nobody", width: 390, height: 844)
      try page.wait(for: page.isDetailOpen)
      let bottom: Double = try page.value(
        of: "document.querySelector('#detail .body').getBoundingClientRect().bottom")
      try #require(bottom < 830)
      try page.mouse(.pressed, x: 200, y: 836)
      try page.mouse(.released, x: 200, y: 836)
      #expect(try page.value(of: page.isDetailOpen, as: Bool.self))
      let wide = try opened("#person-nobody")
      try wide.wait(for: wide.isDetailOpen)
      try wide.mouse(.pressed, x: 20, y: 20)
      try wide.mouse(.released, x: 20, y: 20)
      try wide.wait(for: "!\(wide.isDetailOpen)")
    }

    @Test func `new search results are shown from the top`() throws {
      let page = try opened("", height: 500)
      try page.run("scrollTo(0, document.documentElement.scrollHeight)")
      try page.find("sailor", said: "18 people found")
      let tops: [Double] = try page.value(
        of: "[document.getElementById('found').getBoundingClientRect().top,"
          + " document.getElementById('find').getBoundingClientRect().bottom]")
      #expect(tops[0] >= tops[1] && tops[0] < 500)
    }
  }
}
