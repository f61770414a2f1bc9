import TestSupport

struct InitCommandTests {
  @Test(arguments: [("lists/team.csv", "a/site", "../../"), ("site/team.csv", "site", "../")])
  func `init writes where the photos were found`(list: String, site: String, up: String) throws {
    let folder = TemporaryFolder()
    for (name, color) in [("ada", TestPicture.Pixel.red), ("bo", .blue)] {
      let picture = TestPicture.png(width: 64, height: 64) { _, _ in color }
      try folder.write(picture, to: "Bil \"der\"/\(name).png")
    }
    try folder.write("Name;Foto\nAda Lovelace;C:\\ada.png\nBo Ek;x/bo.png\n", to: list)
    #expect(try sitegen(["init", "--from", list, site], in: folder).status == 0)
    let text = try folder.text(of: site + "/manifest.yaml")
    #expect(text.contains(#"avatar: "\#(up)Bil \"der\"/{Foto | file}" }"#), "\(text)")
    let built = try sitegen(["build", site], in: folder)
    #expect(built.out.contains("\npictures: 2 with their own picture"), "\(built)")
    #expect(!built.err.contains("photos") && !built.out.contains("photos"), "\(built)")
  }

  /// F45: the manifest contains a title, a style and the columns found in the list.
  @Test(arguments: [("site", "../people.csv", true), (".", "people.csv", false)])
  func `init writes a manifest that maps the list's columns`(
    target: String, from: String, isOutside: Bool
  ) throws {
    let folder = TemporaryFolder()
    try folder.write("Full Name;Role;Pet\nAda Lovelace;Boss;Cat\n", to: "people.csv")
    try folder.write("kept", to: ".gitignore")
    let made = try sitegen(["init", "--from", "people.csv", target], in: folder)
    #expect(made.status == 0)
    let text = try folder.text(of: target + "/manifest.yaml")
    #expect(text.contains("  title: \"People\"\n") && text.contains("    border:\n"))
    #expect(text.contains("  from: \"\(from)\"\n") && text.contains("allowOutside") == isOutside)
    #expect(
      text.hasSuffix(
        """
          # 1 person from CSV: name from "Full Name"; title from "Role"; not used: "Pet"
          fields: { name: "Full Name", title: "Role" }

        """), "\(text)")
    #expect(text.hasPrefix("# yaml-language-server: $schema=manifest.schema.json\n"))
    #expect(folder.exists(target + "/manifest.schema.json"))
    #expect(try folder.read(".gitignore") == Data("kept".utf8))
    let built = try sitegen(["build", target], in: folder)
    #expect(built.status == 0 && built.err.isEmpty && built.out.contains("output: 1 user;"))
    #expect(try sitegen(["build", "people.csv"], in: folder).status == 0)
    func people(_ site: String) throws -> [String] {
      try JSONDecoder().decode(AssetsFile.self, from: folder.read(site + "output/assets.json"))
        .users.map { "\($0.key) \($0.value.name)" }
    }
    #expect(try people(target + "/") == people("people.csv-site/"))
    #expect(try sitegen(["init", target], in: folder).status == 2)
    #expect(try sitegen(["init", "--from", "people.csv", target], in: folder).status == 2)
    #expect(try sitegen(["init", "--from", target, "other"], in: folder).status == 2)
  }

  /// Names such as "Lovelace, Ada" are reordered only if `fields` does not map their column.
  @Test func `init does not map a name column if names are combined or swapped`() throws {
    let folder = TemporaryFolder()
    try folder.write("Name;Role\nLovelace, Ada;Boss\nHopper, Grace;\n", to: "a.csv")
    try folder.write("First;Last;Role: x\nAda;Lovelace;Boss\n", to: "b.csv")
    for (list, name) in [("a.csv", "Grace Hopper"), ("b.csv", "Ada Lovelace")] {
      #expect(try sitegen(["init", "--from", list, "of-" + list], in: folder).status == 0)
      #expect(try !folder.text(of: "of-\(list)/manifest.yaml").contains("{ name"))
      let built = try sitegen(["build", "of-" + list], in: folder)
      #expect(built.status == 0 && built.err.isEmpty, "\(built.err)")
      #expect(try folder.text(of: "of-\(list)/output/index.html").contains(name))
    }
  }

  @Test func `init writes the path to the list within a JSON document`() throws {
    let folder = TemporaryFolder()
    let people = "[{ \"name\": \"Ada\" }]"
    try folder.write("{ \"team\": { \"people\": \(people) }, \"x\": \(people) }", to: "a.json")
    try folder.write("{ \"odd\": \(people), \"even\": \(people) }", to: "b.json")
    for list in ["a", "b"] {
      #expect(try sitegen(["init", "--from", "\(list).json", list], in: folder).status == 0)
    }
    #expect(try folder.text(of: "a/manifest.yaml").contains("\n  at: \"team.people\"\n"))
    #expect(try sitegen(["build", "a"], in: folder).status == 0)
    let unclear = try folder.text(of: "b/manifest.yaml")
    #expect(
      unclear.contains("\n  # cannot tell which lists contain people; ")
        && unclear.contains("at: odd"))
  }
}
