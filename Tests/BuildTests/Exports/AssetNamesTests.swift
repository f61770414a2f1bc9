import SiteSupport

struct AssetNamesTests {
  /// Names with a meaning in Swift or in paths, and nearly identical names.
  private static let names = [
    "self", "Self", "avatar-assets", "init", "Type", "type", "Protocol", "Any", "class", "default",
    "func", "in", "operator", "true", "nil", "rethrows", "await", "dynamicType", "007", "_7", "a_7",
    "a7", "🙂", "日本", "String", "StringLiteralType", "Swift", "AssetNames", "Avatars",
    "\"; fatalError()//", "\\(1)", "ada lovelace", "adaLovelace", "ada-lovelace", ".", "..", "Ada",
    "ada", "associatedtype", "precedencegroup", "fileprivate", "where", "super", "throws", "is",
    "as",
  ]

  private func text(people: [String], styles: [String], buttons: [String] = []) throws -> String {
    let site = try TestSite()
    try site.write(
      people.map { Person($0, background: "#5856d6") },
      styles: styles.map { "name: \($0.jsonText), size: 2, scales: [1], formats: [png]" },
      buttons: buttons.map { "name: \($0.jsonText), normal: \"#112233\"" },
      more: "exports: [swift]")
    try site.build()
    let text = try site.text("AssetNames.swift")
    try site.expectWholeCatalog()
    // Constants and sets correspond one to one.
    let values = Constant.all(in: text).map(\.value)
    #expect(values.count == Set(values).count)
    #expect(Set(values) == site.catalogSets())
    return text
  }

  @Test func `names follow Swift conventions`() throws {
    let text = try text(
      people: ["ada", "Grace Hopper"], styles: ["round", "story-card"], buttons: ["primary"])
    try expectSnapshot(text, "AssetNames.txt")
  }

  @Test func `hostile names produce constants that compile and can be used`() throws {
    let text = try text(
      people: Self.names,
      // Style names support no other characters.
      styles: ["self", "init", "type", "protocol", "any", "class", "007", "a-7", "a7", "--"],
      buttons: Self.names)
    // Uses the constants as a program would, with backticks or without.
    let uses = Constant.all(in: text).map { "  \($0.spelling)," }
    #expect(uses.count >= Self.names.count * 11)
    let program = text + "let all: [String] = [\n" + uses.joined(separator: "\n") + "\n]\n"
    let complaints = try Self.complaints(about: program)
    #expect(complaints == "")
    #expect(
      try Self.complaints(about: text + "let bad: String = AssetNames.Avatars.Nobody.ada") != "")
  }

  @Test func `the Swift package compiles, and its test passes`() throws {
    let site = try TestSite()
    try site.write(
      Self.names.map { Person($0, background: "#5856d6") },
      styles: ["name: standard, size: 2, scales: [1, 2], formats: [png]"],
      buttons: Self.names.map { "name: \($0.jsonText), normal: \"#112233\"" },
      more: "exports: [swift-package]")
    try site.build()
    let sources = "SwiftPackage/Sources/AvatarAssets"
    let names = try site.text("\(sources)/Names.swift").replacing("AvatarAssets.", with: "")
    let more =
      "extension Bundle { static var module: Bundle { .main } }\n"
      + "let picture: Picture = Avatars.image(.adalovelace, style: .standard)\n"
    let text = try site.text("\(sources)/Pictures.swift") + names + more
    #expect(try Self.complaints(about: text) == "")
    #expect(try site.text("assets.json").contains(/"adaLovelace": ?\{\s*"asset": ?"adalovelace"/))
    guard Extent.isAll else { return }
    let own = ["HOME": site.folder.path, "XDG_CACHE_HOME": site.folder.path(of: "cache")]
    let run = try RunningProgram(
      ["swift", "test"], in: site.folder.path(of: "output/SwiftPackage"),
      environment: RunningProgram.usualEnvironment.merging(own) { $1 }
    ).ending(within: 600)
    #expect(run.status == 0 && run.out.contains(/with 1 test .*passed/), "\(run.out)\(run.err)")
  }

  @Test(.onlyInAll) func `the code for ten thousand names compiles`() throws {
    let people = (0..<10_000).map { "user-\($0)" }
    let text = try text(people: people, styles: ["round"])
    let start = ContinuousClock.now
    let complaints = try Self.complaints(about: text)
    #expect(complaints == "")
    #expect(start.duration(to: .now) < .seconds(120))
  }

  private static func complaints(about text: String) throws -> String {
    let folder = TemporaryFolder(inMemory: true)
    try folder.write(text.utf8, to: "AssetNames.swift")
    let run = try RunningProgram(
      [
        "swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6",
        // Other tests in this process change `HOME`.
        "-module-cache-path", "modules", "AssetNames.swift",
      ], in: folder.path
    ).ending(within: 300)
    return run.status == 0 ? run.err : "failed: \(run.err)"
  }
}

private struct Constant {
  /// `AssetNames.Avatars.Round.ada`.
  var spelling: String
  var value: String

  static func all(in text: String) -> [Constant] {
    var types: [String] = []
    var constants: [Constant] = []
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.contains("enum"), words.last == "{" {
        types.append(String(words[words.count - 2]))
      } else if words == ["}"] {
        types.removeLast()
      } else if words.count == 8, words[2] == "var" {
        // A keyword after a dot needs no backticks.
        let name = words[3].dropLast().filter { $0 != "`" }
        constants.append(
          Constant(
            spelling: (types + [name]).joined(separator: "."),
            value: String(words[6].dropFirst().dropLast())))
      }
    }
    return constants
  }
}

extension String {
  fileprivate var jsonText: String {
    let data = try? JSONEncoder().encode(self)
    return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
