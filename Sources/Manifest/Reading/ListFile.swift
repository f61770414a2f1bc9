import Bytes
import Diagnostics
import Documents

struct ListFile {
  /// Relative to the manifest.
  let path: String
  let name: String
  private(set) var isTabular = false
  private(set) var hasSemicolons = false
  /// Non-nil if the file describes one person.
  var page: Page?
  /// Whether the page is not a person, such as CONTRIBUTING.md in a folder of people.
  private(set) var isOther = false
  /// The folder of a list that is outside the manifest's folder.
  var outside: String?
  var rows: [(number: Int, node: Node)] = []

  /// Adds a person for a picture; the folders below `base` become tags.
  mutating func addPicture(below base: String, _ count: inout Int) {
    page = Page(path: path, isMarkdown: false, isPicture: true)
    let folders = path.hasPrefix(base) ? path.dropFirst(base.count).split(separator: "/") : []
    var entries: [Entry] = []
    // `./` protects file names with a colon, which would otherwise be parsed as a scheme.
    entries.add([.text("./" + path, at: .wholeFile)], for: .avatar)
    entries.add(folders.dropLast().map { .text(String($0), at: .wholeFile) }, for: .tags)
    rows = [(count, Node(.mapping(entries), at: .wholeFile))]
    count += 1
  }

  /// Adds the rows of a file up to the first fatal error; `count` is the next row number.
  mutating func read(
    _ bytes: [UInt8], _ syntax: Syntax, _ wanted: PersonFields, isOneOfMany: Bool,
    _ count: inout Int, _ diagnostics: inout Diagnostics
  ) {
    let isPage = syntax == .markdown
    if isPage { page = Page(path: path, isMarkdown: true) }
    isTabular = [.csv, .tsv, .xlsx].contains(syntax)
    // Skip Markdown files without front matter.
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
        let others = wanted.at == nil ? document.root.otherLists : []
        report(others, "lists", "at", help: "; to use all, set at: \"*\"", &diagnostics)
        for node in try document.people(at: wanted.at, isOne: isOneOfMany) {
          rows.append((count, node.namedRecord ?? node))
          count += 1
        }
        return
      }
      var records = try RecordReader(
        bytes, syntax: syntax, file: name, sheet: wanted.sheet, limits: .people,
        headerScore: ColumnNames.score)
      report(records.otherSheets, "sheets", "sheet", help: "", &diagnostics)
      var group: Node?
      while let record = try records.next() {
        hasSemicolons = record.cellSeparator == UInt8(ascii: ";")
        // `Board,,` above the rows of its members
        if record.mayBeHeading, let word = record.node.entries?.first,
          ColumnNames.usual[.id]?.contains(ValuePath.plain(word.key)) == false,
          word.value.text.map(ColumnNames.isGroup) == true
        {
          group = word.value
          continue
        }
        // A record that is only a name is valid.
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
      if isPage, isOneOfMany, wanted.rules.isEmpty { isOther = !rows.contains { $0.node.isPerson } }
    } catch {
      var error = error
      if isOneOfMany || isPage { error.severity = .warning }
      diagnostics.add(error)
    }
  }

  /// Reports other lists or sheets that may contain people.
  private func report(
    _ others: [String], _ kind: String, _ key: String, help: String,
    _ diagnostics: inout Diagnostics
  ) {
    guard let first = others.first else { return }
    let names = others.prefix(12).map(\.quoted).joined(separator: ", ")
    diagnostics.add(
      Diagnostic(
        .note, .usersGuess, "\(kind) that are not used: \(names)",
        at: FileLocation(file: name, position: Position(line: 1, column: 1)),
        help: "to use one, set \(key): \(first) in the manifest" + help))
  }
}

/// A file that describes one person.
struct Page {
  let path: String
  let isMarkdown: Bool
  var isPicture = false
  /// The picture next to the page, used if the page names none.
  var besides: String?

  /// The display name derived from the file name.
  ///
  /// Hyphens separate words only if spaces and underscores do not.
  var displayName: String {
    let mark: Character = name.contains(" ") ? " " : name.contains("_") ? "_" : "-"
    var words = name.split { $0 == mark || $0 == "_" || $0 == " " }.map(String.init)
    while words.count > 1, words.last.map(Self.isLeftOver) == true { words.removeLast() }
    // Removes prefixes, as in `01_Ada` and `Portrait Ada`.
    while words.count > 1, words[0].allSatisfy(\.isNumber) || Self.isLeftOver(words[0]) {
      words.removeFirst()
    }
    let parts = words.enumerated().map { number, word in
      number > 0 && number < words.count - 1 && Self.particles.contains(word)
        ? word
        : word.split(separator: "-", omittingEmptySubsequences: false)
          .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
    }
    let name = parts.joined(separator: " ")
    return name.unswappedName ?? name
  }

  private static let particles: Set<String> = [
    "von", "van", "de", "der", "den", "del", "della", "di", "da", "do", "dos", "du", "la", "le",
    "zu", "zur", "ten", "ter", "y", "e", "af", "av", "bin", "ibn", "al", "el",
  ]

  /// Returns whether a word is not part of the name: `(2)`, `v2`, `800x600` and similar.
  private static func isLeftOver(_ word: String) -> Bool {
    let word = word.lowercased()
    return word.wholeMatch(of: /\(\d+\)|v\d+|\d+x\d+|\d+px|-+/) != nil
      || [
        "final", "copy", "kopie", "copie", "copia", "photo", "foto", "portrait", "headshot",
        "avatar", "profile", "cropped", "edited", "scaled", "thumb", "bw",
      ].contains(word)
  }

  /// Whether a camera or a program chose the file name.
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

// MARK: - People in a document

extension Document {
  /// Returns the people at a path, or in the only list of people.
  ///
  /// If the document `isOne` person, it is a list of one.
  func people(at path: ValuePath?, isOne: Bool) throws(Diagnostic) -> [Node] {
    if isOne, path == nil, root.isPerson { return root.items }
    let lists = path.map { root.lists(at: $0.names[...]) } ?? root.peopleLists
    guard !lists.isEmpty else {
      if isOne, path == nil { return root.items }
      let names = root.listNames
      throw Diagnostic(
        .error, .listExpected,
        path.map { "there is nothing at \($0.text.quoted)" }
          ?? (names.isEmpty
            ? "cannot find a list of people" : "cannot tell which list has the people"),
        at: FileLocation(file: file, position: root.position),
        note: names.isEmpty ? nil : "there are \(names.joined(separator: ", "))",
        help:
          "say where the list is, as in users: { from: team.json, at: \(names.first ?? "people") }"
          + (names.count > 1 ? ", or at: \"*\" for all of them" : ""))
    }
    return lists.flatMap { group, list in
      list.people.map { person in
        let person = person.unwrapped
        return group.map(person.inGroup) ?? person
      }
    }
  }
}

extension Node {
  /// A record with only this name, if the node is a text.
  var namedRecord: Node? {
    guard case .scalar(let scalar) = content, [.plain, .quoted].contains(scalar.style) else {
      return nil
    }
    return Node(.mapping([Entry(key: "name", keyPosition: position, value: self)]), at: position)
  }

  /// The items of a list, or the values of a mapping with keys as ids, or the node itself.
  fileprivate var people: [Node] {
    guard case .mapping(let entries) = content else { return items }
    // The key is the id, as in `ada: { name: Ada Lovelace }`.
    return entries.flatMap { entry in
      guard case .mapping(let own) = entry.value.content, !own.contains(where: { $0.key == "id" })
      else { return [entry.value] }
      // `{ speakers: { ada: { name: Ada Lovelace } }, bob: { name: Bob } }`
      if ColumnNames.isOfPeople(entry.key), !entry.value.isPerson,
        own.contains(where: \.value.isPerson)
      {
        return entry.value.people
      }
      let id = Node.text(entry.key, at: entry.keyPosition)
      let first = Entry(key: "id", keyPosition: entry.keyPosition, value: id)
      return [Node(.mapping([first] + own), at: entry.value.position)]
    }
  }

  /// Returns the lists at a path with their group names; `*` matches every key.
  fileprivate func lists(
    at names: ArraySlice<String>, group: Node? = nil
  ) -> [(group: Node?, list: Node)] {
    guard let name = names.first else { return [(group, self)] }
    switch content {
    case .mapping(let entries) where name == "*":
      // Skip other values, as in `{ board: […], links: { site: … } }`.
      return entries.filter { names.count > 1 || $0.value.isGroup }.flatMap { entry in
        entry.value.lists(
          at: names.dropFirst(), group: .text(entry.key, at: entry.keyPosition))
      }
    case .sequence(let items) where Int(name) == nil:
      return items.flatMap { item in
        let title = item.first(of: ["name", "title", "group", "label"] + ColumnNames.groups)
        return item.lists(at: name == "*" ? names.dropFirst() : names, group: title ?? group)
      }
    default: return value(at: [name]).map { $0.lists(at: names.dropFirst(), group: group) } ?? []
    }
  }

  /// Merges the inner record with the outer keys, as in `{ user: { name: … }, role: … }`.
  fileprivate var unwrapped: Node {
    guard case .mapping(let entries) = content, !isPerson,
      let inner = entries.first(where: {
        ColumnNames.ofWrappers.contains($0.key) && $0.value.isPerson
      }),
      case .mapping(let own) = inner.value.content
    else { return self }
    return Node(.mapping(own + entries.filter { $0.key != inner.key }), at: position)
  }

  private var isGroup: Bool {
    switch content {
    case .sequence: true
    case .mapping(let entries): entries.allSatisfy(\.value.isMapping)
    case .scalar: false
    }
  }

  /// Adds the group name to a record unless it already has a group.
  fileprivate func inGroup(_ group: Node) -> Node {
    guard case .mapping(let entries) = (namedRecord ?? self).content,
      !entries.contains(where: { ValuePath.plain($0.key) == "group" })
    else { return self }
    let entry = Entry(key: "group", keyPosition: group.position, value: group)
    return Node(.mapping(entries + [entry]), at: position)
  }

  /// The lists of people in a document, with group names if there are several.
  fileprivate var peopleLists: [(group: Node?, list: Node)] {
    guard case .mapping(let entries) = content else {
      // A list of groups, as in `[{ name: Gold, members: […] }]`.
      let groups = Set(items.map { $0.listNames.first { ColumnNames.isOfPeople($0) } })
      if groups.count == 1, let name = groups.first ?? nil {
        return lists(at: [ValuePath.plain(name)])
      }
      return items.isEmpty || isList ? [(nil, self)] : []
    }
    if !entries.isEmpty, entries.allSatisfy({ $0.value.isMapping }),
      entries.contains(where: \.value.isPerson)
    {
      return [(nil, self)]
    }
    var names = listNames
    let people = names.filter(ColumnNames.isOfPeople)
    // Several lists, as in `{ speakers: […], organizers: […], links: […] }`.
    if people.count > 1 {
      return people.flatMap { name in
        let title = name.split(separator: "_").joined(separator: " ")
        return lists(at: [ValuePath.plain(name)]).map { (with(title), $0.list) }
      }
    }
    if people.count == 1 { names = people }
    let answers = names.filter(ColumnNames.ofAnswers.contains)
    if names.count > 1, answers.count == 1 { names = answers }
    // The last page of an answer may be empty, and `contributors: []`.
    let empty = entries.filter {
      (ColumnNames.ofAnswers.contains($0.key) || ColumnNames.isOfPeople($0.key))
        && $0.value.isList && $0.value.items.isEmpty
    }.prefix(1).map { (group: Node?.none, list: $0.value) }
    if people.isEmpty, answers.isEmpty, !names.isEmpty, !empty.isEmpty { return empty }
    if names.count == 1 {
      return lists(at: [ValuePath.plain(names[0])]).flatMap(\.list.peopleLists)
    }
    // A nested list, as in `{ data: { people: […] }, links: {…} }`.
    let inner = names.isEmpty ? entries.map(\.value.peopleLists).filter { !$0.isEmpty } : []
    return inner.count == 1 ? inner[0] : empty
  }

  /// Other lists with all keys of a record in the chosen list, which may contain people too.
  fileprivate var otherLists: [String] {
    func keys(_ list: String) -> [Set<String>] {
      (value(at: [ValuePath.plain(list)])?.items ?? []).map { record in
        Set((record.entries ?? []).map { ValuePath.plain($0.key) })
      }
    }
    let people = listNames.filter(ColumnNames.isOfPeople)
    let records = people.first.map(keys) ?? []
    let own = records.dropFirst().reduce(records.first ?? []) { $0.intersection($1) }
    return own.count < 2
      ? [] : listNames.filter { !people.contains($0) && own.isSubset(of: keys($0).first ?? []) }
  }

  fileprivate var isPerson: Bool {
    guard case .mapping(let entries) = content else { return false }
    return entries.contains { ColumnNames.ofPeople.contains(ValuePath.plain($0.key)) }
  }

  fileprivate var listNames: [String] {
    guard case .mapping(let entries) = content else { return [] }
    return entries.filter { $0.value.isList && $0.value.items.contains(where: \.isMapping) }
      .map(\.key)
  }

  var isMapping: Bool {
    if case .mapping = content { true } else { false }
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

  /// Detects the format from the content.
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
  /// Other fields of the records may contain long texts, such as biographies.
  static var people: DocumentLimits {
    var limits = DocumentLimits.standard
    limits.scalarBytes = 64 << 10
    return limits
  }
}
