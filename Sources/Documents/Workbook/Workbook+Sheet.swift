import Bytes
import Diagnostics

extension Workbook {
  /// Returns the non-empty rows of the named sheet, or of the first visible one, in reverse order.
  ///
  /// If no sheet is named, also returns the names of the other visible sheets.
  static func rows(
    of bytes: [UInt8], sheet: String?, file: String, limits: DocumentLimits
  ) throws(Diagnostic) -> (
    rows: [[CSVRows.Cell]], others: [String], merged: (line: Int, cells: String)?
  ) {
    let book = try Workbook(bytes, file: file, limits: limits)
    try book.read("xl/workbook.xml")
    try book.read("xl/_rels/workbook.xml.rels")
    let ids = Set(book.parts.filter { $0.kind == "worksheet" }.map(\.id))
    let sheets = book.sheets.filter { ids.contains($0.id) }
    let visible = sheets.first { !$0.isHidden } ?? sheets.first
    guard let found = sheet.map({ name in sheets.first { $0.name == name } }) ?? visible else {
      throw book.problem(
        "does not have a sheet\(sheet.map { " " + $0.quoted } ?? "")",
        help: "sheets: \(sheets.prefix(10).map(\.name.quoted).joined(separator: ", "))")
    }
    for part in [
      book.parts.first { $0.kind == "sharedStrings" }, book.parts.first { $0.id == found.id },
    ] { if let part { try book.read(part.path) } }
    let (rows, merged) = (book.rows.filter { !$0.isEmpty }, book.merged)
    book.maxRows = 2
    let others = sheets.filter { other in
      guard sheet == nil, !other.isHidden, other.id != found.id,
        let part = book.parts.first(where: { $0.id == other.id })
      else { return false }
      (book.rows, book.size, book.failure) = ([], (0, 0), nil)
      try? book.read(part.path)
      return book.rows.count { !$0.isEmpty } > 1
    }
    return (rows.reversed(), others.map(\.name), merged)
  }

  func start(_ name: String, _ attributes: [String: String]) {
    guard failure == nil else { return }
    if max(parts.count, sheets.count) > 1_000 { return fail("has more than 1000 sheets or parts") }
    switch name {
    case "Relationship":
      let kind = attributes["Type"]?.split(separator: "/").last ?? ""
      let path = attributes["Target"] ?? ""
      parts.append(
        (
          attributes["Id"] ?? "", kind,
          path.hasPrefix("/") ? String(path.dropFirst()) : "xl/" + path
        ))
    case "sheet":
      let isHidden = attributes["state"].map { $0 != "visible" } ?? false
      sheets.append((attributes["name"] ?? "", isHidden, attributes["id"] ?? ""))
    case "row":
      line = attributes["r"].flatMap { Int($0) } ?? line + 1
      guard 1...1_048_576 ~= line else { return fail("is damaged: it has more than 1048576 rows") }
      column = 0
      rows.append([])
    case "c":
      // A cell without a reference is in the column after the previous cell.
      column = attributes["r"].map(Self.column) ?? column + 1
      size.cells += 1
      if size.cells > limits.nodes { return fail("has too many cells") }
      kind = attributes["t"]
      text.removeAll(keepingCapacity: true)
    case "mergeCell":
      let cells = attributes["ref"] ?? ""
      let lines = cells.split(separator: ":").compactMap { Int($0.drop(while: \.isLetter)) }
      if lines.count == 2, lines[0] < min(lines[1], line), lines[0] > merged?.line ?? 0 {
        merged = (lines[0], String(cells.prefix(24)))
      }
    case "t", "v": keepsText = !isPhonetic
    case "rPh": isPhonetic = true
    default: break
    }
  }

  func end(_ name: String) {
    guard failure == nil else { return }
    switch name {
    case "t", "v": keepsText = false
    case "rPh": isPhonetic = false
    case "si":
      strings.append(takeText().trimmed)
      if strings.count > limits.nodes { fail("has too many strings") }
    case "c":
      let text = value(takeText()).trimmed
      if !text.isEmpty { add(text) }
    case "row":
      if rows.last?.isEmpty == true { rows.removeLast() }
      if rows.count == maxRows { fail("has too many rows") }
    default: break
    }
  }

  private func add(_ text: String) {
    guard 1...16_384 ~= column, var row = rows.popLast() else {
      return fail("is damaged: a cell is beyond column XFD")
    }
    let count = row.count
    guard size.cells + max(0, column - count) <= limits.nodes else {
      return fail("has too many cells")
    }
    while row.count < column {
      let place = Position(line: line, column: row.count + 1)
      row.append(CSVRows.Cell(text: "", position: place))
    }
    row[column - 1].text = text
    rows.append(row)
    // Count the bytes too, because many cells can refer to the same long text.
    size = (size.cells + row.count - count, size.bytes + text.utf8.count)
    if size.bytes > limits.listBytes { fail("has too many cells") }
  }

  /// Returns the text of a cell; a date is returned as a serial number.
  private func value(_ text: String) -> String {
    switch kind {
    case "s":
      if let index = Int(text), strings.indices.contains(index) { return strings[index] }
      if !text.isEmpty { fail("is damaged: the shared string \(text.quoted) is missing") }
      return ""
    case "b": return text == "1" ? "true" : "false"
    case "e": return ""
    case nil, "n":
      // Numbers may be stored as `1E3` or `0.29999999999999999`.
      guard text.contains(where: { ".eE".contains($0) }), let number = Double(text) else {
        return text
      }
      return Int(exactly: number).map { "\($0)" } ?? "\(number)"
    default: return text
    }
  }

  private static func column(of reference: String) -> Int {
    reference.utf8.prefix { $0 > 0x40 }.prefix(4).reduce(0) { $0 * 26 + Int($1 & 0x1F) }
  }

  /// Returns and clears the collected text, without Excel's carriage returns (`_x000D_`).
  private func takeText() -> String {
    defer { text.removeAll(keepingCapacity: true) }
    return String(decoding: text, as: UTF8.self).replacing("_x000D_", with: "")
  }
}
