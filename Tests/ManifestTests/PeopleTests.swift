import SiteSupport
import Testing

/// Lists that were not made for us.
@Suite struct PeopleTests {
  private func text(_ file: String, _ content: String, _ more: String = "") -> ManifestText {
    ManifestText(
      text: "version: 1\nusers:\n  from: \(file)\n\(more)\n", files: [file: content])
  }

  private func users(
    _ file: String, _ content: String, _ more: String = ""
  ) throws -> [User] {
    let text = text(file, content, more)
    return try #require(try text.read().manifest).users
  }

  @Test(arguments: [
    "full_name,photo,role,department,website", "Full Name,Photo,Role,Department,Website",
    "displayName,imageURL,jobTitle,team,homepage", "NAME,headshot,Position,Groups,url",
    "real-name,avatar_url,occupation,category,blog", "name,avatar,title,tags,link",
  ])
  func `the usual names are known`(header: String) throws {
    let row = "Ada Lovelace,ada.jpg,Analyst,Engines,https://example.org"
    let user = try #require(try users("team.csv", "\(header),fax\n\(row),12\n").first)
    #expect(user.id == "ada-lovelace" && user.name == "Ada Lovelace")
    #expect(user.avatars.map(\.kind) == [.file("ada.jpg")])
    #expect(user.title == "Analyst" && user.tags == ["Engines"])
    #expect(user.link == "https://example.org")
  }

  @Test(arguments: [
    (#""github": "ada""#, ["https://github.com/ada"]),
    (
      #""GitHub": "@ada", "twitter": "x.com/ada""#, ["https://github.com/ada", "https://x.com/ada"]
    ),
    (#""mastodon": "@ada@example.org""#, ["https://example.org/@ada"]),
    (#""mastodon": "ada", "orcid": "", "linkedin": "a@b", "github": true"#, []),
    (
      #""social": [{"icon": "github", "link": "https://github.com/a"}, {"link": "mailto:a@b.example"}]"#,
      ["https://github.com/a"]
    ),
    (
      #""links": ["example.org/a", "javascript:x"], "social": {"orcid": "0-1", "web": "b.example"}"#,
      ["https://example.org/a", "https://orcid.org/0-1", "https://b.example"]
    ),
    (#""links": ["https://a.example", "https://a.example"]"#, ["https://a.example"]),
  ])
  func `places on the web are links, and names of accounts too`(
    json: String, links: [String]
  ) throws {
    let user = try #require(try users("team.json", "[{\"name\": \"Ada\", \(json)}]").first)
    #expect(user.links == links)
  }

  @Test func `what people write keeps its lines`() throws {
    let csv = "name,company,bio,twitter\nAda,Engines,\"One \t two\r\n\r\nThree\",\n"
    let user = try #require(try users("team.csv", csv).first)
    #expect(user.organisation == "Engines" && user.title == nil && user.links == [])
    #expect(user.about == "One two\n\nThree")
  }

  @Test func `two names make one, and one is enough`() throws {
    let both = try users("team.csv", "name,surname\nAda,Lovelace\nGrace Hopper,Hopper\nBob,\n")
    #expect(both.map(\.name) == ["Ada Lovelace", "Grace Hopper", "Bob"])
    let csv = "first_name,Last Name,login\nAda,Lovelace,ada\nGrace,,\n,,\n"
    let users = try users("team.csv", csv)
    #expect(users.map(\.name) == ["Ada Lovelace", "Grace"])
    #expect(users.map(\.id) == ["ada", "grace"])
  }

  /// M27: forums and lists of members call the id of a record so.
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

  /// M27: mail addresses are not published, but tell records apart.
  @Test func `records with different mail addresses as ids are different people`() throws {
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

  /// M27: a title or degree beside the first and the last name stays.
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
    ("full_name,first,last", "太郎 山田,山田,太郎", "山田 太郎"),
  ])
  func `a name of several words is complete`(header: String, row: String, name: String) throws {
    #expect(try users("team.csv", "\(header)\n\(row)\n").map(\.name) == [name])
  }

  @Test func `what is named in the manifest is taken before what is usual`() throws {
    let json = """
      [{"name": "no", "who": {"called": "Ada", "at": [{"u": "x/y?"}]}, "file": "a b.jpg",
        "area": ["A", "B"], "kind": "C"}]
      """
    let user = try #require(
      try users(
        "team.json", json,
        """
          fields:
            id: "{who.called | slug}-{nick | default x}"
            name: [nobody, who.called]
            avatar: ["pictures/{file}", "{gone}.png", "https://example.org/{who.at.0.u}.png", initials]
            tags: [area, kind]
            title: "{who.called} of {kind | lower}"
        """
      ).first)
    #expect(user.id == "ada-x" && user.name == "Ada" && user.title == "Ada of c")
    #expect(user.tags == ["A", "B", "C"])
    let sources = user.avatars.map(\.kind.names.source)
    #expect(sources == ["pictures/a b.jpg", "https://example.org/x%2Fy%3F.png", "initials"])
  }

  @Test func `a name in the manifest that no record has is told, with the nearest`() throws {
    let text = text("team.csv", "full,foto\nAda,a.jpg\n", "  fields: { name: full, avatar: fotos }")
    #expect(try text.problems() == ["4:33 users.fields.avatar missing-key (warning)"])
    #expect(try text.read().diagnostics.sorted.first?.help == "did you mean `foto`?")
  }

  @Test(arguments: ["\"{a\"", "\"{}\"", "\"{a | upper}\""])
  func `a template with a flaw is an error where it stands`(template: String) throws {
    let text = text("team.csv", "a\nb\n", "  fields: { name: \(template) }")
    #expect(try text.problems() == ["4:19 users.fields.name bad-text"])
  }

  @Test(arguments: [
    ("team.json", "{\"meta\": {\"n\": 1, \"x\": [1]}, \"people\": [{\"name\": \"Ada\"}]}", ""),
    ("team.json", "{\"a\": {\"b\": [[], [{\"name\": \"Ada\"}]]}}", "  at: a.b.1"),
    ("team.yaml", "ada:\n  name: Ada\n", ""),
    (".all-contributorsrc", "{\"files\": [\"a\"], \"contributors\": [{\"login\": \"ada\"}]}", ""),
    (
      "team.yaml", "team:\n  ada:\n    name: Ada\n  other: { id: gone, name: X, off: yes }\n",
      "  at: team\n  where: { name: [ada, Bob] }"
    ),
    ("team.yaml", "- name: Ada\n  team: true\n", ""),
    ("team.yaml", "- place: A\n  people: [{ name: Ada }]\n- place: B\n", "  at: people"),
  ])
  func `the list is found in its document`(file: String, content: String, more: String) throws {
    let users = try users(file, content, more)
    #expect(users.map(\.id) == ["ada"] && users[0].tags.isEmpty)
  }

  @Test func `a document with several lists, or none, is an error that says what to do`() throws {
    for content in ["{\"a\": [{}], \"b\": [{}]}", "{}", "{\"a\": 1}"] {
      let text = text("team.json", content)
      #expect(try text.problems() == ["content/team.json:1:1 list-expected"])
      #expect(try text.read().diagnostics.sorted.first?.help?.contains("at:") == true)
    }
    let several = text("team.json", "{\"a-b\": [{}], \"b\": [{}]}")
    #expect(try several.read().diagnostics.sorted.first?.note == "there are a-b, b")
    let text = text("team.json", "{\"a\": []}", "  at: b")
    #expect(try text.problems() == ["content/team.json:1:1 list-expected"])
  }

  @Test func `only who is wanted is taken`() throws {
    let json = """
      [{"name": "A", "active": true, "team": ["x", "y"]}, {"name": "B", "active": false},
       {"name": "C", "active": true, "team": "Z"}, {"name": "D", "team": "x"}]
      """
    let all = "  where: { active: true }"
    #expect(try users("team.json", json, all).map(\.name) == ["A", "C"])
    let some = "  where: { active: true, Team: [y, q] }"
    #expect(try users("team.json", json, some).map(\.name) == ["A"])
  }

  /// M29: the first one keeps the plain id.
  @Test func `a namesake takes the next number that is free`() throws {
    let rows = ["Ada,a.jpg", "Ada,b.jpg", "Bob,d.jpg", "Ada,c.jpg"]
    let text = text("team.csv", "name,photo\n" + rows.joined(separator: "\n"))
    #expect(try text.read().manifest?.users.map(\.id) == ["ada", "ada-2", "bob", "ada-3"])
    #expect(
      try text.problems() == [
        "content/team.csv:3:1 users[1].id duplicate-id (warning)",
        "content/team.csv:5:1 users[3].id duplicate-id (warning)",
      ])
    let told = try #require(try text.read().diagnostics.sorted.first)
    #expect(told.message == #"another person has the same id; this one is "ada-2""#)
    // The same record twice is one person.
    #expect(try users("team.csv", "name\nAda\nBob\nAda\n").map(\.name) == ["Ada", "Bob"])
    // A written id is kept, and the same record twice changes nothing.
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
    // Nothing but the mail address differs, which is not published.
    let mails = "name,mail\nAda,a@b.example\nAda,c@d.example\nAda,a@b.example\n"
    #expect(try users("team.csv", mails).map(\.id) == ["ada", "ada-2"])
  }

  /// M29: each list is read with the ids that the one before it has made.
  @Test(arguments: [["Ada,1", "Ada,2", "Ada,3"], ["Ada,3", "Ada,1", "Bob,1", "Ada,2"]])
  func `namesakes keep their ids`(rows: [String]) throws {
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
    // The first leaves, and the others stay as they are; somebody who comes takes the next that is free.
    let rest = try ids(Array(rows.dropFirst()))
    #expect(rest == first.filter { $0.key != rows[0] })
    let after = try ids(["Ada,4"] + rows.dropFirst())
    #expect(after.filter { $0.key != "Ada,4" } == rest && after["Ada,4"] == "ada")
    // An id that a person has is not given to anybody else; a file in disorder says nothing.
    made = "sitegen-ids 1\nzz ada\n\n\(made.split(separator: "\n")[1])"
    #expect(Set(try ids(rows).values).count == rows.count)
    #expect(!made.contains("example"))
  }

  @Test func `one bad value is one warning, and the person stays`() throws {
    let long = String(repeating: "word ", count: 2_000)
    let json = """
      [{"name": " Ada\\t\\n Love\\u0007lace ", "link": "example.org/ada", "color": 1,
        "background": "blurple", "styles": "gone", "title": "\(long)", "avatar": {"src": "a  b.jpg"}},
       {"name": "Bob", "link": "ask Bob", "tags": [{"name": "x"}, null, ""]}]
      """
    let text = text("team.json", json)
    #expect(
      try text.problems().map { String($0.split(separator: " ", maxSplits: 1)[1]) } == [
        "users[0].background bad-color (warning)", "users[0].styles unknown-style (warning)",
        "users[0].title bad-text (warning)", "users[1].link bad-link (warning)",
      ])
    let users = try users("team.json", json)
    #expect(users.map(\.name) == ["Ada Love lace", "Bob"])
    #expect(users.map(\.link) == ["https://example.org/ada", nil])
    #expect(users[0].avatars.map(\.kind) == [.file("a  b.jpg")])
    #expect(users[0].title.map { $0.utf8.count <= 4_096 && $0.hasSuffix("word…") } == true)
    #expect(users[0].background == nil && users[1].tags == ["x"])
  }

  @Test func `one bad row or column costs a warning`() throws {
    let rows = "\"\",name,title,name\n1,Ada,Cook\n2,Bob,Baker,x,y\n3,\"C\"x,Cook,\n4,Dan,Sailor,\n"
    let people = try users("team.csv", rows)
    #expect(people.map(\.name) == ["Ada", "Bob", "Dan"] && people[1].title == "Baker")
    let problems = try text("team.csv", rows).problems()
    #expect(problems.allSatisfy { $0.hasSuffix("(warning)") }, "\(problems)")
    let items = "[{\"name\": \"Ada\"}, null, 5, [], {\"name\": \"Bob\"}]"
    #expect(try users("team.json", items).map(\.name) == ["Ada", "Bob"])
  }

  @Test(arguments: [
    "{\"data\": {\"people\": [{\"name\": \"Ada\"}]}, \"links\": {\"next\": \"x\"}}",
    "{\"data\": {\"items\": [{\"name\": \"Ada\"}]}}", "{\"ada\": {\"name\": \"Ada\"}}",
  ])
  func `the list is found beneath what is wrapped around it`(json: String) throws {
    #expect(try users("team.json", json).map(\.name) == ["Ada"])
  }

  @Test func `mail addresses and keys are no ids, and other lists have their own words`() throws {
    let csv = "username,key,name,focus,background\na@example.org,sk-1,Ada,Machines,10 years\n"
    let people = try users("team.csv", csv)
    #expect(people.map(\.id) == ["ada"])
    #expect(try text("team.csv", csv).problems().allSatisfy { $0.hasSuffix("(note)") })
  }

  @Test func `a value leads into no other folder than its template`() throws {
    let csv = "name,f\nAda,a/b.jpg\nMal,../../secret.jpg\n"
    let more = "  fields: { avatar: \"img/{f}\" }"
    let people = try users("team.csv", csv, more)
    #expect(people.map { $0.avatars.map(\.kind) } == [[.file("img/a/b.jpg")], []])
  }

  @Test func `pictures of a list elsewhere lie beside it`() throws {
    let csv = "name,photo\nAda,p/a.jpg\nMal,/etc/secret.jpg\nMel,../x.jpg\nBob,https://x/b.jpg\n"
    let people = try users("../team/team.csv", csv)
    #expect(people[0].avatars.map(\.kind) == [.file("../team/p/a.jpg")])
    #expect(people[1].avatars.isEmpty && people[2].avatars.isEmpty)
    #expect(people[3].avatars.count == 1)
  }

  @Test func `a long name gives an id that is not too long`() throws {
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
  func `cells with several values are taken apart`(text: String, tags: [String]) throws {
    let user = try #require(try users("team.csv", text).first)
    #expect(user.tags == tags)
    #expect(user.avatars.map(\.kind) == [.file("x, y.jpg"), .file("z.jpg")])
    let two = "  fields: { tags: [Tags, Name] }"
    #expect(try users("team.csv", text, two).first?.tags == tags + ["Ada"])
  }

  @Test func `paths from the root of a site begin where the manifest says`() throws {
    let csv = "name,image\nAda,/img/a.jpg\nBob,b.jpg\n"
    let users = try users("team.csv", csv, "  root: static")
    #expect(users.flatMap { $0.avatars.map(\.kind.names.source) } == ["static/img/a.jpg", "b.jpg"])
  }

  @Test func `ids instead of names are reported`() throws {
    let text = text("team.csv", "nmae,id\nAda,a\n")
    #expect(try text.problems() == ["1:1 users missing-key (warning)"])
    #expect(try users("team.csv", "id,avatar\na,a.jpg\n").map(\.name) == ["a"])
  }
}
