import SiteSupport

struct DrawnAvatarTests {
  private static let square = "name: small, size: 32, scales: [1], shape: square, formats: [png]"

  /// Returns people with six names and five backgrounds, repeated.
  private func crowd(_ count: Int) -> [Person] {
    let names = ["Ada Lovelace", "Alan Long", "Grace Hopper", "Ken Thompson", "Édith", "山田"]
    let colors = ["#ffcc00", "#102030", "#ff000080", "gray(50%)", "white"]
    return (0..<count).map { number in
      Person(
        "u\(number)", name: names[number % names.count], "initials",
        background: colors[number / names.count % colors.count])
    }
  }

  @Test func `identical initials on the same colour share one picture`() throws {
    let site = try TestSite()
    try site.write(crowd(400), styles: [Self.square])
    let result = try site.build()
    // Two of the six names have the same initials, so five initials in five colours are rendered.
    #expect(result.report.users.ok == 400)
    #expect(result.report.counters.renders == 25)
    #expect(result.report.counters.deduped == 375)
    #expect(result.report.counters.sourcesRead == 0)
    #expect(result.report.counters.decodes == 0)
    #expect(site.assetFiles().count == 25)
    #expect(try site.image(of: "u0") == site.image(of: "u1"))
  }

  /// G39: the background of initials is the id's colour, or the user's own.
  @Test func `the id determines the background colour of initials`() throws {
    let site = try TestSite()
    try site.write(
      [
        Person("ada", name: "Ada Lovelace", "initials"), Person("ada2", name: "X", "initials"),
        Person("own", name: "Ada Lovelace", "initials", background: "#ffcc00"),
      ], styles: [Self.square])
    try site.build()
    let ground = Palette.color(of: "ada")
    #expect(try site.pixels(of: "ada")[0, 0] == [ground.red, ground.green, ground.blue, 255])
    let own = try site.pixels(of: "own")
    #expect(own[0, 0] == [255, 204, 0, 255])
    #expect(stride(from: 0, to: own.bytes.count, by: 4).contains { own.bytes[$0] < 100 })
    #expect(try site.assets().users["ada"]?.source == "initials")
    #expect(try site.assets().users["ada"]?.status == "ok")
  }

  @Test func `identicons are symmetric and different for each id`() throws {
    let site = try TestSite()
    try site.write([Person("ada", "identicon"), Person("bob", "identicon")], styles: [Self.square])
    try site.build()
    let pixels = try site.pixels(of: "ada")
    for y in 0..<32 {
      for x in 0..<16 { #expect(pixels[x, y] == pixels[31 - x, y]) }
    }
    #expect(try pixels != site.pixels(of: "bob"))
    #expect(try site.assets().users["ada"]?.source == "identicon")
  }

  @Test func `table cells can list initials and identicons as sources`() throws {
    let site = try TestSite()
    try site.put(
      Array(
        """
        avatar,background,name,id
        gone.jpg;initials,#102030,Ada Lovelace,ada
        initials;identicon,,!!!,---
        initials;color:#ff0000,,བོད,tib

        """.utf8), at: "users.csv")
    let manifest = """
      version: 1
      avatars: [{ \(Self.square) }]
      users: { from: users.csv }

      """
    try site.put(Array(manifest.utf8), at: "manifest.yaml")
    let result = try site.build()
    let users = try site.assets().users
    #expect(users["ada"]?.source == "initials")
    #expect(users["ada"]?.sourceIndex == 1)
    #expect(users["---"]?.source == "identicon")
    #expect(users["tib"]?.source == "color")
    #expect(try site.pixels(of: "ada")[0, 0] == [0x10, 0x20, 0x30, 255])
    let reasons = result.report.failures.map { "\($0.user) \($0.source) \($0.reason)" }
    #expect(
      reasons.sorted() == [
        "--- 0 no-initials", "ada 0 source-unreadable", "tib 0 glyph-missing",
      ])
  }

  /// Every declared font is installed and contains the letters for which it is declared.
  @Test func `names in many scripts get initials`() throws {
    let names = [
      "Արամ Խաչատրյան", "שרה כהן", "سارة أحمد", "ܐܒܪܗܡ", "އަލީ", "ߒߞߏ", "क्षितिज शर्मा", "অমিত সেন",
      "ਗੁਰੂ ਸਿੰਘ", "ગાંધી મોહન", "ଓଡ଼ିଆ ନାମ", "தமிழ் செல்வி", "తెలుగు పేరు", "ಕನ್ನಡ ಹೆಸರು",
      "മലയാളം പേര്", "සිංහල නම", "นิภา ใจดี", "ລາວ ຊື່", "မြန်မာ", "ნინო ბერიძე", "አበበ ቢቂላ", "ᏣᎳᎩ",
      "ᐃᓄᒃᑎᑐᑦ", "ខ្មែរ ឈ្មោះ", "ᠮᠣᠩᠭᠣᠯ", "ᬩᬮᬶ", "ᱥᱟᱱ", "ⵜⵉⴼ", "ꆈꌠ", "ꦗꦮ", "ꯃꯩ", "𞤀𞤁", "𝔄𝔅",
      "Ναταλία Ώρα", "Жанна Яблокова", "이 순신", "さくら", "タロウ", "ｱｲ", "Ｗｉｄｅ", "Ⅳ", "山田",
      "Nguyễn Ậu", "🇫🇷 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "ﷺ",
    ]
    let site = try TestSite()
    try site.write(
      names.enumerated().map { Person("u\($0)", name: $1, "initials", background: "#123456") },
      styles: [Self.square])
    let result = try site.build(jobs: 2)
    #expect(result.report.failures.map { names[Int($0.user.dropFirst()) ?? 0] } == [])
    #expect(result.report.counters.renders == names.count)
  }
}
