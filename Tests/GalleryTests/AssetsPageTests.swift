import SiteSupport

struct AssetsPageTests {
  private typealias Mapping = [String: Any]

  /// Returns the keys in each table, by its heading.
  private func tables() throws -> [String: Set<String>] {
    let page = try Checkout.text(of: "docs/reference/assets-json.md")
    var tables: [String: Set<String>] = [:]
    var heading = ""
    for line in page.split(separator: "\n") {
      if line.hasPrefix("#") { heading = String(line.drop { $0 == "#" || $0 == " " }) }
      guard line.hasPrefix("| `") else { continue }
      tables[heading, default: []].insert(String(line.dropFirst(3).prefix { $0 != "`" }))
    }
    return tables
  }

  private func keys(_ mappings: [Mapping]) -> Set<String> { Set(mappings.flatMap(\.keys)) }

  private func values(_ mappings: [Mapping], _ key: String) -> [Mapping] {
    mappings.compactMap { $0[key] as? Mapping }
  }

  /// Returns the values of mappings by name, such as users by id.
  private func entries(_ mappings: [Mapping]) -> [Mapping] {
    mappings.flatMap { $0.values.compactMap { $0 as? Mapping } }
  }

  @Test func `the docs list exactly the keys in assets.json`() throws {
    let site = try TestSite()
    let paint = TestPicture.gradient(width: 80, height: 40)
    try site.put(TestPicture.png(width: 80, height: 40, pixel: paint), at: "a.png")
    try site.write(
      [Person("a", "a.png"), Person("b", "missing.png")],
      styles: [
        "name: s, size: 20, formats: [webp, png], focus: smart, maxBytes: 5000, "
          + "shadow: { color: black, radius: 2, offset: [1, 1] }"
      ],
      buttons: [
        "name: one, normal: red, radius: 2, emit: [png], title: black, dark: { normal: white }"
      ], more: "exports: swift-package\nstrips: [{ name: edge, color: black, radius: 2 }]")
    try site.build()
    let bytes = try site.folder.read("output/assets.json")
    let all = [try #require(JSONSerialization.jsonObject(with: bytes) as? Mapping)]
    let users = entries(values(all, "users"))
    let images = values(users, "avatars").flatMap { $0.values }
      .flatMap { $0 as? [Mapping] ?? [] }
    let buttons = entries(values(all, "buttons"))
    let states = entries(values(buttons, "light") + values(buttons, "dark"))
    let bitmaps = states.flatMap { $0["images"] as? [Mapping] ?? [] }
    let written = [
      "`assets.json`": keys(all), "A user": keys(users), "An image": keys(images),
      "A placeholder": keys(values(users, "placeholder")),
      "A focus": keys(entries(values(users, "focus"))), "A button": keys(buttons),
      "A button image": keys(bitmaps).subtracting(keys(images)),
      "A state": keys(states),
    ]
    #expect(try tables() == written)
    #expect(keys(values(images, "inset")) == ["top", "right", "bottom", "left"])
    #expect(keys(values(bitmaps, "insets")) == ["top", "right", "bottom", "left"])
  }
}
