/// An Excel workbook: XML files stored in a ZIP archive.
package struct TestWorkbook {
  package var files = [
    "xl/workbook.xml":
      "<workbook><sheets><sheet name=\"Old\" state=\"hidden\" r:id=\"r0\"/><sheet name=\"Team\" "
      + "r:id=\"r1\"/><sheet name=\"Gäste\" r:id=\"r2\"/></sheets></workbook>",
    "xl/_rels/workbook.xml.rels":
      "<Relationships>\(relation("r0", "worksheet", "worksheets/sheet3.xml"))"
      + relation("r1", "worksheet", "worksheets/sheet1.xml")
      + relation("r2", "worksheet", "/xl/worksheets/sheet2.xml")
      + relation("r3", "sharedStrings", "sharedStrings.xml") + "</Relationships>",
    "xl/worksheets/sheet2.xml": sheet("<row><c t=\"str\"><v>name</v></c></row>"),
    "xl/worksheets/sheet3.xml": sheet(""),
    "xl/sharedStrings.xml": "<sst/>",
  ]
  package var hasWrongChecksums = false

  package init(_ rows: String, strings: String = "") {
    files["xl/worksheets/sheet1.xml"] = Self.sheet(rows)
    files["xl/sharedStrings.xml"] = "<sst>\(strings)</sst>"
  }

  package static func sheet(_ rows: String) -> String {
    "<?xml version=\"1.0\"?><worksheet><sheetData>\(rows)</sheetData></worksheet>"
  }

  private static func relation(_ id: String, _ kind: String, _ path: String) -> String {
    "<Relationship Id=\"\(id)\" Type=\"http://example.org/\(kind)\" Target=\"\(path)\"/>"
  }

  package var bytes: [UInt8] {
    var (archive, directory): ([UInt8], [UInt8]) = ([], [])
    for (name, text) in files.sorted(by: { $0.key < $1.key }) {
      var header: [UInt8] = []
      for value in [20, 0x800, 0, 0, 0] { header.appendLittle(value, width: 2) }
      header.appendLittle(Zlib.crc32(text.utf8) ^ (hasWrongChecksums ? 1 : 0), width: 4)
      for _ in 0..<2 { header.appendLittle(text.utf8.count, width: 4) }
      for value in [name.utf8.count, 0] { header.appendLittle(value, width: 2) }
      directory += [0x50, 0x4B, 1, 2, 20, 0] + header + [UInt8](repeating: 0, count: 10)
      directory.appendLittle(archive.count, width: 4)
      directory += name.utf8
      archive += [0x50, 0x4B, 3, 4] + header + Array(name.utf8) + Array(text.utf8)
    }
    var end: [UInt8] = [0x50, 0x4B, 5, 6, 0, 0, 0, 0]
    for _ in 0..<2 { end.appendLittle(files.count, width: 2) }
    for value in [directory.count, archive.count] { end.appendLittle(value, width: 4) }
    return archive + directory + end + [0, 0]
  }
}
