import SiteSupport

extension TestSite {
  func cardPath() throws -> String? {
    let image = HTMLPage(try text("index.html")).tags("meta")
      .first { $0["property"] == "og:image" }
    return try image.map {
      let address = try #require($0["content"])
      let base = "https://example.org/team/"
      #expect(address.hasPrefix(base))
      return String(address.dropFirst(base.count))
    }
  }

  func card() throws -> PNGReader {
    let card = try PNGReader(folder.read("output/\(try #require(try cardPath()))"))
    #expect(card.width == 1_200 && card.height == 630)
    return card
  }
}
