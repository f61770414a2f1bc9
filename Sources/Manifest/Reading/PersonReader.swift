import Bytes
import Diagnostics
import Documents
import Foundation

struct PersonReader {
  let wanted: PersonFields
  var lists: [Columns] = []
  /// Whether the list is remote and therefore must not refer to local folders.
  var isFetched = false
  /// The previous row's keys, which most rows repeat; `places` contains their indices.
  private var keys: [String] = []
  private var places: [String: Int] = [:]
  private(set) var found: [PersonKey: Set<Int>] = [:]
  private var letters = Transliteration()
  private(set) var hasRows = false
  private(set) var people = 0
  private(set) var hasNames = false
  private(set) var refused = 0
  private(set) var hidden = 0
  private(set) var placeholders: [String] = []
  /// Rows with neither a name nor an id: their number, and the location and keys of the first.
  private(set) var nameless: (count: Int, first: Located?, keys: [String]) = (0, nil, [])
  private(set) var unnamed: (count: Int, first: (path: String, place: Located)?) = (0, nil)

  init(_ wanted: PersonFields) { self.wanted = wanted }

  private var columns: Columns { lists[lists.count - 1] }

  typealias Person = (
    record: Node, hasOwnID: Bool, number: String?, hasMailID: Bool, mail: String?,
    refusesPhoto: Bool
  )

  private struct Row {
    let node: Node
    let entries: [Entry]
    let places: [String: Int]
    let file: ListFile
    let path: NodePath

    subscript(name: String) -> Node? { places[name].map { entries[$0].value } }

    func text(_ name: String) -> String? {
      self[name]?.text.map(\.plain).flatMap { $0.isEmpty ? nil : $0 }
    }

    func hasMail(_ name: String) -> Bool {
      self[name]?.text?.utf8.contains(UInt8(ascii: "@")) == true
    }

    func value(at path: ValuePath) -> Node? {
      if path.names.count > 1, let value = self[path.whole] { return value }
      guard let first = path.names.first else { return nil }
      return self[first]?.value(at: path.names.dropFirst())
    }

    var hasNameAsTitle: Bool {
      file.page?.isMarkdown == true && self["title"] != nil
        && !ColumnNames.ofNames.contains { self[$0] != nil }
    }
  }

  mutating func person(
    _ row: (number: Int, node: Node), of file: ListFile, _ reader: inout FieldReader
  ) -> Person? {
    guard let entries = row.node.entries else { return (row.node, false, nil, false, nil, false) }
    let (node, page) = (row.node, file.page)
    let row = Row(
      node: node, entries: entries, places: places(of: entries), file: file,
      path: .item(row.number, of: .key("users", in: .root)))
    let isWanted = wanted.conditions.allSatisfy { path, values in
      row.value(at: path)?.items.contains { values.contains($0.text?.lowercased() ?? "") } == true
    }
    guard isWanted else { return nil }
    hasRows = true
    if columns.visibility.contains(where: { row.text($0.column).map($0.hides) == true }) {
      hidden += 1
      return nil
    }
    var record: [Entry] = []
    record.reserveCapacity(PersonKey.allCases.count)
    var avatars: [Node] = []
    for key in PersonKey.allCases {
      let values =
        columns.rules(key).map { written($0, key, row, &reader) } ?? guessed(key, row, &reader)
      if key == .avatar { avatars = values } else { record.add(values, for: key) }
    }
    let mail = columns.mails.lazy.compactMap { row[$0] }.first
    let address = mail?.items.first?.text?.trimmed
    if wanted.gravatar, let mail, let address, !address.contains(" "),
      address.contains("@") || address.isMailHash
    {
      avatars.append(mail.with("gravatar:" + address))
    }
    if avatars.isEmpty, let path = page?.besides { avatars = [node.with("./" + path)] }
    let refusesPhoto = columns.consents.contains { row.text($0)?.isConsent != true }
    if refusesPhoto, !avatars.isEmpty {
      avatars = []
      refused += 1
    }
    record.add(avatars, for: .avatar)
    if page == nil, record.isEmpty, entries.allSatisfy({ reader.isAbsent($0.value) }) { return nil }
    if let page, !record.contains(where: { $0.key == "name" }) {
      let title = row.hasNameAsTitle && columns.rules(.name) != nil ? row["title"] : nil
      let name = title.flatMap { cleaned($0, .name, row, &reader, isColumn: true) }
      record.add([name ?? node.with(page.displayName)], for: .name)
      if page.isPicture, page.isUnnamed {
        unnamed.count += 1
        unnamed.first = unnamed.first ?? (page.path, reader.located(row.path, at: node.position))
      }
    }
    let name = record.first { $0.key == "name" }?.value
    if columns.rules(.name) == nil, page?.isPicture != true, let text = name?.text,
      ColumnNames.isPlaceholder(text)
    {
      if placeholders.count < 12, !placeholders.contains(text) { placeholders.append(text) }
      return nil
    }
    let hasOwnID = record.contains { $0.key == "id" }
    guard hasOwnID || name != nil else {
      nameless.count += 1
      if nameless.count == 1 {
        nameless.first = reader.located(row.path, at: node.position)
        nameless.keys = entries.filter { $0.value.text != "" }.map(\.key)
      }
      return nil
    }
    people += 1
    hasNames = hasNames || name != nil
    var hasMailID = hasMail(hasOwnID ? .id : .name, row)
    if !hasOwnID, let name, let text = page?.name ?? name.text {
      hasMailID = hasMailID || text.utf8.contains(UInt8(ascii: "@"))
      let slug = Slug.of(letters.latin(text))
      let id = name.with(String(slug.isEmpty ? Digest(of: text).hex.prefix(12) : slug.prefix(200)))
      record.insert(Entry(key: "id", keyPosition: name.position, value: id), at: 0)
    }
    return (
      Node(.mapping(record), at: node.position), hasOwnID, columns.number.flatMap { row.text($0) },
      hasMailID, address, refusesPhoto
    )
  }

  private mutating func places(of entries: [Entry]) -> [String: Int] {
    if keys.count == entries.count, zip(keys, entries).allSatisfy({ $0 == $1.key }) {
      return places
    }
    keys = entries.map(\.key)
    let names = keys.map(ValuePath.plain).enumerated()
    let pairs =
      names.map { ($1, $0) }
      + names.compactMap { index, name in columns.aliases[name].map { ($0, index) } }
    places = Dictionary(pairs) { first, _ in first }
    return places
  }

  private mutating func written(
    _ rules: [PersonFields.Rule], _ key: PersonKey, _ row: Row, _ reader: inout FieldReader
  ) -> [Node] {
    var values: [Node] = []
    for (number, rule) in rules.enumerated() where key.isList || values.isEmpty {
      var isColumn = false
      let node: Node?
      switch rule.source {
      case .word(let word): node = row.node.with(word)
      case .value(let path):
        node = row.value(at: path)
        isColumn = true
      case .template(let template):
        node = template.text { row.value(at: $0)?.text.map(\.plain) }.map(row.node.with)
      }
      guard let node else { continue }
      found[key, default: []].insert(number)
      values += cleaned(node, key, row, &reader, isColumn: isColumn).map { [$0] } ?? []
    }
    return values
  }

  /// Returns the values from guessed columns: all of them for links, otherwise only the first.
  private func guessed(_ key: PersonKey, _ row: Row, _ reader: inout FieldReader) -> [Node] {
    var names = columns[key]
    switch key {
    case .links:
      return names.flatMap { name in row[name].map { WebAccounts.links($0, name) } ?? [] }
    case .name:
      if let name = wholeName(names, row) { return [name] }
      if columns.namesAreSwapped, let column = names.first,
        let name = row.text(column)?.unswappedName
      {
        return [row.node.with(name)]
      }
      let hasOthers = names.count > 1
      names.removeAll { column in
        column == "title" && hasOthers && !row.hasNameAsTitle
          || ColumnNames.accounts.contains(column)
            && (row.hasMail(column) || row.text(column)?.isLongNumber == true)
      }
    case .id: names = ids(names, row)
    case .title where row.hasNameAsTitle: names.removeAll { $0 == "title" }
    default: break
    }
    for name in names {
      if key == .avatar, name.contains("gravatar"), let hash = row.text(name), hash.isMailHash {
        return [row.node.with("gravatar:" + hash)]
      }
      guard let value = row[name].flatMap({ cleaned($0, key, row, &reader, isColumn: true) })
      else { continue }
      // Accept an email address as a link only from a column named `link`.
      if key == .link, name != "link", value.text?.hasPrefix("mailto:") == true { continue }
      // Skip a title that repeats the name, or that is only "Dr.": another column may be better.
      if key == .title, names.count > 1, let text = value.text,
        text.hasSuffix(".") && text.count < 6
          || ColumnNames.ofNames.contains(where: { row.text($0) == text })
          || wholeName(columns.nameParts.map { [$0.given] } ?? [], row)?.text == text
      {
        continue
      }
      return [value]
    }
    return []
  }

  private func wholeName(_ names: [String], _ row: Row) -> Node? {
    guard let parts = columns.nameParts, let given = row.text(parts.given),
      let family = row.text(parts.family), ![given, family].contains(where: columns.isEmpty)
    else { return nil }
    for column in names {
      guard let text = row.text(column), let node = row[column] else { continue }
      let isComplete =
        switch column {
        case parts.given: text.hasWords(of: family)
        case parts.family: text.hasWords(of: given)
        case "name": text.contains(" ") || text.unicodeScalars.contains(where: \.isEastAsian)
        // Company directories show people as "Doe, Jane (IT)".
        default: text.hasWords(of: given, then: family)
        }
      if isComplete { return node.with(text) }
    }
    let isChinese = parts.family.unicodeScalars.contains(where: \.isEastAsian)
    if isChinese || given.isHan && family.isHan { return row.node.with(family + given) }
    let affix = columns.affix.flatMap { column in
      row.text(column).flatMap { affix in
        // Except in Dutch lists, the column may also contain a suffix such as `jun.` or `PhD`.
        let particles = affix.split(separator: " ").map { ValuePath.plain(String($0)) }
        return !affix.isMissing && !family.lowercased().hasPrefix(affix.lowercased() + " ")
          && (column.hasPrefix("tussen")
            || particles.allSatisfy(ColumnNames.all("particle").contains))
          ? affix : nil
      }
    }
    // A family name may be sorted without its particle, as in `Akker, van den`.
    let last = family.unswappedName ?? family
    return row.node.with([given, affix, last].compactMap(\.self).joined(separator: " "))
  }

  /// Returns the columns that do not contain an email address; `id` is always kept.
  ///
  /// If another id column is dropped, so are account columns, because accounts may be shared.
  private func ids(_ columns: [String], _ row: Row) -> [String] {
    let mails = columns.filter { $0 != "id" && row.hasMail($0) }
    if mails.isEmpty { return columns }
    let isShared = mails.contains(where: ColumnNames.ids.contains)
    return columns.filter {
      !mails.contains($0) && !(isShared && ColumnNames.accounts.contains($0))
    }
  }

  /// Returns whether a rule derives the value from an email address.
  private func hasMail(_ key: PersonKey, _ row: Row) -> Bool {
    wanted.rules[key.rawValue]?.contains { rule in
      guard case .template(let template) = rule.source else { return false }
      return template.paths.contains { row.value(at: $0)?.text?.contains("@") == true }
    } ?? false
  }

  private func cleaned(
    _ node: Node, _ key: PersonKey, _ row: Row, _ reader: inout FieldReader, isColumn: Bool
  ) -> Node? {
    if reader.isAbsent(node) { return nil }
    switch node.content {
    case .sequence(let items) where key != .focus:
      let items = items.flatMap { cleaned($0, key, row, &reader, isColumn: isColumn)?.items ?? [] }
      let isOne = ![.avatar, .tags, .links, .styles, .decorations].contains(key)
      return isOne ? items.first : items.isEmpty ? nil : Node(.sequence(items), at: node.position)
    // Identifiers such as `{ name: SSN, value: … }` may be private.
    case .mapping where key == .id: return nil
    case .mapping where key == .name && node.nameParts != nil:
      return node.nameParts.map { node.with($0) }
    case .mapping where key != .focus:
      // Sessionize nests category names one level deeper.
      if let items = node.value(at: ["categoryitems"]) {
        return cleaned(items, key, row, &reader, isColumn: isColumn)
      }
      return node.innerText.flatMap { cleaned($0, key, row, &reader, isColumn: isColumn) }
    case .scalar(let scalar):
      guard let text = cleaned(scalar, key, row, node.position, &reader, isColumn: isColumn),
        !text.isEmpty
      else { return nil }
      return text == scalar.text
        ? node : Node(.scalar(Scalar(text, style: scalar.style)), at: node.position)
    default: return node
    }
  }

  private func cleaned(
    _ scalar: Scalar, _ key: PersonKey, _ row: Row, _ position: Position,
    _ reader: inout FieldReader, isColumn: Bool
  ) -> String? {
    let path = NodePath.key(key.rawValue, in: row.path)
    var text = scalar.text
    let mayBeNA = [.id, .tags].contains(key)
    if mayBeNA ? columns.isEmpty(text.trimmed) : text.trimmed.isMissing { return nil }
    switch key {
    case .avatar:
      // Keep repeated spaces, because file names may contain them.
      return scalar.isAnswer
        ? nil
        : picture(text.attachment ?? text.trimmed, row, position, path, &reader, isColumn: isColumn)
    // A boolean such as `team: true` is not a tag.
    case .tags where scalar.isAnswer, .link where scalar.isAnswer: return nil
    case .about:
      let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      text =
        lines.map { Self.withoutMails(String($0).withoutMarkup) }.joined(separator: "\n").trimmed
    case .link where text.isPlaceholder: return nil
    case .link, .links: text = WebAccounts.link(text.plain)
    case .name where wanted.rules["name"] == nil: text = Self.withoutMails(text)
    // Email addresses are not published.
    case .title, .organisation, .tags: text = Self.withoutMails(text)
    default: text = text.plain
    }
    if text.utf8.count > ManifestLimits.textBytes {
      reader.report(
        .warning, .badText, "the text is \(text.utf8.count) bytes long, so it is shortened",
        at: reader.located(path, at: position))
      // Drop characters until the text fits, because a `Character` can be many bytes long.
      var kept = text.prefix(ManifestLimits.textBytes - 3)
      while kept.utf8.count > ManifestLimits.textBytes - 3 { kept.removeLast() }
      text = String(kept.lastIndex(of: " ").map { kept[..<$0] } ?? kept) + "…"
    }
    return text
  }

  private func picture(
    _ text: String, _ row: Row, _ position: Position, _ path: NodePath,
    _ reader: inout FieldReader, isColumn: Bool
  ) -> String? {
    if let root = wanted.root, text.hasPrefix("/"), !text.hasPrefix("//"),
      !isFetched || root.contains("://")
    {
      return root + text
    }
    guard isColumn, case .file? = AvatarSource.Kind(source: text) else { return text }
    let outside = row.file.outside
    if let page = row.file.page, page.isMarkdown || outside == nil && !page.isPicture {
      // A path that begins with a dot is relative to the page, as is a bare file name in Markdown.
      let isBeside = text.hasPrefix("./") || text.hasPrefix("../")
      guard isBeside || page.isMarkdown && !text.contains("/") else { return text }
      return parts(of: page.path).folder + (text.hasPrefix("./") ? text.dropFirst(2) : text[...])
    }
    guard let outside else { return text }
    if !text.hasPrefix("/"), !text.split(separator: "/").contains("..") { return outside + text }
    reader.report(
      .warning, .badText, "\(text.shortened) is outside the list's folder",
      at: reader.located(path, at: position),
      help: "set `root` to the base folder of the paths, or copy the picture to the list's folder")
    return nil
  }

  private static func withoutMails(_ text: String) -> String {
    let text = text.withoutMarkup
    guard text.utf8.contains(UInt8(ascii: "@")) else { return text.plain }
    let address = /[<(]?@?[^\s<>(),;|\/@]+@[^\s<>(),;|\/@]+\.[^\s<>(),;|\/@]{2,}[>)]?/
    // Keep `@ada@example.org`, which is a Fediverse account.
    let rest = text.replacing(address) { $0.0.contains("@@") || $0.0.hasPrefix("@") ? $0.0 : "" }
      .plain
    return rest.contains { $0.isLetter || $0.isNumber } ? rest : ""
  }
}

extension String {
  /// The text without HTML tags, Markdown bold and link targets; HTML entities are decoded.
  fileprivate var withoutMarkup: String {
    guard utf8.contains(where: "<&*[".utf8.contains) else { return self }
    var text = replacing(
      /<\/?(?i:a|b|i|u|p|br|em|strong|span|div|ul|ol|li|h[1-6]|small|sup|sub)(\s[^<>]*)?\/?>/,
      with: " ")
    text.replace(/\[([^\]\[]+)\]\((http|mailto|\/|#)[^()\s]*\)/) { $0.1 }
    text.replace(/\*\*([^*]+)\*\*/) { $0.1 }
    guard text.contains("&") else { return text }
    text.replace(/&(#x?)?(\w{1,8});/.ignoresCase()) { match -> String in
      let name = String(match.2)
      guard let mark = match.1 else { return Self.letter(name) ?? String(match.0) }
      let scalar = UInt32(name, radix: mark.count == 1 ? 10 : 16).flatMap(Unicode.Scalar.init)
      let isVisible = scalar.map {
        $0.properties.isGraphemeBase && !$0.properties.isDefaultIgnorableCodePoint
      }
      return isVisible == true ? scalar.map { String($0) } ?? "" : " "
    }
    return text
  }

  private static func letter(_ name: String) -> String? {
    if let letter = entities[name] { return letter }
    let accent = accents[String(name.dropFirst())]
    return accent.map { (name.prefix(1) + $0).precomposedStringWithCanonicalMapping }
  }

  private static let entities = [
    "nbsp": " ", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "amp": "&", "szlig": "ß",
    "oslash": "ø", "Oslash": "Ø", "aelig": "æ", "AElig": "Æ", "ndash": "–", "rsquo": "’",
  ]
  private static let accents = [
    "acute": "\u{301}", "grave": "\u{300}", "circ": "\u{302}", "uml": "\u{308}", "tilde": "\u{303}",
    "cedil": "\u{327}", "ring": "\u{30A}", "caron": "\u{30C}",
  ]
}

extension [Entry] {
  mutating func add(_ values: [Node], for key: PersonKey) {
    guard let first = values.first else { return }
    let value =
      values.count == 1 ? first : Node(.sequence(values.flatMap(\.items)), at: first.position)
    append(Entry(key: key.rawValue, keyPosition: first.position, value: value))
  }
}
