import SiteSupport

/// Realistic lists, each with a snapshot of the interpreted columns and the resulting people.
///
/// `photos.txt` lists the files in a folder. A `.site` file contains a manifest and its files, each
/// after a line `=== PATH`.
struct ListTests {
  private static let folder = "Tests/ManifestTests/Lists"
  private static let names =
    (try? FileManager.default.contentsOfDirectory(
      atPath: Checkout.root.appending(path: folder).path
    ).sorted()) ?? []

  @Test func `there are at least 40 test lists`() { #expect(Self.names.count >= 40) }

  /// M28: each list produces the people in its snapshot.
  @Test(arguments: names) func `each list produces the expected people`(name: String) throws {
    let file = Checkout.root.appending(path: "\(Self.folder)/\(name)")
    let content = try String(contentsOf: file, encoding: .utf8)
    var text = ManifestText(text: "version: 1\nusers: { from: \(name) }\n", files: [name: content])
    if name == "photos.txt" {
      let pictures = content.split(separator: "\n").map { ("Photos/\($0)", "") }
      text.text = "version: 1\nusers: { from: Photos }\n"
      text.files = Dictionary(uniqueKeysWithValues: pictures)
    }
    if name.hasSuffix(".site") {
      let parts = content.split(separator: "=== ").map { part in
        let end = part.firstIndex(of: "\n") ?? part.endIndex
        return (String(part[..<end]), String(part[end...].dropFirst()))
      }
      text.files = Dictionary(uniqueKeysWithValues: parts)
      text.text = text.files.removeValue(forKey: "manifest.yaml") ?? ""
    }
    text.explains = true
    let (manifest, diagnostics) = try text.read()
    let published = "\(manifest?.users ?? [])"
    #expect(!published.contains("@example.org"))
    var lines = diagnostics.sorted.map { problem in
      if name.hasSuffix(".site") { return problem.description }
      let parts = [problem.note, problem.help].compactMap { $0.map { "  " + $0 } }
      return ([problem.severity.rawValue + ": " + problem.message] + parts).joined(separator: "\n")
    }
    for user in manifest?.users ?? [] {
      lines += ["", "\(user.id): \(user.name)"]
      // Explicit types, because one inferred expression takes 20 s to compile.
      let one: (String?) -> [String] = { $0.map { [$0] } ?? [] }
      let values: [(name: String, values: [String])] = [
        ("background", one(user.background?.hex)),
        ("avatar", user.avatars.map(\.kind.names.source)), ("title", one(user.title)),
        ("organisation", one(user.organisation)), ("about", one(user.about)),
        ("tags", user.tags), ("link", one(user.link)), ("links", user.links),
      ]
      for (name, values) in values where !values.isEmpty {
        lines.append("  \(name): \(values.joined(separator: " | "))")
      }
    }
    try expectSnapshot(lines.joined(separator: "\n") + "\n", "Lists/\(name).txt")
  }

  /// A username is an id if no column has other ids, even unusable ones.
  @Test(arguments: [
    ("user_id,username,avatar", 4_800, nil), (",username,avatar", 5_000, nil),
    ("user_id,username,avatar", 4_800, "0"),
  ])
  func `renaming one of 5,000 members changes only that person`(
    header: String, names: Int, id: String?
  ) throws {
    func read(_ ids: String = "", renamed: Int? = nil) throws -> [User] {
      let rows = (0..<5_000).map { number -> String in
        let id = id ?? "\(number)"
        let name = number == renamed ? "new" : "member\(number % names)"
        return "\(id),\(name),\(number).png"
      }
      var text = ManifestText(text: "version: 1\nusers: { from: a.csv }\n")
      text.files = ["a.csv": ([header] + rows).joined(separator: "\n")]
      text.madeIDs = ids
      return try #require(try text.read().manifest).users
    }
    let users = try read()
    let later = try read(MadeIDs.text(of: users) ?? "", renamed: 100)
    #expect(Set(users.map(\.id)).count == 5_000 && users.count == 5_000)
    let values = [users, later].map { $0.map { "\($0.id) \($0.name) \($0.avatars.map(\.kind))" } }
    #expect(zip(values[0], values[1]).count { $0 != $1 } == 1 && later.count == 5_000)
  }
}
