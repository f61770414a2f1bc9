import TestSupport

/// The commands in docs/recipes work in a copy of the folder and produce the promised files.
struct RecipeTests {
  private static let folder = Checkout.root.appendingPathComponent("docs/recipes")

  /// Returns the arguments of every sitegen command, in order.
  private func commands(_ recipe: String) throws -> [[String]] {
    let start = "    sitegen "
    let page = try Checkout.text(of: "docs/recipes/\(recipe)/README.md")
    return page.split(separator: "\n").filter { $0.hasPrefix(start) }.map { line in
      line.dropFirst(start.count).split(separator: " ").map(String.init)
    }
  }

  @Test func `every recipe is linked and tested`() throws {
    let recipes = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
    // `script/cluster` tests the recipes for schedulers.
    let schedulers = ["kubernetes", "parallel", "slurm"]
    #expect(recipes == (Self.made.map(\.recipe) + ["contributors"] + schedulers).sorted())
    let page = try Checkout.text(of: "docs/index.md")
    for recipe in recipes { #expect(page.contains("(recipes/\(recipe)/README.md)"), "\(recipe)") }
  }

  /// The files of each recipe, and the people in the first site.
  private static let made: [(recipe: String, files: [String], people: [String])] = [
    (
      "photos", ["photos-site/output/index.html", "team/output/index.html"],
      ["sample-heron", "sample-otter"]
    ),
    (
      "spreadsheet", ["output/index.html", "team.csv-site/output/index.html"],
      ["sample-heron", "sample-otter"]
    ),
    ("hugo", ["static/avatars/assets.json"], ["heron", "otter"]),
    ("jekyll", ["avatars/assets.json"], ["heron", "otter"]),
    ("eleventy", ["avatars/assets.json"], ["heron", "otter"]),
    ("astro", ["public/avatars/assets.json"], ["heron", "otter"]),
    (
      "ios",
      [
        "Avatars/index.html", "Avatars/AssetNames.swift",
        "Avatars/Assets.xcassets/Avatars/round/otter.imageset/otter@2x.png",
      ], ["heron", "otter"]
    ),
    (
      "readme",
      ["avatars/index.html", "avatars/poster.svg", "avatars/poster@2x.png"],
      ["sample-heron", "sample-otter"]
    ),
    (
      "sponsors",
      ["sponsors/index.html", "sponsors/poster.svg", "sponsors/poster-dark.png"],
      ["sample-heron", "sample-otter"]
    ),
    (
      "android", ["avatars/index.html", "avatars/res/drawable/btn_primary.xml"], ["heron", "otter"]
    ),
  ]

  @Test(arguments: made.map(\.recipe))
  func `the commands in a recipe produce the promised files`(recipe: String) throws {
    let folder = TemporaryFolder()
    let own = Self.folder.appendingPathComponent(recipe)
    for name in try FileManager.default.contentsOfDirectory(atPath: own.path) {
      try FileManager.default.copyItem(
        at: own.appendingPathComponent(name), to: URL(fileURLWithPath: folder.path(of: name)))
    }
    for photo in try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "photos")) {
      #expect(try folder.read("photos/\(photo)").count < 16_384, "\(photo)")
    }
    let commands = try commands(recipe)
    #expect(!commands.isEmpty)
    for words in commands {
      let run = try sitegen(words, in: folder)
      #expect(run.status == 0 && !run.err.contains("warning"), "\(words): \(run.err)")
    }
    let made = try #require(Self.made.first { $0.recipe == recipe })
    for file in made.files { #expect(folder.exists("\(file)"), "\(file)") }
    let map = made.files[0].replacingOccurrences(of: "index.html", with: "assets.json")
    let assets = try JSONSerialization.jsonObject(with: folder.read("\(map)")) as? [String: Any]
    let users = try #require(assets?["users"] as? [String: [String: Any]])
    #expect(users.keys.sorted() == made.people)
    #expect(users.values.allSatisfy { $0["source"] as? String == "file" })
  }

  /// The people are the authors of commits, and have no pictures.
  @Test func `the contributors recipe produces a poster`() throws {
    let folder = TemporaryFolder()
    let repository = try SampleRepository(in: folder)
    try repository.commit("Sample Otter", "otter@example.org")
    try FileManager.default.copyItem(
      at: Self.folder.appendingPathComponent("contributors/contributors.yaml"),
      to: URL(fileURLWithPath: folder.path(of: "repo/contributors.yaml")))
    for words in try commands("contributors") {
      let run = try sitegen(words, in: repository.path)
      #expect(run.status == 0 && !run.err.contains("warning"), "\(words): \(run.err)")
    }
    #expect(try folder.text(of: "repo/contributors/poster.svg").contains("Sample Otter"))
  }
}
