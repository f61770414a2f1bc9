import Diagnostics
import Documents
import TestSupport

struct PeopleSyntaxTests {
  private static let long = String(repeating: "A", count: 2_000)
  @Test(arguments: [
    ("---\nname: Ada\n---\ntext --- {{ x }}\n", "{name: Ada}"),
    ("\u{FEFF}---\r\nname: Ada\r\ntags: [a, b]\r\n---\r\n", "{name: Ada, tags: [a, b]}"),
    ("---  \rname: |\r  a\r   ---\r...", "{name: \"a\n ---\n\"}"),
    ("+++\nname = 'Ada'\n+++\n---", "{name: \"Ada\"}"), ("+++\r\n+++\r\n", "{}"),
    ("---\n---", "{}"), ("---\n# nothing\n\n---\n", "{}"),
  ])
  func `front matter is read as one record`(text: String, tree: String) {
    let reading = Reading(text, .markdown)
    #expect(reading.tree == "[\(tree)]" && reading.faults.isEmpty)
    #expect(records(Array(text.utf8), .markdown) == ["0 \(tree)"])
    // The text after the front matter may contain anything.
    #expect(records(Array(text.utf8) + [0x0A, 0, 0xFF], .markdown) == ["0 \(tree)"])
  }

  @Test(arguments: [
    ("", "front-matter 1:1"), ("# Ada\n", "front-matter 1:1"), ("\n---\n", "front-matter 1:1"),
    ("+++\nname = \"Ada\"\n", "front-matter 1:1"), ("+++\n\nname = Ada\n+++\n", "toml-syntax 3:8"),
    ("---\nname: Ada\n", "front-matter 1:1"),
    ("---\nname: Ada\n  x: y\n---\n", "yaml-syntax 3:4"),
    ("---\n- a\n---\n", "record-not-mapping 2:1"),
    ("---\na: 1\na: 2\n---\n", "duplicate-key 3:1"),
  ])
  func `invalid front matter is reported at its line`(text: String, fault: String) {
    #expect(Reading(text, .markdown).faults == [fault])
  }

  private static let head = "BEGIN:VCARD\r\nVERSION:3.0\r\n"

  @Test(arguments: [
    ("FN:Ada Lovelace", "{name: \"Ada Lovelace\"}"),
    ("N:Lovelace;Ada;King;Countess;", "{name: \"Ada Lovelace\"}"),
    (
      "N:Lovelace;Ada;;;\r\nFN:Ada King\r\nEMAIL:a@x.org",
      "{name: \"Ada King\", email: \"a@x.org\"}"
    ),
    (
      "FN:a@x.org\r\nN:Love\\;lace;Ada\r\nEMAIL:a@x.org",
      "{name: \"Ada Love;lace\", email: \"a@x.org\"}"
    ),
    ("FN:a@x.org\r\nEMAIL:a@x.org", "{email: \"a@x.org\"}"),
    ("FN;CHARSET=UTF-8:Zo\u{EB}\\, \r\n the \r\n\tfirst", "{name: \"Zo\u{EB}, the first\"}"),
    (
      "item1.URL;type=pref:https://x\\:1/\r\nitem1.X-ABLabel:_$!<HomePage>!$_",
      "{url: \"https://x:1/\", x-ablabel: \"_$!<HomePage>!$_\"}"
    ),
    ("URL:a\r\nURL;PREF=1:b", "{url: [\"b\", \"a\"]}"),
    (
      "ORG:Engines\\, Inc.;Cards;\r\nTITLE:Analyst\r\nROLE:x",
      "{organization: \"Engines, Inc.\", title: \"Analyst\", role: \"x\"}"
    ),
    ("CATEGORIES:a,b\\,c", "{categories: [\"a\", \"b,c\"]}"),
    ("UID:urn:uuid:1", "{uid: \"urn:uuid:1\"}"),
    ("NOTE;X=\"a:b;c\":d\\nE", "{note: \"d\nE\"}"),
    ("PHOTO;ENCODING=b;TYPE=JPEG:AAAA\r\n BBBB", "{photo: \"data:image/jpeg;base64,AAAABBBB\"}"),
    ("PHOTO;JPEG;BASE64:\r\n AAAA\r\n BBBB\r\n", "{photo: \"data:image/jpeg;base64,AAAABBBB\"}"),
    ("PHOTO;TYPE=JPEG:\(long)", "{photo: \"data:image/jpeg;base64,\(long)\"}"),
    ("PHOTO:data:image/png;base64\\,AAAA", "{photo: \"data:image/png;base64,AAAA\"}"),
    ("PHOTO;VALUE=uri:https://x/a.jpg", "{photo: \"https://x/a.jpg\"}"),
    ("PHOTO;VALUE=uri:file:///home/a.jpg\r\nLOGO;ENCODING=b:AAAA", "{}"),
    ("PHOTO;VALUE=uri:p/a.jpg", "{photo: \"p/a.jpg\"}"),
    (
      "FN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Zo=C3=AB=\r\n=20M=FCller=3D",
      "{name: \"Zo\u{C3}\u{AB} M\u{FC}ller=\"}"
    ),
    ("FN;QUOTED-PRINTABLE:Zo=C3=AB=\r\n=20M", "{name: \"Zo\u{EB} M\"}"),
  ])
  func `vCard properties are mapped to list column names`(lines: String, tree: String) {
    let text = Self.head + lines + "\r\nEND:VCARD\r\n"
    for text in [text, text.replacing("\r\n", with: "\n"), "\u{FEFF}\r\n" + text] {
      #expect(records(text, .vCard) == ["0 \(tree)"])
      #expect(records(Array(text.utf8), .vCard) == ["0 \(tree)"])
    }
  }

  @Test func `a malformed card causes one warning, and the other cards are read`() throws {
    let good = "BEGIN:VCARD\nFN:Ada\nEND:VCARD\n"
    let text =
      "\(good)BEGIN:VCARD\nFN:open\n\(good)x\ny\n\(good)begin:vcard\nFN:Bob\nno colon\n:\n"
      + "NOTE:\(String(repeating: "x", count: 5_000))\nend:vcard\n"
      + "BEGIN:VCARD\nKIND:group\nFN:All\nEND:VCARD\nBEGIN:VCARD\nFN:cut"
    #expect(
      records(text, .vCard) == [
        "0 {name: \"Ada\"}", "1 broken vcard-syntax 4:1", "2 {name: \"Ada\"}",
        "3 broken vcard-syntax 9:1", "4 {name: \"Ada\"}", "5 {name: \"Bob\"} vcard-syntax 16:1",
        "6 broken vcard-syntax 24:1",
      ])
    let document = try readAll(Array(text.utf8), .vCard)
    #expect(document.problems.allSatisfy { $0.severity == .warning })
    #expect(records("", .vCard) == ["throws document-empty 1:1 the document is empty"])
  }

  @Test func `the value limit applies to cards`() {
    var limits = DocumentLimits()
    limits.nodes = 2
    let text = "BEGIN:VCARD\nFN:A\nA:b\nB:c\nC:d\nEND:VCARD\n"
    #expect(
      records(text, .vCard, limits: limits).last?.hasPrefix("throws document-too-many-values 5:1")
        == true)
  }
}
