import Bytes
import Diagnostics
import Documents

/// The people in a file; table rows such as headings and totals are omitted.
struct ListFile {
  let path: String
  let name: String
  private(set) var isTabular = false
  private(set) var hasSemicolons = false
  /// The file as a page; nil unless the file describes one person.
  var page: Page?
  /// Whether the file is not about a person, such as CONTRIBUTING.md in a folder of people.
  private(set) var isOther = false
  /// The list's folder, if it is outside the manifest's folder.
  var outside: String?
  var rows: [(number: Int, node: Node)] = []
  private(set) var at: String?
  /// For each kind of table row, the number of rows and the location of the first.
  private(set) var readAs: [RowKind: (count: Int, first: String)] = [:]

  enum RowKind: String, CaseIterable {
    case header, comment, heading, total
    /// A person with only a name, or an unrecognized heading.
    case onlyName = "row with only a name"

    var plural: String { self == .onlyName ? "rows with only a name" : rawValue + "s" }
  }

  /// Adds a person for the picture; its folders below `base` become the person's tags.
  mutating func addPicture(below base: String, _ count: inout Int) {
    page = Page(path: path, isMarkdown: false, isPicture: true)
    let folders = path.hasPrefix(base) ? path.dropFirst(base.count).split(separator: "/") : []
    var entries: [Entry] = []
    // `./` keeps a file name that contains a colon from being parsed as a scheme.
    entries.add([.text("./" + path, at: .wholeFile)], for: .avatar)
    entries.add(folders.dropLast().map { .text(String($0), at: .wholeFile) }, for: .tags)
    rows = [(count, Node(.mapping(entries), at: .wholeFile))]
    count += 1
  }

  /// Adds a file's rows up to the first fatal error; `count` is the number of the next row.
  mutating func read(
    _ bytes: [UInt8], _ syntax: Syntax, _ wanted: PersonFields, isOneOfMany: Bool,
    _ count: inout Int, _ diagnostics: inout Diagnostics
  ) {
    let isPage = syntax == .markdown
    if isPage { page = Page(path: path, isMarkdown: true) }
    isTabular = [.csv, .tsv, .xlsx].contains(syntax)
    isOther = isPage && isOneOfMany && !bytes.prefix(8).contains { "-+".utf8.contains($0) }
    if isOther { return }
    do throws(Diagnostic) {
      if [.json, .yaml, .toml].contains(syntax) {
        let document = try Document(reading: bytes, syntax: syntax, file: name, limits: .people)
        for var problem in document.problems {
          problem.severity = .warning
          diagnostics.add(problem)
        }
        if isOneOfMany, wanted.at == nil, document.root.isMapping {
          page = Page(path: path, isMarkdown: false)
        }
        let people = try document.people(at: wanted.at, isOne: isOneOfMany)
        at = people.at
        report("lists", people.others, help: people.help, &diagnostics)
        for node in people.records {
          rows.append((count, node.namedRecord ?? node))
          count += 1
        }
        return
      }
      var records = try RecordReader(
        bytes, syntax: syntax, file: name, sheet: wanted.sheet, limits: .people,
        headerScore: ColumnNames.score)
      let sheet = records.otherSheets.first?.typed ?? ""
      report(
        "sheets", records.otherSheets, help: "to read another, set sheet: \(sheet) in the manifest",
        &diagnostics)
      var group: Node?
      // The previous row, if it contains only a name.
      var loneName: Node?
      while let record = try records.next() {
        hasSemicolons = record.cellSeparator == UInt8(ascii: ";")
        let kind = kind(of: record)
        if let row = loneName {
          // `Postdoc,,` above a repeated header or the category `postdocs` is a heading.
          let isHeading = kind == .header || record.node.hasGroup(like: row)
          if kind == .header { group = row.entries?.first?.value }
          note(isHeading ? .heading : .onlyName, row)
          if isHeading, rows.last?.number == count - 1 {
            rows.removeLast()
            count -= 1
          }
        }
        loneName = kind == .onlyName ? record.node : nil
        if let kind, kind != .onlyName { note(kind, record.node) }
        if kind == .heading { group = record.node.entries?.first?.value }
        guard kind == nil || kind == .onlyName else { continue }
        let named = record.node.namedRecord
        for var problem in named == nil ? record.problems : [] {
          problem.path = "users[\(count)]"
          problem.severity = .warning
          diagnostics.add(problem)
        }
        if let node = record.isBroken ? named : record.node {
          rows.append((count, group.map(node.inGroup) ?? node))
        }
        count += 1
      }
      if let loneName { note(.onlyName, loneName) }
      if let merged = records.merged, let first = rows.first,
        merged.line >= first.node.position.line
      {
        note(
          "cells are merged across several rows, such as \(merged.cells)",
          help: "in Excel, unmerge them and fill down: only the first row contains the text",
          &diagnostics)
      }
      // Record where the header ends, because it may follow titles and span two rows.
      let cells = isTabular ? rows.first?.node.entries?.filter { $0.key != "group" } ?? [] : []
      let line = cells.map(\.keyPosition.line).max() ?? 1
      if line > 1, let header = cells.first(where: { $0.keyPosition.line == line }) {
        note(.header, .text(header.key, at: header.keyPosition))
      }
      if isTabular, let last = rows.last?.node, last.isTotal {
        note(.total, last)
        rows.removeLast()
      }
      if isPage, isOneOfMany, wanted.rules.isEmpty { isOther = !rows.contains { $0.node.isPerson } }
    } catch {
      var error = error
      if isOneOfMany || isPage { error.severity = .warning }
      diagnostics.add(error)
    }
  }

  /// Classifies a table row, or returns nil for a person with several cells.
  private func kind(of record: RecordReader.Record) -> RowKind? {
    guard isTabular, let entries = record.node.entries, let first = entries.first else {
      return nil
    }
    if record.isComment { return .comment }
    // Concatenated tables repeat the header.
    if entries.count > 1, entries.allSatisfy({ $0.value.text == $0.key }) { return .header }
    let isID = ColumnNames.usual[.id]?.contains(ValuePath.plain(first.key)) == true
    guard record.hasOnlyFirstCell, !isID else { return nil }
    // A heading such as `Board,,` above the members of the board.
    if first.value.text.map(ColumnNames.isGroup) == true { return .heading }
    return record.node.isTotal ? nil : .onlyName
  }

  private mutating func note(_ kind: RowKind, _ row: Node) {
    let text = row.text ?? row.entries?.first?.value.text ?? ""
    readAs[kind, default: (0, "\(name):\(row.position.line) \(text.quoted)")].count += 1
  }

  private func report(
    _ kind: String, _ others: [String], help: String?, _ diagnostics: inout Diagnostics
  ) {
    let names = others.prefix(12).map(\.quoted).joined(separator: ", ")
    if !others.isEmpty { note("unused \(kind): \(names)", help: help, &diagnostics) }
  }

  private func note(_ message: String, help: String?, _ diagnostics: inout Diagnostics) {
    let start = FileLocation(file: name, position: Position(line: 1, column: 1))
    diagnostics.add(Diagnostic(.note, .usersGuess, message, at: start, help: help))
  }
}

struct Page {
  let path: String
  let isMarkdown: Bool
  var isPicture = false
  /// The picture next to the page, used if the page does not specify one.
  var besides: String?

  /// The person's name from the file name; hyphens become spaces if they are the only separators.
  var displayName: String {
    let mark: Character = name.contains(" ") ? " " : name.contains("_") ? "_" : "-"
    var words = name.split { $0 == mark || $0 == "_" || $0 == " " }.map(String.init)
    while words.count > 1, words.last.map(Self.isLeftOver) == true { words.removeLast() }
    // Remove prefixes, such as `01` in `01_Ada` and `Portrait` in `Portrait Ada`.
    while words.count > 1, words[0].allSatisfy(\.isNumber) || Self.isLeftOver(words[0]) {
      words.removeFirst()
    }
    let parts = words.enumerated().map { number, word in
      number > 0 && number < words.count - 1 && ColumnNames.all("particle").contains(word)
        ? word
        : word.split(separator: "-", omittingEmptySubsequences: false)
          .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
    }
    let name = parts.joined(separator: " ")
    return name.unswappedName ?? name
  }

  /// Returns whether a word, such as `(2)`, `v2` or `800x600`, is not part of the person's name.
  private static func isLeftOver(_ word: String) -> Bool {
    let word = word.lowercased()
    return word.wholeMatch(of: /\(\d+\)|v\d+|\d+x\d+|\d+px|-+/) != nil
      || ColumnNames.all("file").contains(word)
  }

  var isUnnamed: Bool {
    name.wholeMatch(
      of:
        /(?i:(img|dsc[a-z]?|_?mg|pxl|wp|cimg|gopr|p|image|photo|picture|screenshot|scan|bild|foto|unnamed|download)?[-_ ]*\d[-_ \d().e]*|[0-9a-f-]{16,}|img|image|photo|unnamed|download)/
    ) != nil
  }

  /// Whether the page represents its folder, as a Hugo bundle does.
  var isBundle: Bool { isMarkdown && parts(of: path).name.isBundle }

  /// The file name without its extension, or the folder name of a bundle.
  var name: String {
    var (folder, name) = parts(of: path)
    if isBundle, !folder.isEmpty {
      folder.removeLast()
      return parts(of: folder).name
    }
    return name.stem
  }
}

extension Syntax {
  init?(fileName: String) {
    let ending = fileName.lastIndex(of: ".").map { fileName[$0...].dropFirst() } ?? ""
    self.init(fileExtension: fileName.repository == nil ? String(ending) : "jsonl")
  }

  var name: String {
    switch self {
    case .jsonLines: "JSON lines"
    case .markdown: "Markdown"
    case .vCard: "vCards"
    default: "\(self)".uppercased()
    }
  }

  init(sniffing bytes: [UInt8]) {
    let start = bytes.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    if let first = start.first, "[{".utf8.contains(first) {
      self = .json
    } else if start.starts(with: "BEGIN:VCARD".utf8) {
      self = .vCard
    } else if start.starts(with: "PK".utf8) || start.first == 0xD0 {
      self = .xlsx
    } else {
      self = start.starts(with: "---".utf8) || start.starts(with: "- ".utf8) ? .yaml : .csv
    }
  }
}

extension DocumentLimits {
  static var people: DocumentLimits {
    var limits = DocumentLimits.standard
    limits.scalarBytes = 64 << 10
    return limits
  }
}

extension Node {
  /// Returns whether one of the row's tags is the heading's text, ignoring a plural `s`.
  fileprivate func hasGroup(like heading: Node) -> Bool {
    let text = heading.entries?.first?.value.text.map(ValuePath.plain) ?? ""
    return entries?.contains { entry in
      let tag = ValuePath.plain(entry.value.text ?? "")
      return ColumnNames.all("tags").contains(ValuePath.plain(entry.key))
        && text.count > 2 && (tag == text || tag == text + "s" || text == tag + "s")
    } == true
  }

  fileprivate var isTotal: Bool {
    entries?.first?.value.text?.trimmed.isTotal == true
      && entries?.dropFirst().contains {
        $0.key != "group" && $0.value.text?.contains(where: \.isLetter) == true
      } == false
  }
}
