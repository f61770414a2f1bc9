import SiteSupport

/// `card.vcf`, parsed with an independent RFC 6350 reader.
struct PersonCardTests {
  private static var urn: Regex<Substring> {
    /urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
  }

  private func cards(_ site: TestSite) throws -> [VCard] {
    try site.outputFiles().filter { $0.hasSuffix("/card.vcf") }.map {
      #expect($0.hasPrefix("people/") && $0.split(separator: "/").count == 3)
      return try VCard(site.folder.read("output/\($0)"))
    }
  }

  @Test func `any name survives a round trip through a contact card`() throws {
    let site = try SitemapTests.site(
      "\"site\":{\"url\":\"https://example.org/team\"},\"pages\":{\"cards\":true,\"people\":true}")
    let cards = try cards(site)
    #expect(cards.count == SitemapTests.names.count)
    #expect(Set(cards.compactMap { $0["UID"]?.value }).count == cards.count)
    for (number, name) in SitemapTests.names.enumerated() {
      let own = cards.filter { $0["FN"]?.texts.map { Array($0.utf8) } == [Array(name.utf8)] }
      let card = try #require(own.first, "\(name.prefix(80))")
      #expect(own.count == 1)
      let texts = { (texts: [String]?) in texts?.map { Array($0.utf8) } }
      #expect(texts(card["TITLE"]?.texts) == (number % 3 == 0 ? [Array(name.utf8)] : nil))
      #expect(
        texts(card["CATEGORIES"]?.texts)
          == (number % 4 == 0 ? [Array(name.utf8), Array("tag, two".utf8)] : nil))
      #expect(card["VERSION"]?.value == "4.0" && card.lines[1].name == "VERSION")
      #expect(card["UID"]?.value.wholeMatch(of: Self.urn) != nil)
      if number == 2 {
        #expect(card["EMAIL"]?.texts == ["otter+one@example.org"])
      } else {
        #expect(card["URL"]?.value == "https://example.org/%C3%A4?q=a&b='c'")
      }
      let page = try #require(card.lines.last { $0.name == "URL" }).value
      #expect(page.hasPrefix("https://example.org/team/people/id\(number)") && page.hasSuffix("/"))
      let photo = card["PHOTO"]
      #expect((photo != nil) == (number % 2 == 0))
      if let photo {
        #expect(photo.parameters == ["MEDIATYPE=image/png"])
        let path = photo.value.dropFirst("https://example.org/team/".count)
        #expect(try Pixels(png: site.folder.read("output/\(path)")).width == 32)
      }
    }
  }

  @Test func `a person's UID depends only on their id`() throws {
    let site = try TestSite()
    func names(_ people: [Person], _ more: String = "") throws -> Set<String> {
      try site.write(people, more: "pages: { cards: true }\n\(more)")
      try site.build()
      return Set(try cards(site).compactMap { $0["UID"]?.value })
    }
    let first = try names([Person("a"), Person("b")])
    let url = "site: { url: \"http://example.org\" }"
    #expect(try names([Person("b", name: "New"), Person("a")], url) == first)
    #expect(first.count == 2)
  }

  @Test func `without a site URL, a card contains neither a picture nor a page URL`() throws {
    let site = try TestSite()
    try site.write(
      [Person("a", name: "Sample Otter", "color:red", link: "mailto:a@b.example,c@d.example")],
      more: "pages: { cards: true }")
    try site.build()
    let card = try #require(try cards(site).first)
    #expect(card.lines.map(\.name) == ["BEGIN", "VERSION", "KIND", "UID", "FN", "URL", "END"])
    // A mail link with several addresses does not count as the person's own address.
    #expect(card["URL"]?.value == "mailto:a@b.example,c@d.example")
    try site.write([Person("a")])
    try site.build()
    #expect(try cards(site).isEmpty)
  }
}

/// An unfolded vCard, whose lines must end in CR LF and have at most 75 octets.
struct VCard {
  struct Line {
    var name: String
    var parameters: [String]
    var value: String

    /// The comma-separated values without escaping backslashes.
    var texts: [String] {
      var texts = [""]
      var scalars = value.unicodeScalars.makeIterator()
      while let scalar = scalars.next() {
        switch scalar {
        case ",": texts.append("")
        case "\\":
          guard let next = scalars.next() else { return ["(a backslash at the end)"] }
          texts[texts.count - 1].unicodeScalars.append(next == "n" || next == "N" ? "\n" : next)
        default: texts[texts.count - 1].unicodeScalars.append(scalar)
        }
      }
      return texts
    }
  }

  struct Malformed: Error {}

  var lines: [Line] = []

  subscript(name: String) -> Line? { lines.first { $0.name == name } }

  init(_ file: Data) throws {
    var logical: [[UInt8]] = []
    var rest = [UInt8](file)[...]
    while !rest.isEmpty {
      guard let end = rest.firstIndex(of: 0x0D),
        rest.dropFirst(end - rest.startIndex + 1).first == 0x0A
      else { throw Malformed() }
      let line = rest[..<end]
      rest = rest[(end + 2)...]
      guard line.count <= 75, !line.isEmpty, !line.contains(0x0A),
        String(validating: line, as: UTF8.self) != nil
      else { throw Malformed() }
      if line.first == 0x20, !logical.isEmpty {
        logical[logical.count - 1] += line.dropFirst()
      } else {
        logical.append(Array(line))
      }
    }
    for bytes in logical {
      let text = String(decoding: bytes, as: UTF8.self)
      let scalars = text.unicodeScalars
      guard let colon = scalars.firstIndex(of: ":") else { throw Malformed() }
      let head = String(scalars[..<colon]).split(separator: ";").map(String.init)
      lines.append(
        Line(
          name: head[0], parameters: Array(head.dropFirst()),
          value: String(scalars[scalars.index(after: colon)...])))
    }
    guard lines.first?.name == "BEGIN", lines.last?.name == "END" else { throw Malformed() }
  }
}
