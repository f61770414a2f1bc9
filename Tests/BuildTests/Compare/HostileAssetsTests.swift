import SiteSupport

struct HostileAssetsTests {
  private let folder = TemporaryFolder(inMemory: true)
  private static let content = "0123456789"
  private static let hex = Digest(of: content).hex
  private static let file = "assets/\(hex.prefix(2))/\(hex).png"

  private static func image(_ changes: [String: String] = [:]) -> String {
    var fields = [
      "bytes": "10", "format": "\"png\"", "height": "16", "scale": "1", "width": "16",
      "sha256": "\"\(hex)\"", "path": "\"\(file)\"",
    ]
    fields.merge(changes) { $1 }
    return "{" + fields.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ",")
      + "}"
  }

  private static func user(_ image: String, name: String = "\"x\"") -> String {
    "{\"avatars\":{\"s\":[\(image)]},\"name\":\(name),\"status\":\"ok\"}"
  }

  private static func users(_ users: String, head: String = "", version: String = "1") -> String {
    "{\(head)\"buttons\":{},\"users\":{\(users)},\"version\":\(version)}\n"
  }

  private func write(_ text: String, to name: String) throws {
    try folder.write(text, to: "\(name)/assets.json")
  }

  private func compare(_ to: String = "diff") throws -> Comparison.Outcome {
    var comparison = Comparison(old: folder.path(of: "old"), new: folder.path(of: "new"))
    comparison.to = to.hasPrefix("/") ? to : folder.path(of: to)
    comparison.templates = TemplatesFolder(folder.path(of: "none"))
    try folder.makeFolder("none")
    return try comparison.run()
  }

  /// Returns the id of the first error that prevents the comparison.
  private func refusal(_ to: String = "diff") throws -> String {
    let failure = try #require(throws: BuildFailure.self) { try compare(to) }
    #expect(failure.exitStatus == 2)
    guard case .usage(let diagnostics) = failure else { return "\(failure)" }
    return diagnostics.sorted.first?.id ?? ""
  }

  static let bad: [String] = [
    "", "{", "[]", "null", "{}", "{\"users\":{}}", "{\"buttons\":{},\"users\":[],\"version\":1}",
    users("", version: "2"), users("", version: "\"1\""), users("") + "{}", users("\"a\":1"),
    users("\"a\":\(user(image()))").replacingOccurrences(of: "}\n", with: ""),
    users("\"a\" \(user(image()))"), users("a:1"), users("", head: "\"strips\":\"x\","),
    users("\"a\":\(user(image(["width": "\"16\""])))"),
    users("\"a\":\(user(image(["width": "1e99"])))"),
    "{\"users\":" + String(repeating: "[", count: 100_000),
    "{\"users\":{\"a\":\"" + String(repeating: "x", count: 20_000_000),
    users("\"a\":{\"avatars\":\(String(repeating: "[", count: 99))}"),
  ]

  @Test(arguments: bad.indices)
  func `an invalid assets file is rejected`(number: Int) throws {
    try write(Self.users(""), to: "old")
    try write(Self.bad[number], to: "new")
    #expect(try refusal() == "site-not-ours")
    #expect(!folder.exists("diff"))
  }

  /// Returns all pictures on the page for one changed image.
  private func pictures(of changes: [String: String]) throws -> [HTMLPage.Tag] {
    try write(Self.users("\"a\":\(Self.user(Self.image(["scale": "3"])))"), to: "old")
    try write(Self.users("\"a\":\(Self.user(Self.image(changes)))"), to: "new")
    try folder.write(Self.content, to: "new/\(Self.file)")
    #expect(try compare().changed == 1)
    return HTMLPage(try folder.text(of: "diff/index.html")).tags("img")
  }

  @Test(arguments: [
    ["path": "\"../../etc/passwd\""], ["path": "\"/etc/passwd\""],
    ["path": "\"assets/../\(file)\""], ["path": "\"assets/zz/\(hex).png\""],
    ["path": "\"assets/\(hex.prefix(2))/\(hex).html\""], ["path": "\"\(file)\\u0000\""],
    ["path": "\"javascript:alert(1)\""], ["path": "\"\(file.uppercased())\""],
    ["sha256": "\"\(hex)a\""], ["sha256": "\"\(String(repeating: "cd", count: 32))\""],
    ["bytes": "0"], ["bytes": "-1"], ["bytes": "9"], ["bytes": "9000000000000000000"],
  ])
  func `an image that no build could have written is not shown`(changes: [String: String]) throws {
    #expect(try pictures(of: changes).isEmpty)
    #expect(!folder.list().contains { $0.hasPrefix("diff/assets") })
  }

  @Test(arguments: [
    [:], ["width": "-1"], ["height": "2147483647"], ["scale": "0"], ["scale": "1e300"],
    ["scale": "1e-300"], ["scale": "-1"],
  ])
  func `every picture gets a valid size`(changes: [String: String]) throws {
    let picture = try #require(try pictures(of: changes).first)
    #expect(picture["src"] == Self.file && folder.exists("diff/\(Self.file)"))
    #expect(picture["width"].flatMap { Int($0) } ?? 0 > 0)
    #expect(picture["height"].flatMap { Int($0) } ?? 0 > 0)
  }

  @Test func `a valid file is accepted even if its pictures are missing`() throws {
    try write(Self.users("\"a\":\(Self.user(Self.image()))"), to: "old")
    try write(Self.users("\"a\":\(Self.user(Self.image(["width": "17"])))"), to: "new")
    #expect(try compare().changed == 1)
    #expect(try folder.text(of: "diff/index.html").contains("the file is missing"))
  }

  @Test func `symlinks to pictures are not followed`() throws {
    for name in ["old", "new"] {
      let width = name == "old" ? "16" : "17"
      try write(Self.users("\"a\":\(Self.user(Self.image(["width": width])))"), to: name)
    }
    try folder.write(Self.content, to: "secret")
    try folder.makeFolder("new/assets/\(Self.hex.prefix(2))")
    try folder.link("new/\(Self.file)", to: folder.path(of: "secret"))
    _ = try compare()
    #expect(!folder.exists("diff/\(Self.file)"))
  }

  @Test func `users are matched by id, regardless of order and escapes`() throws {
    let user = Self.user(Self.image())
    let other = Self.user(Self.image(), name: "\"y\"")
    try write(
      Self.users("\"a\\\"b\":\(user),\"\\u0061c\":\(user),\"é\":\(user),\"ż\":\(user)"), to: "old")
    try write(
      Self.users("\"é\":\(user),\"a\\u0022b\":\(user),\"ac\":\(other),\"z\":\(user)"), to: "new")
    let outcome = try compare()
    #expect(outcome.changed == 1 && outcome.added == 1 && outcome.removed == 1)
  }

  @Test func `the number of users shown is limited, and the rest are counted`() throws {
    let numbers = (0..<1_200).map { String(10_000 + $0) }
    func users(_ numbers: [String], _ name: String) -> String {
      numbers.map { "\"\($0)\":\(Self.user(Self.image(), name: "\"\(name)\""))" }
        .joined(separator: ",")
    }
    try write(Self.users(users(numbers, "x")), to: "old")
    let added = (0..<300).map { String(20_000 + $0) }
    try write(Self.users(users(numbers, "y") + "," + users(added, "z")), to: "new")
    let outcome = try compare()
    #expect(outcome.changed == 1_200 && outcome.added == 300)
    let text = try folder.text(of: "diff/index.html")
    #expect(text.components(separatedBy: "<li class=\"diff-item\"").count == 401)
    #expect(text.contains("And 1,000 more") && text.contains("And 100 more"))
  }

  @Test func `a folder without a site is rejected`() throws {
    try write(Self.users(""), to: "old")
    #expect(try refusal() == "site-unreadable")
    try folder.makeFolder("new")
    #expect(try refusal() == "site-unreadable")
    try folder.makeFolder("new/assets.json")
    #expect(try refusal() == "site-unreadable")
  }

  @Test(arguments: [
    "old", "new", "old/diff", "new/a/b/c", "old/.", "other/../old/diff", "link", "link/diff",
    "old/", "missing/../old/diff", "old/assets.json/x",
  ])
  func `a comparison modifies neither site`(to: String) throws {
    try write(Self.users(""), to: "old")
    try write(Self.users(""), to: "new")
    try folder.makeFolder("other")
    try folder.link("link", to: "new")
    let before = folder.list()
    let failure = try #require(throws: BuildFailure.self) { try compare(to) }
    #expect(failure.exitStatus != 0)
    #expect(folder.list().filter { !$0.hasPrefix("none") } == before)
  }

  @Test func `a folder with other files is rejected and left unchanged`() throws {
    try write(Self.users(""), to: "old")
    try write(Self.users(""), to: "new")
    try folder.write("mine", to: "full/notes.txt")
    #expect(try refusal("full") == "diff-not-ours")
    #expect(try folder.text(of: "full/notes.txt") == "mine")
    #expect(folder.list().filter { $0.hasPrefix("full/") } == ["full/notes.txt"])
  }

  @Test func `foreign files next to the page are kept`() throws {
    try write(Self.users(""), to: "old")
    try write(Self.users(""), to: "new")
    _ = try compare()
    try folder.write("mine", to: "diff/assets/notes.txt")
    _ = try compare()
    #expect(try folder.text(of: "diff/assets/notes.txt") == "mine")
  }

  @Test(arguments: ["mine", "pid mine\n", "pid 1\nmine", "pid 1"])
  func `a foreign file with the marker file's name is kept`(text: String) throws {
    try write(Self.users(""), to: "old")
    try write(Self.users(""), to: "new")
    try folder.write(text, to: "full/.sitegen-diff")
    #expect(try refusal("full") == "diff-not-ours")
    #expect(try folder.text(of: "full/.sitegen-diff") == text)
  }

  @Test func `files left behind by a killed run are removed`() throws {
    try write(Self.users(""), to: "old")
    try write(Self.users(""), to: "new")
    try folder.write("pid 1\n", to: "diff/.sitegen-diff")
    try folder.write("half", to: "diff/.sitegen-tmp-1-1")
    #expect(try compare().isEqual)
    #expect(!folder.exists("diff/.sitegen-tmp-1-1") && folder.exists("diff/index.html"))
  }

  @Test func `a comparison cannot be written to a build's output folder`() throws {
    let site = try ComparisonTests.site()
    try write(Self.users(""), to: "old")
    try write(Self.users(""), to: "new")
    let before = try site.snapshot()
    #expect(try refusal(site.folder.path(of: "output")) == "diff-not-ours")
    #expect(try site.snapshot() == before)
  }
}
