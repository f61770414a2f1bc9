import SiteSupport

struct PageGeometryTests {
  /// F6: each `<img>` has an integer width and height: the file's pixels divided by its scale.
  @Test func `every picture declares its size`() throws {
    let site = try TestSite.whole()
    try site.build()
    let files = Dictionary(
      try site.assets().images.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var kinds: Set<Substring> = []
    for (path, page) in try site.pages() {
      let size = page.tags.filter { $0.name == "source" || $0.name == "img" }
      // A `<source>` has the size of the next `<img>`.
      var sources: [HTMLPage.Tag] = []
      for tag in size {
        sources.append(tag)
        guard tag.name == "img" else { continue }
        let width = try #require(tag["width"].flatMap { Int($0) })
        let height = try #require(tag["height"].flatMap { Int($0) })
        for source in sources {
          var candidates = (source["srcset"] ?? "").split(separator: ",").map { String($0) }
          if let src = source["src"] { candidates.append("\(src) 1x") }
          #expect(!candidates.isEmpty)
          for candidate in candidates {
            let parts = candidate.split(separator: " ")
            let name = try #require(PageLink.path(of: String(parts[0]), on: path))
            let file = try #require(files[name], "\(path): \(name)")
            let scale = try #require(Double(parts[1].dropLast()))
            // The large picture on a person's page has one CSS pixel per image pixel.
            let isLarge = path.hasPrefix("people/") && Double(width) == Double(file.width)
            #expect(scale == (isLarge ? 1 : file.scale) && parts[1].last == "x")
            #expect(Double(file.width) == Double(width) * scale)
            #expect(Double(file.height) == Double(height) * scale)
          }
        }
        sources = []
        kinds.insert(path.prefix { $0 != "/" })
      }
      #expect(sources.isEmpty)
    }
    #expect(kinds == ["index.html", "page", "people", "styles", "tags"])
  }

  /// D7: the first twelve pictures load eagerly, and the others lazily.
  @Test func `pictures below the first screen are loaded lazily`() throws {
    let site = try TestSite()
    try site.write(
      (0..<15).map { Person("p\($0)", background: "red") },
      styles: ["name: s, size: 8, scales: [1], formats: [png]"])
    try site.build()
    let loading: [String?] = try site.page("index.html").tags("img").map { $0["loading"] }
    #expect(loading == Array(repeating: nil, count: 12) + Array(repeating: "lazy", count: 3))
  }

  @Test(arguments: [
    ("webp, png, avif", ["image/avif", "image/webp"], "png"),
    ("avif, webp", ["image/avif"], "webp"), ("webp, avif", ["image/avif"], "webp"),
    ("avif", [], "avif"), ("png, webp", ["image/webp"], "png"),
  ])
  func `AVIF is offered first, and the fallback is the most compatible format`(
    formats: String, sources: [String], plain: String
  ) throws {
    let site = try TestSite()
    try site.write([Person("a", background: "red")], styles: ["name: s, formats: [\(formats)]"])
    try site.build()
    let page = try site.page("index.html")
    #expect(page.tags("source").compactMap { $0["type"] } == sources)
    #expect(page.tags("img").first?["src"]?.hasSuffix(".\(plain)") == true)
  }

  @Test func `the fallback file has scale 1 and is listed only once`() throws {
    let site = try TestSite()
    try site.write(
      [Person("a", background: "red")],
      styles: [
        "name: three, size: 16, scales: [1, 2, 3], formats: [webp, png]",
        "name: one, size: 16, scales: [1], formats: png",
        "name: odd, size: 16, scales: [2, 1.5, 0.5], formats: png",
      ], more: "pages: { show: [three, one, odd] }")
    try site.build()
    let images = try site.page("index.html").tags("img")
    func scales(_ text: String?) -> [Substring]? {
      text?.split(separator: ",").compactMap { $0.split(separator: " ").last }
    }
    #expect(images.map { scales($0["srcset"]) } == [["2x", "3x"], nil, ["0.5x", "1.5x", "2x"]])
    let sources = try site.page("index.html").tags("source")
    #expect(sources.map { scales($0["srcset"]) } == [["1x", "2x", "3x"]])
    let plain = try [("three", 1.0), ("one", 1), ("odd", 1.5)].map { style, scale in
      try site.image(of: "a", style, scale: scale).path
    }
    #expect(images.map { $0["src"] } == plain)
  }

  /// G2: widths, heights and coordinates on a page are integers, for any size of a style.
  @Test func `sizes and coordinates are integers`() throws {
    let shadow: [String: Any] = ["color": "black", "radius": 1.3, "offset": [0.4, 0.7]]
    let styles: [[String: Any]] = [
      ["name": "small", "size": [15.5, 20.25], "scales": [1, 1.5], "shadow": shadow],
      ["name": "wide", "size": 33.3],
    ]
    let site = try TestSite.whole(more: ["avatars": styles])
    try site.build()
    let names: Set = ["width", "height", "viewbox", "x", "y", "r", "cx", "cy", "d", "points"]
    var count = 0
    for (path, page) in try site.pages() {
      for attribute in page.tags.flatMap(\.attributes) where names.contains(attribute.name) {
        #expect(!attribute.value.contains("."), "\(path): \(attribute.name)=\(attribute.value)")
        count += 1
      }
    }
    #expect(count > 200)
  }

  /// G5: an avatar is one `<img>` in one `<picture>`; ten cards have up to 60 other elements.
  ///
  /// A name with an external link adds one element.
  @Test(arguments: [nil, "https://example.org"])
  func `cards contain few elements`(link: String?) throws {
    let site = try TestSite()
    try site.write(
      (0..<10).map {
        Person("u\($0)", background: "red", title: "Gardener", tags: ["office"], link: link)
      },
      styles: [
        "name: round, size: 32, border: { width: 2, color: red }, "
          + "shadow: { color: black, radius: 3 }"
      ])
    try site.build()
    for path in ["index.html", "tags/office/index.html"] {
      let page = try site.page(path)
      let elements = page.elements(in: "li") { $0["class"] == "person" }
      #expect(elements.count { $0 == "img" } == 10 && elements.count { $0 == "picture" } == 10)
      let others = elements.filter { !["picture", "source", "img"].contains($0) }
      #expect(others.count <= (link == nil ? 60 : 70), "\(path)")
      // Only cards contain pictures.
      #expect(page.parents(of: "picture") == Array(repeating: "li", count: 10))
    }
  }

  /// D1: an empty caption creates no element.
  @Test func `an empty caption adds no element`() throws {
    let site = try TestSite()
    try site.write([Person("a", title: ""), Person("b"), Person("c", title: "x")])
    try site.build()
    let cards = try site.page("index.html").elements(in: "li") { $0["class"] == "person" }
    #expect(cards.count { $0 == "p" } == 1)
  }

  /// D3: identical captions have identical markup.
  @Test func `identical captions produce identical markup`() throws {
    let site = try TestSite()
    let title = "Head of <things> & more"
    try site.write([Person("a", title: title), Person("b", title: title)])
    try site.build()
    let lines = try site.text("index.html").split(separator: "\n").filter { $0.contains("Head of") }
    #expect(lines.count == 2 && lines[0] == lines[1])
  }

  /// G39: a picture's placeholder colour depends only on the picture.
  @Test func `a picture has the same placeholder on every site`() throws {
    func placeholders(_ people: [Person], jobs: Int) throws -> [String: [String?]] {
      let site = try TestSite()
      let paint = TestPicture.gradient(width: 40, height: 40)
      try site.put(TestPicture.png(width: 40, height: 40, pixel: paint), at: "g.png")
      try site.write(people, styles: ["name: round, size: 20"])
      try site.build(jobs: jobs)
      let page = try site.page("index.html")
      let ids = page.tags("li").compactMap { $0["id"] }.map { String($0.dropFirst(7)) }
      return Dictionary(uniqueKeysWithValues: zip(ids, page.tags("img").map { [$0["data-color"]] }))
    }
    let people = [Person("a", "g.png"), Person("b", "initials"), Person("c", "identicon")]
    let first = try placeholders(people, jobs: 1)
    let more = [Person("z", background: "red")] + people.reversed() + [Person("y", "g.png")]
    let second = try placeholders(more, jobs: 4)
    #expect(first.count == 3 && first.values.allSatisfy { !$0.contains(nil) })
    for (name, placeholder) in first { #expect(second[name] == placeholder) }
    #expect(second["y"] == second["a"])
  }

  private static let effects: Set<Substring> = [
    "filter", "backdrop-filter", "mask", "mask-image", "mix-blend-mode", "will-change",
  ]

  /// G6: browsers apply no effects to pictures except an outline.
  ///
  /// G9: only outlines and boxes without a picture have round corners in CSS.
  @Test func `style sheets do not filter, mask or clip pictures`() throws {
    let site = try TestSite.whole()
    try site.build()
    var sheets = try ["gallery.css", "avatars.css", "buttons.css"].map { try site.text($0) }
    for theme in ["team", "compact", "wall"] {
      let themed = try TestSite.whole(pages: ["theme": theme])
      try themed.build()
      sheets.append(try themed.text("theme.css"))
    }
    // Pages have no inline styles, either.
    for page in try site.pages().values { #expect(page.tags.allSatisfy { $0["style"] == nil }) }
    for sheet in sheets {
      let rules = CSSRules(sheet)
      for declaration in rules.all.flatMap(\.declarations) {
        let name = declaration.prefix { $0 != ":" }
        #expect(!Self.effects.contains(name))
      }
      for rule in rules.all where rule.isOfPictures {
        #expect(
          !rule.declarations.contains {
            $0.hasPrefix("overflow") || $0.contains("shadow:") || $0.hasPrefix("clip-path")
              || $0.contains("border-radius:") && !rule.isOfShape
          }, "\(rule.selector)")
      }
    }
    #expect(CSSRules("a img { border-radius: 2px }").all.first?.isOfPictures == true)
  }
}

private struct CSSRules {
  struct Rule {
    var selector: String
    var declarations: [String]

    /// Whether the rule applies to the box around a picture; its corners do not clip the picture.
    var isOfShape: Bool { selector.hasPrefix(".shape-") || selector.hasSuffix("::before") }

    var isOfPictures: Bool {
      selector.split(separator: ",").contains { part in
        let last = part.split { " >+~".contains($0) }.last ?? ""
        return last.hasPrefix("img") || last.hasPrefix("picture") || last.hasPrefix(".avatar")
          || last.hasPrefix(".shape")
      }
    }
  }

  private(set) var all: [Rule] = []

  init(_ text: String) {
    var open: [String] = []
    var current = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == "/", rest.first == "*" {
        rest = rest.range(of: "*/").map { rest[$0.upperBound...] } ?? ""
        continue
      }
      switch character {
      case "{":
        open.append(current.trimmingCharacters(in: .whitespacesAndNewlines))
        current = ""
      case "}", ";":
        let declaration = current.trimmingCharacters(in: .whitespacesAndNewlines)
        if let selector = open.last, !declaration.isEmpty {
          all.append(Rule(selector: selector, declarations: [declaration]))
        }
        current = ""
        if character == "}" { _ = open.popLast() }
      default: current.append(character)
      }
    }
  }
}
