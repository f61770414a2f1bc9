import Diagnostics
import Documents
import TestSupport

struct WorkbookTests {
  private static let header =
    "<row r=\"1\"><c r=\"A1\" t=\"str\"><v>id</v></c><c r=\"B1\" t=\"str\"><v>name</v></c></row>"

  private func text(_ text: String) -> String { "<c t=\"inlineStr\"><is>\(text)</is></c>" }

  private func read(
    _ book: TestWorkbook, sheet: String? = nil, limits: DocumentLimits = .standard
  ) throws(Diagnostic) -> [String] {
    try read(book.bytes, sheet: sheet, limits: limits)
  }

  private func read(
    _ bytes: [UInt8], sheet: String? = nil, limits: DocumentLimits = .standard
  ) throws(Diagnostic) -> [String] {
    var reader = try RecordReader(
      bytes, syntax: .xlsx, file: "a.xlsx", sheet: sheet, limits: limits)
    var rows: [String] = []
    while let record = try reader.next() {
      rows.append(([record.node.tree] + record.problems.map(\.fault)).joined(separator: " "))
    }
    return rows
  }

  private func message(_ bytes: [UInt8], limits: DocumentLimits = .standard) -> String? {
    do throws(Diagnostic) {
      return "read: \(try read(bytes, limits: limits))"
    } catch {
      return error.message
    }
  }

  @Test func `cells of every type are read as text`() throws {
    let strings =
      "<si><t>Zoë &amp; Co</t></si><si><r><t xml:space=\"preserve\">Sample </t></r><r><rPr/><t>Otter</t></r></si>"
      + "<si><t>山田</t><rPh sb=\"0\"><t>ヤマダ</t></rPh></si><si><t>a_x000D_\nb</t></si>"
    let cells: [(cell: String, value: String)] = [
      ("<c t=\"s\"><v>0</v></c>", "Zoë & Co"), ("<c t=\"s\"><v>1</v></c>", "Sample Otter"),
      ("<c t=\"s\"><v>2</v></c>", "山田"), ("<c t=\"s\"><v>3</v></c>", "a\nb"),
      (text("<t> 007 </t>"), "007"), (text("<r><t>a</t></r><r><t>b</t></r>"), "ab"),
      ("<c><v>12</v></c>", "12"), ("<c t=\"n\"><v>12.0</v></c>", "12"),
      ("<c><v>1.5E3</v></c>", "1500"), ("<c><v>0.30000000000000004</v></c>", "0.30000000000000004"),
      ("<c><v>0.29999999999999999</v></c>", "0.3"), ("<c><v>491701234567</v></c>", "491701234567"),
      ("<c><v>-2.5</v></c>", "-2.5"), ("<c><v>45000</v></c>", "45000"),
      ("<c t=\"d\"><v>2024-05-01</v></c>", "2024-05-01"),
      ("<c t=\"b\"><v>1</v></c>", "true"), ("<c t=\"b\"><v>0</v></c>", "false"),
      ("<c t=\"str\"><f>A1&amp;\".jpg\"</f><v>a.jpg</v></c>", "a.jpg"),
      ("<c><f>1+1</f><v>2</v></c>", "2"),
    ]
    let rows = cells.map { "<row><c t=\"str\"><v>x</v></c>\($0.cell)</row>" }.joined()
    let read = try read(TestWorkbook(Self.header + rows, strings: strings))
    #expect(read == cells.map { "{id: x, name: \($0.value)}" })
  }

  @Test func `cell references determine rows and columns`() throws {
    let rows =
      "<row r=\"3\"><c r=\"B3\" t=\"str\"><v>b</v></c><c r=\"A3\" t=\"str\"><v>a</v></c></row>"
      + "<row r=\"4\"/><row><c/><c t=\"str\"><v>next</v></c></row>"
      + "<row r=\"7\"><c r=\"A7\" t=\"e\"><v>#N/A</v></c><c r=\"B7\"/><c r=\"C7\"><v>1</v></c></row>"
      + "<row r=\"1048576\"><c r=\"A1048576\"><v>9</v></c></row>"
    #expect(
      try read(TestWorkbook(Self.header + rows)) == [
        "{id: a, name: b}", "{name: next}", "{}", "{id: 9}",
      ])
    var reader = try RecordReader(
      TestWorkbook(Self.header + rows).bytes, syntax: .xlsx, file: "a.xlsx")
    var places: [String] = []
    while let record = try reader.next() {
      guard case .mapping(let entries) = record.node.content else { continue }
      places.append(
        ([record.node.position] + entries.map(\.value.position)).map(\.description)
          .joined(separator: " "))
    }
    #expect(places == ["3:1 3:1 3:2", "5:1 5:2", "7:1", "1048576:1 1048576:1"])
  }

  /// Some programs prefix all element names, and name the parts differently.
  @Test func `XML namespace prefixes and absolute paths are accepted`() throws {
    var book = TestWorkbook("")
    book.files["xl/worksheets/sheet1.xml"] =
      "<x:worksheet xmlns:x=\"y\"><x:row><x:c t=\"str\"><x:v>id</x:v></x:c></x:row><x:row><x:c><x:v>7"
      + "</x:v></x:c></x:row></x:worksheet>"
    #expect(try read(book) == ["{id: 7}"])
    book.files["xl/worksheets/sheet2.xml"] = TestWorkbook.sheet(
      "<row><c t=\"str\"><v>a</v></c></row><row><c><v>1</v></c></row>")
    #expect(try read(book, sheet: "Gäste") == ["{a: 1}"])
    let others = { (sheet: String?) throws(Diagnostic) in
      try RecordReader(book.bytes, syntax: .xlsx, file: "a.xlsx", sheet: sheet).otherSheets
    }
    #expect(try others(nil) == ["Gäste"] && others("Gäste") == [])
    book.files["xl/worksheets/sheet2.xml"] = TestWorkbook.sheet(
      "<row><c t=\"str\"><v>a</v></c></row>")
    #expect(try RecordReader(book.bytes, syntax: .xlsx, file: "a.xlsx").otherSheets == [])
  }

  @Test func `the error about a missing sheet lists the existing sheets`() {
    let error = #expect(throws: Diagnostic.self) { try read(TestWorkbook(""), sheet: "People") }
    #expect(error?.message == "the workbook does not have a sheet \"People\"")
    #expect(error?.help == "sheets: \"Old\", \"Team\", \"Gäste\"")
  }

  @Test func `problems in the header are reported with their position in the sheet`() throws {
    let again = "<row r=\"4\"><c t=\"str\"><v>id</v></c><c t=\"str\"><v>id</v></c></row>"
    let rows = "<row r=\"9\"><c><v>1</v></c></row>"
    #expect(try read(TestWorkbook(again + rows)) == ["{id: 1} duplicate-key 4:2"])
    #expect(message(TestWorkbook("").bytes) == "the document is empty")
  }

  /// Checks rows beyond the last possible row, nested rows, and thousands of very wide rows.
  @Test func `the limits on rows, cells and sheets are enforced`() throws {
    let last = "<row r=\"9223372036854775807\"/><row/>"
    #expect(message(TestWorkbook(last).bytes)?.contains("more than 1048576 rows") == true)
    let nested = "<row><row><c t=\"str\"><v>id</v></c></row></row><row><c><v>1</v></c></row>"
    #expect(try read(TestWorkbook(nested)) == ["{id: 1}"])
    let wide = String(repeating: "<row><c r=\"XFD1\"><v>1</v></c></row>", count: 20_000)
    #expect(message(TestWorkbook(wide).bytes)?.contains("too many cells") == true)
    let sheets = String(repeating: "<sheet/>", count: 2_000)
    var book = TestWorkbook("")
    book.files["xl/workbook.xml"] = "<workbook>\(sheets)</workbook>"
    #expect(message(book.bytes)?.contains("more than 1000 sheets") == true)
  }

  @Test func `encrypted, damaged and foreign files are rejected`() {
    let ole: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0] + [UInt8](repeating: 0, count: 600)
    let encrypted = ole + "EncryptedPackage".utf16.flatMap { [UInt8($0), 0] }
    #expect(message(encrypted) == "the workbook is password-protected")
    #expect(message(ole) == "the workbook is not an .xlsx file")
    #expect(message(Array("name\nAda\n".utf8)) == "the workbook is not an .xlsx file")
    var book = TestWorkbook(Self.header)
    book.files["xl/workbook.xml"] = nil
    #expect(message(book.bytes) == "the workbook is damaged: \"xl/workbook.xml\" is missing")
    book = TestWorkbook(Self.header)
    book.hasWrongChecksums = true
    #expect(message(book.bytes) == "the workbook is damaged: cannot inflate \"xl/workbook.xml\"")
  }

  // The sheets are not test arguments, because arguments of many megabytes would be printed.
  @Test func `a hostile sheet is rejected`() {
    let sheets = [
      ("<row r=\"2\"><c r=\"XFE2\"><v>1</v></c></row>", "is damaged: a cell is beyond"),
      ("<row r=\"1048577\"><c r=\"A9\"><v>1</v></c></row>", "is damaged: it has more than"),
      ("<row r=\"-1\"><c><v>1</v></c></row>", "is damaged: it has more than"),
      ("<row><c r=\"ABCDEFGHIJKLMNOP9\"><v>1</v></c></row>", "is damaged: a cell is beyond"),
      ("<row><c t=\"s\"><v>7</v></c></row>", "is damaged: the shared string \"7\" is missing"),
      ("<row><c t=\"str\"><v>&lol;</v></c></row>", "is damaged: cannot parse"),
      ("<row><c>", "is damaged: cannot parse"),
      ("<row a=\"" + String(repeating: "x", count: 9 << 20) + "\"/>", "is damaged: cannot parse"),
      (String(repeating: "<a>", count: 200_000), "is damaged: cannot parse"),
      ((0..<200_000).map { "<a\($0)/>" }.joined(), "is damaged: cannot parse"),
      (
        "<row><c t=\"str\"><v>" + String(repeating: "x", count: 3 << 20) + "</v></c></row>",
        "contains text that is too long"
      ),
      (String(repeating: "<row><c r=\"XFD1\"><v>1</v></c></row>", count: 8), "has too many cells"),
      (String(repeating: "<row r=\"1\"/>", count: 3 << 19), "inflates to over 16777216 bytes"),
    ]
    var limits = DocumentLimits()
    limits.nodes = 100_000
    limits.listBytes = 16 << 20
    for (rows, words) in sheets {
      let message = message(TestWorkbook(Self.header + rows).bytes, limits: limits)
      #expect(message?.hasPrefix("the workbook \(words)") == true, "\(message?.prefix(200) ?? "")")
    }
  }

  /// A document type can declare entities, and ten entities can expand to gigabytes.
  @Test func `a DOCTYPE in a workbook is rejected`() {
    var book = TestWorkbook("")
    book.files["xl/worksheets/sheet1.xml"] =
      "<!DOCTYPE a [<!ENTITY a \"\(String(repeating: "x", count: 1000))\">]>"
      + TestWorkbook.sheet("<row><c t=\"str\"><v>&a;</v></c></row>")
    #expect(message(book.bytes) == "the workbook is rejected: it contains a DOCTYPE")
  }

  @Test func `a long shared string repeated in many cells is rejected`() {
    var limits = DocumentLimits()
    limits.listBytes = 1 << 20
    let rows = "<row>" + String(repeating: "<c t=\"s\"><v>0</v></c>", count: 1000) + "</row>"
    let text = "<si><t>\(String(repeating: "y", count: 4000))</t></si>"
    let book = TestWorkbook(rows, strings: text)
    #expect(message(book.bytes, limits: limits) == "the workbook has too many cells")
    limits.bytes = 100
    #expect(message(book.bytes, limits: limits) == "the workbook is larger than 100 bytes")
  }

  @Test func `a workbook truncated at any byte is rejected`() throws {
    let bytes = TestWorkbook(Self.header).bytes
    #expect(try read(bytes) == [])
    for count in 0..<bytes.count {
      #expect(throws: Diagnostic.self) { try read(Array(bytes[..<count])) }
    }
  }
}
