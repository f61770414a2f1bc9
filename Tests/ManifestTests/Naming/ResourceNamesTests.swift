import SiteSupport

struct ResourceNamesTests {
  private func name(_ text: String) -> String { ResourceNames([text])[0] }

  @Test(arguments: [
    ("ada", "ada"), ("Ada Lovelace", "ada_lovelace"), ("a__b", "a_b"), ("  a -_- b!", "a_b"),
    ("_x_", "x"), ("007", "_007"), ("Primary!", "primary"), ("", "x"), (".", "x"), ("..", "x"),
    ("a.png", "a_png"), ("ends...", "ends"), ("../../etc/passwd", "etc_passwd"), ("X", "x"),
    ("class", "class"), ("-9", "_9"),
  ])
  func `valid characters are kept`(text: String, expected: String) {
    #expect(name(text) == expected)
  }

  @Test(arguments: [
    // The SHA-256 digits were computed with another program.
    ("é", "x_4a99557e"), ("日本", "x_cf2abf0c"), ("CON", "con_a3dbc4b6"),
    (
      String(repeating: "a", count: 65),
      "\(String(repeating: "a", count: 55))_635361c4"
    ),
  ])
  func `a digest is appended if characters are dropped`(text: String, expected: String) {
    #expect(name(text) == expected)
  }

  @Test func `colliding names all get a digest`() {
    let names = ResourceNames(["Ada", "bob", "ada", ".", ".."])
    #expect(names.all == ["ada_99a563ab", "bob", "ada_fdee430d", "x_cdb4ee2a", "x_5ec1f7e7"])
  }

  @Test func `a text that looks like a generated name cannot take another text's name`() {
    let names = ResourceNames(["x_4a99557e", "é"])
    #expect(names[1] == "x_4a99557e")
    #expect(names[0].hasPrefix("x_4a99557e_"))
  }

  @Test func `canonically equivalent texts share a name`() {
    let names = ResourceNames(["e\u{301}", "é", "bob", "bob"])
    #expect(names.all == ["x_4a99557e", "x_4a99557e", "bob", "bob"])
  }

  @Test func `reserved names are avoided`() {
    #expect(ResourceNames(["a", "b"], reserved: ["a"]).all == ["a_ca978112", "b"])
  }

  @Test func `digests that start with the same digits are written with more digits`() {
    // The names were found by search: their digests start with the same digits.
    let names = ResourceNames(["é丁一一丅七万", "é丁七丄丅一七"])
    #expect(names.all == ["x_b405682210f981c6", "x_b405682223e0e313"])
  }

  @Test func `ten thousand hostile texts get stable, unique names`() throws {
    let texts = Self.hostileTexts(count: 10_000)
    let names = ResourceNames(texts)
    let valid = try Regex("[a-z_][a-z0-9_]*")
    for name in names.all {
      #expect(name.wholeMatch(of: valid) != nil, "\(name)")
      #expect(name.utf8.count <= 64)
    }
    #expect(Set(names.all).count == Set(texts).count)
    #expect(Array(ResourceNames(texts.reversed()).all.reversed()) == names.all)
    for (text, name) in zip(texts, names.all) where text.utf8.contains(where: { $0 >= 0x80 }) {
      #expect(name == self.name(text), "\(text.debugDescription)")
    }
  }

  @Test func `adding a text changes only names that collide with its own`() {
    let texts = Self.hostileTexts(count: 500)
    for count in 400..<500 {
      let before = ResourceNames(Array(texts.prefix(count)))
      let after = ResourceNames(Array(texts.prefix(count + 1)))
      let moved = (0..<count).filter { before[$0] != after[$0] }
      let stem = name(texts[count])
      #expect(moved.allSatisfy { before[$0] == stem }, "\(texts[count].debugDescription)")
    }
  }

  /// Returns short texts from few letters, so that many names collide, and unusual characters.
  private static func hostileTexts(count: Int) -> [String] {
    var random = SeededRandom(seed: 7)
    let pieces = [
      "a", "A", "b", "_", "-", ".", "/", " ", "1", "0", "é", "e\u{301}", "ß", "İ", "🙂", "日",
      "\u{0}", "\n", "\u{202E}", "x_4a99557e", "con", "CON", "self", "\u{FFFF}",
      String(repeating: "z", count: 70),
    ]
    return (0..<count).map { _ in
      (0..<Int.random(in: 0...6, using: &random)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &random)]
      }.joined()
    }
  }
}
