import Diagnostics
import TestSupport

@testable import SitegenCLI

struct SiteLocationTests {
  @Test(arguments: [
    ("content/manifest.yaml", ""), ("manifest.json", ""), ("m", ""),
    ("/srv/site/content/manifest.yaml", "/srv/site/"), ("site/people.yaml", "site/"),
    ("../content/m.yaml", "../"), ("/content/m.yaml", "/"), ("./content/m.yaml", "./"),
    ("mycontent/m.yaml", "mycontent/"), ("/m.yaml", "/"),
  ])
  func `a manifest's path determines the site's folder`(manifest: String, folder: String) throws {
    let site = try SiteLocation(path: nil, manifest: manifest, command: "build")
    #expect(site.manifest == manifest && site.folder == folder && site.text == nil)
  }

  @Test(arguments: [
    "content/manifest.yaml", "content/manifest.yml", "content/manifest.json", "manifest.yaml",
    "manifest.yml", "manifest.json",
  ])
  func `a folder with a manifest is treated as a site`(name: String) throws {
    let folder = TemporaryFolder()
    try folder.write("", to: "s/" + name)
    let path = folder.path(of: "s")
    for path in [path, path + "/"] {
      let site = try SiteLocation(path: path, manifest: nil, command: "build")
      #expect(site.folder == folder.path(of: "s/") && site.text == nil)
      #expect(site.manifest == folder.path(of: "s/" + name))
    }
    if name.hasPrefix("content/") {
      let inner = try SiteLocation(path: path + "/content", manifest: nil, command: "build")
      #expect(inner.folder == folder.path(of: "s/"))
    }
    let named = try SiteLocation(path: path + "/" + name, manifest: nil, command: "build")
    #expect(named.folder == folder.path(of: "s/") && named.text == nil)
  }

  @Test(arguments: [
    ("team.csv", "team.csv-site/", "team.csv"),
    ("a/people.json", "a/people.json-site/", "people.json"),
    (".all-contributorsrc", "all-contributorsrc-site/", ".all-contributorsrc"),
    ("it's: odd.csv", "it's: odd.csv-site/", "it's: odd.csv"), ("q.vcf", "q.vcf-site/", "q.vcf"),
    ("null", "null-site/", "null"),
  ])
  func `the site for a list is created beside it`(name: String, site: String, from: String) throws {
    let folder = TemporaryFolder()
    try folder.write("name", to: name)
    let found = try SiteLocation(path: folder.path(of: name), manifest: nil, command: "build")
    #expect(found.folder == folder.path(of: site))
    #expect(found.manifest == folder.path(of: name))
    #expect(found.text?.contains("  from: \"\(from)\"\n") == true)
  }

  @Test(arguments: [
    ("https://example.org/a/team.json?v=1", "team.json-site/"),
    ("http://example.org/team.csv#x", "team.csv-site/"),
    ("https://example.org", "example.org-site/"),
    ("https://example.org/", "example.org-site/"), ("https://", "https:-site/"),
  ])
  func `the site for a remote list is created in the working folder`(
    address: String, site: String
  ) throws {
    let found = try SiteLocation(path: address, manifest: nil, command: "build")
    #expect(found.folder == site && found.text?.contains("from: \"\(address)\"") == true)
  }

  @Test func `a URL is fetched instead of being treated as a file`() throws {
    let folder = TemporaryFolder()
    let address = "http://127.0.0.1/team.json"
    let run = try sitegen(["build", address], in: folder)
    #expect(run.status == 2 && run.err.contains("[address-not-public]"), "\(run.err)")
    #expect(try sitegen(["init", "--from", address, "team"], in: folder).status == 0)
    let same = try sitegen(["build", "team"], in: folder)
    #expect(same.status == 2 && same.err.contains("[address-not-public]"), "\(same.err)")
  }

  /// Foundation traps on some one-letter names.
  @Test(arguments: ["x", "x/", "./", ".//", ".", "x/.."])
  func `very short paths are accepted`(path: String) throws {
    let folder = TemporaryFolder()
    try folder.write("", to: "in/x/a.jpg")
    try folder.write("", to: "in/b.jpg")
    let run = try sitegen(["check", path], in: folder.path(of: "in"))
    #expect(run.status == 0 && run.signal == nil, "\(run.err)")
  }

  @Test func `a folder without a manifest is treated as a list`() throws {
    let folder = TemporaryFolder()
    try folder.write("", to: "photos/a.jpg")
    for path in ["photos", "photos/", "photos/.", "photos/.//", "photos/./."] {
      let found = try SiteLocation(path: folder.path(of: path), manifest: nil, command: "build")
      #expect(found.folder == folder.path(of: "photos-site/"))
      #expect(found.text?.contains("  from: \".\"\n") == true)
    }
  }

  @Test(arguments: [
    ("team/*.yml", "team-site/", "*.yml", "../team/*.yml"),
    ("./people/*/_index.md", "people-site/", "*/_index.md", "../people/*/_index.md"),
    ("team/o*.yml", "team-site/", "o*.yml", "../team/o*.yml"),
  ])
  func `a glob pattern can be a list`(path: String, site: String, from: String, own: String) throws
  {
    let folder = TemporaryFolder()
    try folder.write("name: Sample Otter\n", to: "team/otter.yml")
    try folder.write("---\ntitle: Sample Otter\n---\n", to: "people/otter/_index.md")
    let run = try sitegen(["build", path], in: folder)
    #expect(run.status == 0 && run.out.contains("\(site)output: 1 user;"), "\(run.err)")
    #expect(try sitegen(["init", "--from", path, "mine"], in: folder).status == 0)
    #expect(try folder.text(of: "mine/manifest.yaml").contains("from: \"\(own)\"\n"))
    #expect(try sitegen(["build", "mine"], in: folder).status == 0)
  }

  @Test func `a build without a manifest suggests creating one with init`() throws {
    let folder = TemporaryFolder()
    try folder.write("name,photo\nSample Otter,otter.jpg\n", to: "data/team.csv")
    let run = try sitegen(["build", "data/team.csv"], in: folder)
    #expect(run.status == 0 && run.err.contains("a manifest with `init --from`"), "\(run.err)")
    // If some photos are found, the listed paths are right, and `init` would not help.
    try folder.write(TestPicture.png(width: 64, height: 64) { _, _ in .red }, to: "data/otter.png")
    try folder.write("name,photo\nOtter,otter.png\nFern,fern.png\n", to: "data/team.csv")
    let second = try sitegen(["build", "data/team.csv"], in: folder)
    #expect(second.status == 0 && second.err.contains("fern.png"), "\(second.err)")
    #expect(!second.err.contains("init --from"), "\(second.err)")
  }

  @Test func `missing files and conflicting site locations are rejected`() {
    let folder = TemporaryFolder()
    let none = folder.path(of: "none")
    for (path, manifest) in [
      (none, nil), (none + "/*.yml", nil), (folder.path, "m"), ("/", nil), ("/*.yml", nil),
    ] {
      #expect(throws: Diagnostic.self) {
        try SiteLocation(path: path, manifest: manifest, command: "build")
      }
    }
  }

  @Test func `one command builds a site for a list in any folder, and a rebuild writes nothing`()
    throws
  {
    let folder = TemporaryFolder()
    try folder.write("name\nAda Lovelace\nGrace Hopper\n", to: "a/team.csv")
    try folder.write("", to: "b/x")
    let first = try sitegen(["build", "a/team.csv"], in: folder)
    #expect(first.status == 0 && first.err.isEmpty)
    #expect(first.out.hasPrefix("a/team.csv-site/output: 2 users;"))
    let before = Tree(of: folder.path(of: "a"))
    for (path, place) in [("../a/team.csv", "b"), ("team.csv", "a")] {
      let again = try sitegen(["build", path], in: folder.path(of: place))
      #expect(again.status == 0 && again.err.isEmpty && again.out.contains("0 images rendered"))
    }
    #expect(Tree(of: folder.path(of: "a/team.csv-site/output")).files.count > 5)
    #expect(Tree(of: folder.path(of: "b")).files.count == 1)
    #expect(before.files.keys.contains("team.csv"))
  }

  @Test func `a build prints how it interpreted the data`() throws {
    let folder = TemporaryFolder()
    try folder.write("Full Name;Pet;Role\nAda;Cat;Boss\nBob;;\n", to: "team.csv")
    let list = try sitegen(["build", "team.csv"], in: folder)
    #expect(
      list.out.contains(
        "\n2 people from CSV: name from \"Full Name\"; title from \"Role\"; not used: \"Pet\"\n"))
    #expect(list.err.isEmpty)
    try folder.write("no picture", to: "photos/ada.jpg")
    // A page without a person does not make a folder a list of people.
    try folder.write("About these photos.\n", to: "photos/about.md")
    let photos = try sitegen(["build", "photos"], in: folder)
    #expect(photos.out.contains("\n1 person from pictures\n"))
    // The message omits the line, because the user never saw the generated manifest.
    #expect(photos.err.contains("photos/ada.jpg: users[0].avatar: ") && !photos.err.contains(":5:"))
    #expect(folder.exists("team.csv-site/output") && folder.exists("photos-site/output"))
  }

  /// F44: the message has at most three lines, including its help.
  @Test func `five hundred rows with the same mistake cause only one message`() throws {
    let folder = TemporaryFolder()
    let kinds = [
      ("background", "reddish"), ("link", "no link"), ("avatar", "pics/gone.jpg"),
      ("avatar", "../../outside.jpg"), ("avatar", "color:reddish"), ("avatar", "gihub:ada"),
      ("styles", "none"), ("decorations", "none"), ("focus", "middle"),
      ("title", String(repeating: "x", count: 5_000)),
    ]
    for (number, (key, value)) in kinds.enumerated() {
      let rows = (0..<500).map { "p\($0),Sample Person,\(value)\($0)\n" }
      try folder.write("id,name,\(key)\n" + rows.joined(), to: "\(number).csv")
      let run = try sitegen(["check", "\(number).csv", "--quiet"], in: folder)
      let lines = run.err.split(separator: "\n")
      #expect(run.status == 0 && lines.count <= 3 && run.err.contains("500"), "\(run.err)")
    }
    let rows = (0..<500).map { "p\($0 / 2),Sample \($0)\n" }
    try folder.write("id,name\n" + rows.joined(), to: "ids.csv")
    let run = try sitegen(["check", "ids.csv", "--quiet"], in: folder)
    #expect(run.err.contains("(first of 250) [duplicate-id]\n"), "\(run.err)")
    #expect(run.err.split(separator: "\n").count == 3)
  }

  /// M27: forum members with the same name are kept separate.
  @Test func `a forum export includes all members`() throws {
    let folder = TemporaryFolder()
    try folder.write("user_id,username,avatar\n1,mad-dog,\n2,mad-dog,\n3,ann,\n", to: "forum.csv")
    let run = try sitegen(["build", "forum.csv"], in: folder)
    #expect(run.status == 0 && run.err.isEmpty && run.out.contains("output: 3 users;"))
    let assets = try JSONDecoder().decode(
      AssetsFile.self, from: folder.read("forum.csv-site/output/assets.json"))
    #expect(assets.users.mapValues(\.name) == ["1": "mad-dog", "2": "mad-dog", "3": "ann"])
  }

  /// F43: initials do not count as pictures.
  @Test func `pictures, initials and missing pictures are counted separately`() throws {
    let folder = TemporaryFolder()
    try folder.write("Name;Foto\nAda Lovelace;a.jpg\nGrace Hopper;b.jpg\n", to: "team.csv")
    let none = "pictures: 0 with their own picture, 2 with initials, 0 with neither\n"
    for command in ["check", "build", "build"] {
      #expect(try sitegen([command, "team.csv"], in: folder).out.contains("\n" + none))
    }
    #expect(try sitegen(["init", "--from", "team.csv", "made"], in: folder).status == 0)
    #expect(try sitegen(["build", "made"], in: folder).out.contains("\n" + none))

    let picture = TestPicture.png(width: 64, height: 64) { x, _ in x < 9 ? .red : .blue }
    for name in ["a", "default"] { try folder.write(picture, to: "site/content/\(name).png") }
    try folder.write(
      """
      { "version": 1, "fallback": "default.png", "notices": "off", "users": [
        { "id": "a", "avatar": "a.png" }, { "id": "b" }, { "id": "c", "avatar": "color:#123" },
        { "id": "d", "avatar": "identicon" }, { "id": "e", "avatar": ["gone.png", "initials"] }
      ] }
      """, to: "site/content/manifest.json")
    let words = ["build", "--manifest", "site/content/manifest.json"]
    #expect(
      try sitegen(words, in: folder).out.contains(
        "\npictures: 1 with their own picture, 2 with initials, 2 with neither\n"))
    let json = try sitegen(words + ["--json"], in: folder).out
    #expect(json.contains(#""pictures":{"initials":2,"own":1,"without":2}"#), "\(json)")
  }

  @Test func `a schema file next to pictures is not treated as a list`() throws {
    let folder = TemporaryFolder()
    for name in ["ada", "bob"] {
      try folder.write(TestPicture.png(width: 8, height: 8) { _, _ in .red }, to: "p/\(name).png")
    }
    try folder.write("mine", to: "p/manifest.schema.json")
    #expect(try sitegen(["init", "--from", "p", "p"], in: folder).status == 0)
    #expect(try folder.read("p/manifest.schema.json") == Data("mine".utf8))
    let built = try sitegen(["build", "p"], in: folder)
    #expect(built.status == 0 && built.out.contains("p/output: 2 users;"), "\(built.err)")
  }

  @Test(arguments: [
    ("Team Fotos 2024", "Team Fotos 2024"), ("v1.2", "V1.2"), ("Our Team.csv", "Our Team"),
    ("team.list.json", "Team.list"), (".all-contributorsrc", "All-contributorsrc"),
    ("https://example.org/a/team.json?v=1", "Team"), ("Team/*.yml", "Team"), ("a\u{1}b", "A b"),
    ("_our_people.yml", "Our people"),
  ])
  func `a site without a manifest is named after its data`(path: String, title: String) throws {
    let folder = TemporaryFolder()
    try folder.write("name: Ada\n", to: "Team/a.yml")
    let isFolder = ["Team Fotos 2024", "v1.2", "a\u{1}b"].contains(path)
    if !path.contains("/") { try folder.write("", to: isFolder ? path + "/a.jpg" : path) }
    let isAddress = SiteLocation.isAddress(path)
    let site = try SiteLocation(
      path: isAddress ? path : folder.path(of: path), manifest: nil, command: "build")
    #expect(site.title == title && site.text?.contains("site: { title: \"\(title)\" }\n") == true)
  }

  /// F46: an unquoted or partial path with spaces is recognized.
  @Test func `a partial or unquoted path gets a suggestion`() throws {
    let folder = TemporaryFolder()
    try folder.write("name\nAda Lovelace\n", to: "Team Fotos 2024/team.csv")
    for (words, help) in [
      (["build", "team"], "did you mean `Team Fotos 2024`?"),
      (["build", "Team Fotos 2025"], "did you mean `Team Fotos 2024`?"),
      (["init", "--from", "Team", "x"], "did you mean `Team Fotos 2024`?"),
      (["build", "Team", "Fotos", "2024"], "quote it: sitegen build \"Team Fotos 2024\""),
      (
        ["init", "--from", "Team", "Fotos", "2024", "my site"],
        "quote it: sitegen init --from \"Team Fotos 2024\" \"my site\""
      ), (["build", "nothing"], "specify a site folder"),
    ] {
      let run = try sitegen(words, in: folder)
      #expect(run.status == 2 && run.err.contains("  help: \(help)"), "\(run.err)")
    }
  }

  /// F47: a build ends by printing the page to open and the preview command.
  @Test func `the last line shows the page to open and the preview command`() throws {
    let folder = TemporaryFolder()
    try folder.write("name\nAda Lovelace\n", to: "Our Team.csv")
    let run = try sitegen(["build", "Our Team.csv"], in: folder)
    let last = run.out.split(separator: "\n").last ?? ""
    #expect(
      last.hasPrefix("open Our Team.csv-site/output/index.html, or run: ")
        && last.hasSuffix("sitegen serve \"Our Team.csv\"") && !last.contains("swift run"))
    try folder.write("", to: "Package.swift")
    let second = try sitegen(["build", "Our Team.csv"], in: folder).out
    #expect(second.hasSuffix("or run: swift run sitegen serve \"Our Team.csv\"\n"))
    for words in [["--quiet"], ["--json"], ["--dry-run"]] {
      #expect(try !sitegen(["build", "Our Team.csv"] + words, in: folder).out.contains("open "))
    }
    #expect("it's $5".shellWord == #"'it'\''s $5'"# && "a/b.c".shellWord == "a/b.c")
  }

  /// F48: a site folder that was generated for a list or folder is itself a valid argument.
  @Test(arguments: ["Fotos", "Fotos/*.md", "team.csv"])
  func `a generated site folder is accepted as an argument`(data: String) throws {
    let folder = TemporaryFolder()
    try folder.write("---\nid: ada-lovelace\nname: Ada\n---\n", to: "w/Fotos/ada.md")
    try folder.write("name\nAda Lovelace\n", to: "w/team.csv")
    let site = data == "team.csv" ? "team.csv-site" : "Fotos-site"
    #expect(try sitegen(["build", data], in: folder.path(of: "w")).status == 0)
    for (place, words) in [
      ("", ["w/" + site]), ("w", [site + "/"]), ("w/" + site, []), ("w/" + site, ["."]),
    ] {
      for command in [["verify"], ["check"], ["explain", "--user", "ada-lovelace"], ["build"]] {
        let run = try sitegen(command + words, in: folder.path(of: place))
        #expect(run.status == 0, "\(run.err)")
        if command == ["build"] {
          let isUnchanged = ["0 images rendered", "is up to date"].contains { run.out.contains($0) }
          #expect(isUnchanged, "\(run.out)")
        }
      }
    }
    let equal = try sitegen(["diff", "w/" + site, "w/\(site)/output"], in: folder)
    #expect(equal.status == 0 && equal.out.contains("the sites are identical"))
    // Without its data, a site can only be verified and removed.
    try folder.remove("w/" + (data == "team.csv" ? data : "Fotos"))
    #expect(try sitegen(["verify", "w/" + site], in: folder).status == 0)
    let gone = try sitegen(["build", "w/" + site], in: folder)
    #expect(gone.status == 2 && gone.err.contains("cannot find \"w/"), "\(gone.err)")
    #expect(try sitegen(["clean", "w/" + site], in: folder).status == 0)
    #expect(!folder.exists("w/\(site)/output/index.html"))
  }

  @Test func `a site that uses itself as its data is rejected`() throws {
    let folder = TemporaryFolder()
    try folder.write("name\nAda Lovelace\n", to: "team.csv")
    #expect(try sitegen(["build", "team.csv"], in: folder).status == 0)
    let report = try folder.text(of: "team.csv-site/.sitegen/report.json")
    try folder.write(
      report.replacing("\"team.csv\"", with: "\"team.csv-site\""),
      to: "team.csv-site/.sitegen/report.json")
    #expect(try sitegen(["build", "team.csv-site"], in: folder).status == 2)
  }

  @Test func `one command builds a site for a photo folder, and new photos are detected`() throws {
    let folder = TemporaryFolder()
    let pictures = ["ada-lovelace.jpg", "Grace Hopper.JPEG", "color:red.png", "initials.webp"]
    let photo = try Data(
      contentsOf: Checkout.root.appendingPathComponent("content/avatars/otter.jpg"))
    for name in pictures { try folder.write(photo, to: "photos/" + name) }
    for name in ["README.md", "notes.txt", ".hidden.jpg", "more/x.jpg"] {
      try folder.write(photo, to: "photos/" + name)
    }
    func people() throws -> [String: String] {
      let run = try sitegen(["build", "photos", "--strict"], in: folder)
      #expect(run.status == 0 && run.err.contains("[picture-same]"))
      #expect(!run.err.contains("warning") && !run.err.contains("error"))
      let assets = try JSONDecoder().decode(
        AssetsFile.self, from: folder.read("photos-site/output/assets.json"))
      return assets.users.mapValues(\.name)
    }
    let names: Set = ["Ada Lovelace", "Grace Hopper", "Color:red", "Initials", "X"]
    #expect(Set(try people().values) == names)
    #expect(try folder.text(of: "photos-site/output/tags/index.html").contains("more"))
    #expect(try sitegen(["build", "photos/."], in: folder).out.contains("0 files written"))
    try folder.write(photo, to: "photos/alan-turing.png")
    #expect(try people().count == 6)
    try folder.remove("photos/alan-turing.png")
    #expect(try people().count == 5)
    try folder.write("name\nX\n", to: "photos/team.csv")
    let mixed = try sitegen(["build", "photos"], in: folder)
    #expect(mixed.status == 2 && mixed.err.contains("team.csv") && mixed.err.contains("ada-love"))
    #expect(try folder.read("photos/team.csv") == Data("name\nX\n".utf8))
  }
}
