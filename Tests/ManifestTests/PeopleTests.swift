import SiteSupport

@Suite struct PeopleTests {
  private func text(_ file: String, _ content: String, _ more: String = "") -> ManifestText {
    ManifestText(text: "version: 1\nusers:\n  from: \(file)\n\(more)\n", files: [file: content])
  }

  private func users(_ file: String, _ content: String, _ more: String = "") throws -> [User] {
    let text = text(file, content, more)
    return try #require(try text.read().manifest).users
  }

  /// M27: the usual id headers in exports from forums and member lists are recognized.
  @Test(arguments: ["user_id", "userId", "User ID", "uid", "member_id", "Member-ID", "id_user"])
  func `records with different ids are different people`(header: String) throws {
    let csv = "\(header),username,avatar\n1,mad-dog,\n2,mad-dog,\n3,ann,\n"
    let people = try users("forum.csv", csv)
    #expect(people.map(\.id) == ["1", "2", "3"])
    #expect(people.map(\.name) == ["mad-dog", "mad-dog", "ann"])
    #expect(try text("forum.csv", csv).problems() == [])
    let json = "[{\"\(header)\": 7, \"login\": \"x\"}, {\"\(header)\": 8, \"login\": \"x\"}]"
    #expect(try users("forum.json", json).map(\.id) == ["7", "8"])
  }

  /// M27: email addresses distinguish records but are not published.
  @Test func `records with different email addresses as ids are different people`() throws {
    let csv = "uid,username,role\na@example.org,mad-dog,Admin\nb@example.org,mad-dog,Guest\n"
    let people = try users("forum.csv", csv)
    #expect(people.map(\.title) == ["Admin", "Guest"])
    #expect(people.map(\.name) == ["mad-dog", "mad-dog"] && people[0].id != people[1].id)
    let mails = try users("forum.csv", "user_id,login\n1,a@example.org\n2,b@example.org\n")
    #expect(mails.map(\.name) == ["1", "2"])
    #expect(!"\(people + mails)".contains("@example.org"))
    let slug = try users("forum.csv", "uid,slug,username\na@example.org,ann,mad-dog\n")
    #expect(slug.map(\.id) == ["ann"] && slug.map(\.name) == ["mad-dog"])
  }

  /// M27: a title or degree next to the first and last name stays.
  @Test(arguments: [
    ("name,first,last", "\"Jane Doe, PhD\",Jane,Doe", "Jane Doe, PhD"),
    ("full_name,given_name,family_name", "Dr. Jane Doe,Jane,Doe", "Dr. Jane Doe"),
    ("name,surname", "\"Jane Doe, PhD\",Doe", "Jane Doe, PhD"),
    ("name,surname", "Anna Maria,Rossi", "Anna Maria Rossi"),
    ("name,first,last", "jdoe,Jane,Doe", "Jane Doe"), ("name,first,last", ",Jane,Doe", "Jane Doe"),
    ("name,first,last", "Cher,Cher,", "Cher"), ("name,first,last", ",Jane,", "Jane"),
    ("name,first,last", "\"Doe, Jane (IT)\",Jane,Doe", "Doe, Jane (IT)"),
    ("DisplayName,GivenName,Surname", "\"Doe, Jane (IT)\",Jane,Doe", "Jane Doe"),
    ("DisplayName,GivenName,Surname", "\"Doe, Jane (IT)\",,Doe", "Doe, Jane (IT)"),
    ("displayname,first,last", "Jane Q. Doe-Roe,Jane,Doe", "Jane Q. Doe-Roe"),
    ("realname,first,last", "Dr. ZOE Muller,Zoë,Müller", "Dr. ZOE Muller"),
    ("full_name,first,last", "Janet Doe,Jane,Doe", "Jane Doe"),
    ("full_name,first,last", "Д-р Анна Петрова,Анна,Петрова", "Д-р Анна Петрова"),
    ("full_name,first,last", "太郎 山,太郎,山田", "山田太郎"),
  ])
  func `the most complete name is used`(header: String, row: String, name: String) throws {
    #expect(try users("team.csv", "\(header)\n\(row)\n").map(\.name) == [name])
  }

  @Test(arguments: ["\"{a\"", "\"{}\"", "\"{a | upper}\""])
  func `invalid templates are reported at their position`(template: String) throws {
    let text = text("team.csv", "a\nb\n", "  fields: { name: \(template) }")
    #expect(try text.problems() == ["4:19 users.fields.name bad-text"])
  }

  @Test(arguments: [
    ("team.json", "{\"meta\": {\"n\": 1, \"x\": [1]}, \"people\": [{\"name\": \"Ada\"}]}", ""),
    ("team.json", "{\"a\": {\"b\": [[], [{\"name\": \"Ada\"}]]}}", "  at: a.b.1"),
    ("team.yaml", "ada:\n  name: Ada\n", ""),
    ("a.json", "{\"data\": {\"people\": [{\"name\": \"Ada\"}]}, \"links\": {\"next\": \"x\"}}", ""),
    ("team.json", "{\"data\": {\"items\": [{\"name\": \"Ada\"}]}}", ""),
    (".all-contributorsrc", "{\"files\": [\"a\"], \"contributors\": [{\"login\": \"ada\"}]}", ""),
    (
      "team.yaml", "team:\n  ada:\n    name: Ada\n  other: { id: gone, name: X, off: yes }\n",
      "  at: team\n  where: { name: [ada, Bob] }"
    ),
    ("team.yaml", "- name: Ada\n  team: true\n", ""),
    ("team.yaml", "- place: A\n  people: [{ name: Ada }]\n- place: B\n", "  at: people"),
  ])
  func `a nested list of people is found`(file: String, content: String, more: String) throws {
    let users = try users(file, content, more)
    #expect(users.map(\.id) == ["ada"] && users[0].tags.isEmpty)
  }

  @Test func `a document with several lists or none causes an error with help`() throws {
    for content in ["{\"a\": [{}], \"b\": [{}]}", "{}", "{\"a\": 1}"] {
      let text = text("team.json", content)
      #expect(try text.problems() == ["content/team.json:1:1 list-expected"])
      #expect(try text.read().diagnostics.sorted.first?.help?.contains("at:") == true)
    }
    let several = text("team.json", "{\"a-b\": [{}], \"b\": [{}]}")
    #expect(try several.read().diagnostics.sorted.first?.note == "lists found: a-b, b")
    let text = text("team.json", "{\"a\": []}", "  at: b")
    #expect(try text.problems() == ["content/team.json:1:1 list-expected"])
  }

  /// M29: the first one keeps the plain id.
  @Test func `another person with the same name gets the next free number`() throws {
    let rows = ["Ada,a.jpg", "Ada,b.jpg", "Bob,d.jpg", "Ada,c.jpg"]
    let text = text("team.csv", "name,photo\n" + rows.joined(separator: "\n"))
    #expect(try text.read().manifest?.users.map(\.id) == ["ada", "ada-2", "bob", "ada-3"])
    #expect(
      try text.problems() == [
        "content/team.csv:3:1 users[1].id duplicate-id (warning)",
        "content/team.csv:5:1 users[3].id duplicate-id (warning)",
      ])
    let reported = try #require(try text.read().diagnostics.sorted.first)
    #expect(reported.message == #"another person has the same id; this one gets "ada-2""#)
    // Identical records are one person.
    #expect(try users("team.csv", "name\nAda\nBob\nAda\n").map(\.name) == ["Ada", "Bob"])
    // Explicit ids stay, and an identical record changes nothing.
    let same = try users("team.csv", "name,avatar\nAda,a.jpg\nAda,a.jpg\n")
    #expect(same.map(\.id) == ["ada"])
    let written = try users("team.csv", "name,avatar,id\nAda,a.jpg,\nAda,b.jpg,\nBob,c.jpg,ada\n")
    #expect(written.map(\.name) == ["Ada", "Ada", "Bob"] && written[2].id == "ada")
    #expect(written.map(\.id) == ["ada-2", "ada-3", "ada"])
    let taken = "name,avatar,id\nAda,a.jpg,\nMal,c.jpg,ada-2\nAda,b.jpg,\n"
    #expect(try users("team.csv", taken).map(\.id) == ["ada", "ada-2", "ada-3"])
    #expect(
      try users("team.csv", "name,id\nAda,\nBob,ada\nCy,ada\n").map(\.id)
        == ["ada-2", "ada", "ada-3"])
    // Only the mail addresses differ, and they are not published.
    let mails = "name,mail\nAda,a@b.example\nAda,c@d.example\nAda,a@b.example\n"
    #expect(try users("team.csv", mails).map(\.id) == ["ada", "ada-2"])
  }

  /// M29: each list is read with the ids from the previous one.
  @Test(arguments: [["Ada,1", "Ada,2", "Ada,3"], ["Ada,3", "Ada,1", "Bob,1", "Ada,2"]])
  func `people with the same name keep their ids`(rows: [String]) throws {
    var made = ""
    func ids(_ rows: [String]) throws -> [String: String] {
      var text = text("team.csv", "name,mail\n" + rows.map { "\($0)@b.example\n" }.joined())
      text.madeIDs = made
      let users = try #require(try text.read().manifest).users
      made = try #require(MadeIDs.text(of: users))
      return Dictionary(uniqueKeysWithValues: zip(rows, users.map(\.id)))
    }
    let first = try ids(rows)
    #expect(try ids(rows.reversed()) == first)
    // If the first person leaves, the others keep their ids. A new person gets the next free one.
    let rest = try ids(Array(rows.dropFirst()))
    #expect(rest == first.filter { $0.key != rows[0] })
    let after = try ids(["Ada,4"] + rows.dropFirst())
    #expect(after.filter { $0.key != "Ada,4" } == rest && after["Ada,4"] == "ada")
    // Ids in use are not assigned to other people; a damaged file is ignored.
    made = "sitegen-ids 1\nzz ada\n\n\(made.split(separator: "\n")[1])"
    #expect(Set(try ids(rows).values).count == rows.count)
    #expect(!made.contains("example"))
  }

  @Test func `email addresses and keys are not used as ids`() throws {
    let csv = "username,key,name,focus,background\na@example.org,sk-1,Ada,Machines,10 years\n"
    let people = try users("team.csv", csv)
    #expect(people.map(\.id) == ["ada"])
    #expect(try text("team.csv", csv).problems().allSatisfy { $0.hasSuffix("(note)") })
  }

  @Test func `a long text is truncated between words`() throws {
    let text = text("team.csv", "name,title\nAda,\(String(repeating: "word ", count: 2_000))\n")
    #expect(try text.problems() == ["content/team.csv:2:5 users[0].title bad-text (warning)"])
    let title = try text.read().manifest?.users.first?.title
    #expect(title.map { $0.utf8.count <= 4_096 && $0.hasSuffix("word…") } == true)
  }

  @Test func `long names produce ids within the limit`() throws {
    for letter in ["a", "字", "👨‍👩‍👧"] {
      let users = try users("team.csv", "name\n\(String(repeating: letter, count: 3_000))\n")
      #expect(users.count == 1 && users[0].id.utf8.count <= 200 && !users[0].id.isEmpty)
    }
  }

  @Test(arguments: [
    ("Name,Tags,Photo\nAda,\"a, b;c|d\",\"x, y.jpg|z.jpg\"\n", ["a, b", "c", "d"]),
    ("Name;Tags;Photo\nAda;a, b|c,d ,;x, y.jpg|z.jpg\n", ["a", "b", "c", "d"]),
    ("Name;Tags;Photo\nAda;\"a; b,c\";\"x, y.jpg;z.jpg\"\n", ["a", "b", "c"]),
    ("Name\tTags\tPhoto\nAda\ta, b;c\tx, y.jpg;z.jpg\n", ["a, b", "c"]),
  ])
  func `cells with several values are split`(text: String, tags: [String]) throws {
    let user = try #require(try users("team.csv", text).first)
    #expect(user.tags == tags)
    #expect(user.avatars.map(\.kind) == [.file("x, y.jpg"), .file("z.jpg")])
    let two = "  fields: { tags: [Tags, Name] }"
    #expect(try users("team.csv", text, two).first?.tags == tags + ["Ada"])
  }
}
