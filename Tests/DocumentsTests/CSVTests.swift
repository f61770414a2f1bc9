import Diagnostics
import Documents
import Testing

struct CSVTests {
  @Test(arguments: [
    ("id,name\nada,Ada\n", "[{id: ada, name: Ada}]"),
    ("id,name\nada,Ada", "[{id: ada, name: Ada}]"),
    ("id,name\r\nada,Ada\r\nbob,Bob\r\n", "[{id: ada, name: Ada}, {id: bob, name: Bob}]"),
    ("id,name\rada,Ada\rbob,Bob\r", "[{id: ada, name: Ada}, {id: bob, name: Bob}]"),
    ("id,name\n", "[]"), ("id,name", "[]"),
    ("id,name\n,Ada\nbob,\n,\n", "[{name: Ada}, {id: bob}]"),
    ("id,name\n\"\",Ada\n", "[{name: Ada}]"),
    ("id,name\n\n  \nada,Ada\n\n", "[{id: ada, name: Ada}]"),
    ("\n\nid,name\nada,Ada\n", "[{id: ada, name: Ada}]"),
    ("id\nada\n\nbob", "[{id: ada}, {id: bob}]"),
    ("id,name\nada,\"Ada, Countess\"\n", "[{id: ada, name: Ada, Countess}]"),
    ("id,name\nada,\"say \"\"hi\"\"\"\n", "[{id: ada, name: say \"hi\"}]"),
    ("id,name\nada,\"\"\"\"\n", "[{id: ada, name: \"}]"),
    ("id,name\nada,\"a\r\nb\nc\"\nbob,B\n", "[{id: ada, name: a\r\nb\nc}, {id: bob, name: B}]"),
    ("\"id\",\"na\"\"me\"\n007, x \n", "[{id: 007, na\"me: x}]"),
    ("id,name\nada,\u{E9}\u{1F600}\n", "[{id: ada, name: \u{E9}\u{1F600}}]"),
    ("id,name\nada,null\n", "[{id: ada, name: null}]"),
    ("id,name\nada,a;b|c\td\n", "[{id: ada, name: a;b|c\td}]"),
  ])
  func `rows become mappings that omit empty cells`(text: String, tree: String) {
    let reading = Reading(text, .csv)
    #expect(reading.tree == tree)
    #expect(reading.faults == [])
  }

  @Test func `only tabs separate cells in TSV`() {
    let reading = Reading("id\tname\nada\t\"Ada\t1\"\nbob\tBob, Jr\n", .tsv)
    #expect(reading.tree == "[{id: ada, name: Ada\t1}, {id: bob, name: Bob, Jr}]")
    #expect(reading.faults == [])
  }

  @Test(arguments: [
    ("id;name\nada;Ada, Countess\n", "[{id: ada, name: Ada, Countess}]"),
    ("id\tname\r\nada\tAda;x\r\n", "[{id: ada, name: Ada;x}]"),
    ("id;\"a,b,c\"\nada;x\n", "[{id: ada, a,b,c: x}]"),
    ("id,a;b,c\nada,x,y\n", "[{id: ada, a;b: x, c: y}]"),
    ("id,a;b\nada,x\n", "[{id: ada, a;b: x}]"),
    ("sep=;\r\nid;name\r\nada;Ada\r\n", "[{id: ada, name: Ada}]"),
    ("SEP=|\rid|a,b\rada|x\r", "[{id: ada, a,b: x}]"),
    ("\"sep=\t\"\nid\tname\nada\tAda\n", "[{id: ada, name: Ada}]"),
    ("sep=;", "-"), ("sep=x\nada\n", "[{sep=x: ada}]"), ("sep\n=\n", "[{sep: =}]"),
    (";;;\nid; Full Name ;;\n; ; ;\nada; Ada ;;\n", "[{id: ada, Full Name: Ada}]"),
    ("id,name,,\nada,Ada\nbob,Bob,,,,\n", "[{id: ada, name: Ada}, {id: bob, name: Bob}]"),
  ])
  func `the separator and encoding are detected from the content`(text: String, tree: String) {
    // Neither the file extension nor the encoding determines the separator.
    for syntax in [Syntax.csv, .tsv] where text != "id,a;b\nada,x\n" || syntax == .csv {
      #expect(Reading(text, syntax).tree == tree)
      #expect(Reading("\u{FEFF}" + text, syntax).tree == tree)
      for mark in [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]] {
        let units = text.utf16.flatMap { unit -> [UInt8] in
          let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
          return mark[0] == 0xFF ? bytes : bytes.reversed()
        }
        #expect(Reading(bytes: mark + units, syntax).tree == tree)
        #expect(records(mark + units, syntax) == records(text, syntax))
      }
    }
  }

  @Test func `data in a column without a header is reported`() {
    let reading = Reading("id,\"\"\nada,x\nbob,\n", .csv)
    #expect(reading.tree == "[{id: ada}, {id: bob}]" && reading.faults == ["csv-cell-count 2:5"])
  }

  @Test func `incomplete UTF-16 characters are replaced by U+FFFD`() {
    let text: [UInt8] = [0xFF, 0xFE, 0x61, 0, 0x0A, 0, 0x3D, 0xD8, 0x62, 0, 0x3D, 0xD8, 0x01]
    #expect(records(text, .csv) == ["0 {a: \u{FFFD}b\u{FFFD}\u{FFFD}}"])
  }

  @Test(arguments: [
    ("id,name\nada,\"Ada\" x\nbob,B\n", "csv-quote 2:10"),
    ("id,name\nada,\"x\"y,\"z\nbob,B\n", "csv-quote 2:8"),
    ("id,name\nada,\"Ada\nbob,B\n", "csv-quote-open 2:5"),
    ("id,name\r\nada,\"Ada\r\nbob,B\r\n", "csv-quote-open 2:5"),
    ("id,name\n\"ada,Ada\nbob,B\n", "csv-quote-open 2:1"),
  ])
  func `a malformed row is reported, and the other rows are read`(text: String, fault: String) {
    let reading = Reading(text, .csv)
    #expect(reading.tree == "[{id: bob, name: B}]")
    #expect(reading.faults == [fault])
  }

  @Test(arguments: [
    ("id,name\nada,Ada,x\nbob,B\n", "{id: ada, name: Ada}", ["csv-cell-count 2:9"]),
    ("id,name\nada\nbob,B\n", "{id: ada}", ["csv-cell-count 2:1"]),
    ("id,,name\nada,x,Ada\nbob,,B\n", "{id: ada, name: Ada}", []),
    ("id,name\na\"da,A \"d\" \u{E9}\"\nbob,B\n", "{id: a\"da, name: A \"d\" \u{E9}\"}", []),
    ("# x\nid,name\n# board,\nada,#\nbob,B\n", "{id: ada, name: #}", []),
    ("id,name\n#ada,\nbob,B\n", "{id: #ada}", []),
    ("id,name\n\"# ada\",\nbob,B\n", "{id: # ada}", []),
    ("id,name\n ada,  \"A, D\"\nbob,B\n", "{id: ada, name: A, D}", []),
    ("id,name,id\nada,Ada,x\nbob,B,y\n", "{id: ada, name: Ada}", ["duplicate-key 1:9"]),
  ])
  func `readable cells in a malformed row are kept`(text: String, first: String, faults: [String]) {
    let reading = Reading(text, .csv)
    #expect(reading.tree == "[\(first), {id: bob, name: B}]")
    #expect(reading.faults == faults)
  }

  @Test func `an unclosed quote affects only its own row`() {
    let reading = Reading("id,name\n1,\"Ada\n2,\"Bob\"\n3,Cy\n", .csv)
    #expect(reading.tree == "[{id: 2, name: Bob}, {id: 3, name: Cy}]")
    #expect(reading.faults == ["csv-quote 3:4"])
  }

  @Test(arguments: [
    ("", "document-empty 1:1"),
    ("\n \n", "document-empty 1:1"),
    ("id,\"na\"me\nada,x\n", "csv-quote 1:8"),
    ("id,\"name\nada,x\n", "csv-quote-open 1:4"),
  ])
  func `a table without a valid header row is rejected`(text: String, fault: String) {
    let reading = Reading(text, .csv)
    #expect(reading.tree == "-")
    #expect(reading.faults == [fault])
  }

  @Test func `cells and keys keep their source positions`() throws {
    let text = "\u{FEFF}id,name,title\r\n\"\u{E9}\u{1F600}\na\",,\u{E9}\r\n\nb,\"x\r\ny\",\"z\"\r"
    let document = try readAll(Array(text.utf8), .csv)
    #expect(
      document.root.positions == [
        "[] 1:1", "{} 2:1", "id: 1:1", "\u{E9}\u{1F600}\na 2:1", "title: 1:9", "\u{E9} 3:5",
        "{} 5:1", "id: 1:1", "b 5:1", "name: 1:4", "x\r\ny 5:3", "title: 1:9", "z 6:4",
      ])
  }

  @Test func `a warning about a short row names the missing column`() throws {
    let text = "id,name,title\nada,Ada\n"
    let document = try readAll(Array(text.utf8), .csv)
    #expect(document.problems.map(\.message) == ["the row has 2 cells, but the header has 3"])
    #expect(document.problems.map(\.note) == ["the cell for `title` is missing"])
  }
}
