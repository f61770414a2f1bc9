import SiteSupport

struct WordsTests {
  private static let folder = Checkout.root.appending(path: "templates")

  private static func words(_ language: String) throws -> [String: String] {
    let file = folder.appending(path: "words-\(language).json")
    return try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
  }

  @Test(arguments: ["en", "de", "es", "fr", "zh"])
  func `each language defines every string`(language: String) throws {
    let words = try Self.words(language)
    #expect(Set(words.keys) == Set(KeyTable.strings.keys))
    for (key, english) in try Self.words("en") {
      let word = try #require(words[key])
      #expect(!word.isEmpty && word == word.trimmingCharacters(in: .whitespaces), "\(key)")
      for part in ["{count}", "{place}"] {
        #expect(word.contains(part) == english.contains(part), "\(key)")
      }
    }
  }

  @Test func `templates use all defined strings and no others`() throws {
    // Code uses these strings for numbers and sections.
    var used: Set = ["count", "countOne", "others", "thousands"]
    for file in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    where file.hasSuffix(".mustache") {
      let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
      used.formUnion(text.matches(of: /words\.([a-z][A-Za-z]*)/).map { String($0.1) })
    }
    #expect(used == Set(KeyTable.strings.keys))
  }

  @Test(arguments: [
    ("de", "Nach Name oder Funktion suchen"), ("de-AT", "Nach Name oder Funktion suchen"),
    ("zh-Hans-CN", "按姓名或职务搜索"), ("zh-TW", "Search by name or title"),
    ("nl", "Search by name or title"), ("eo", "Serĉi"), ("eo-x-mine", "Trovi"),
  ])
  func `the strings are in the site's language`(language: String, search: String) throws {
    let site = try TestSite()
    try site.folder.write("{\"search\": \"Serĉi\"}", to: "templates/words-eo.json")
    try site.folder.write("{\"search\": \"Trovi\"}", to: "templates/words-eo-x-mine.json")
    try site.write(
      (0..<30).map { Person("p\($0)") },
      more: "site: { language: \(language) }\nwords: { people: Los <otros> }")
    try site.build()
    let page = try site.page("index.html")
    #expect(try #require(page.tags("input").first)["placeholder"] == search)
    // The manifest's own strings take precedence.
    #expect(try site.text("index.html").contains(">Los &lt;otros&gt;</h2>"))
  }

  @Test func `an invalid strings file is reported`() throws {
    let site = try TestSite()
    try site.folder.write("[1]", to: "templates/words-de.json")
    try site.write([Person("a")], more: "site: { language: de }")
    let error = #expect(throws: (any Error).self) { try site.build() }
    #expect("\(try #require(error))".contains("not a JSON object of strings"))
  }

  @Test func `the button page is in the site's language`() throws {
    let site = try TestSite()
    try site.write(
      [Person("a")], buttons: ["name: b, normal: red, title: black"], more: "site: { language: de }"
    )
    try site.build()
    let page = try site.text("buttons/index.html")
    for words in ["Kontrast 5.25", "Dieselben Farben wie im hellen Modus", "aria-label=\"Dunkel\""]
    {
      #expect(page.contains(words), "\(words)")
    }
  }

  /// As in browsers, Spanish numbers below ten thousand have no separator.
  @Test func `large numbers use the language's thousands separator`() throws {
    let site = try TestSite()
    let people = (0..<1_000).map { Person("p\($0)", background: "red") }
    for (more, text) in [
      ("site: { language: de }", "1.000 Personen"), ("site: { language: es }", "1000 personas"),
      ("words: { thousands: \"1_000\" }", "1_000 people"),
    ] {
      try site.write(people, styles: [TestSite.small], more: more)
      try site.build()
      #expect(try site.text("index.html").contains(">\(text)</output>"))
    }
  }
}
