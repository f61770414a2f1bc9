import Bytes
import Diagnostics
import Documents

/// Makes records with the keys of a user out of those that people have.
struct PersonReader {
  private let wanted: PersonFields
  /// Ways to the values of records with the same keys, which most records of a list have.
  private var shapes: [Keys: Shape] = [:]
  private var last: (keys: Keys, shape: Shape)?
  /// The file of the record, where it has one of its own.
  var page: Page?
  /// The folder of a list that lies outside the manifest's.
  var outside: String?
  /// On the network there is no folder of ours.
  var isFetched = false
  /// Rules that have found something, as `key` and number.
  private var found: [String: Set<Int>] = [:]
  private var hasRecords = false
  /// Keys of the record that are made of a mail address.
  private var mailed: Set<String> = []
  private var hasPeople = false
  /// How many records have neither a name nor an id; where the first stands, and what it has.
  private var nameless: (count: Int, first: Located?, keys: [String]) = (0, nil, [])

  private struct Keys: Hashable {
    let names: [String]
    let isMarkdown: Bool
  }

  /// Which entries of a record are what.
  private struct Shape {
    /// By plain name.
    var names: [String: Int] = [:]
    /// For each key of a user, in the order of the table.
    var ways: [[Way]] = []

    func isUsed(_ name: String) -> Bool {
      ways.contains { $0.contains { $0.names.contains(name) } }
    }

    /// Pages that are not published yet say so.
    func isDraft(_ entries: [Entry]) -> Bool {
      [("draft", "true"), ("published", "false")].contains { name, word in
        names[name].map { entries[$0].value.isWord(word) } ?? false
      }
    }
  }

  private enum Way {
    case entry(Int, name: String)
    /// Counts only if the value contains both parts; without `parts`, if it has several words.
    case wholeName(Int, name: String, parts: (first: Int, last: Int)?)
    case source(PersonFields.Source, number: Int)

    /// The plain names of the entries that it needs.
    var names: [String] {
      switch self {
      case .entry(_, let name), .wholeName(_, let name, _): [name]
      case .source(.value(let path), _): path.names.prefix(1) + [path.whole]
      case .source(.template(let template), _):
        template.paths.flatMap { $0.names.prefix(1) + [$0.whole] }
      case .source(.word, _): []
      }
    }

    /// Written in the manifest.
    var isTemplate: Bool {
      switch self {
      case .entry, .wholeName, .source(.value, _): false
      case .source: true
      }
    }
  }

  init(_ wanted: PersonFields) { self.wanted = wanted }

  /// The record of a user; nil if it is not wanted, or empty.
  mutating func person(
    _ node: Node, _ reader: inout FieldReader, _ path: NodePath
  ) -> (node: Node, isNamed: Bool, hasMailID: Bool)? {
    guard case .mapping(let entries) = node.content else { return (node, false, false) }
    mailed = []
    let shape = shape(of: entries)
    guard wanted.conditions.allSatisfy({ isMet($0.path, $0.values, entries, shape) }) else {
      return nil
    }
    if page != nil, shape.isDraft(entries) { return nil }
    hasRecords = true
    var result: [Entry] = []
    result.reserveCapacity(KeyTable.user.keys.count)
    for (key, ways) in zip(KeyTable.user.keys, shape.ways) {
      let isList = ["avatar", "tags", "links"].contains(key)
      var values: [Node] = []
      var hasMailAsID = false
      for way in ways where isList || values.isEmpty {
        guard let value = value(way, key, entries, shape, at: node.position) else { continue }
        // Mail addresses are not published. Records that differ in them may share an account.
        if case .entry(_, let name) = way, key == "id" || key == "name", name != "id" {
          let isMail = value.text?.contains("@") == true
          let isAccount = PersonFields.accountNames.contains(name)
          if isAccount ? isMail || hasMailAsID : isMail && key == "id" {
            hasMailAsID = hasMailAsID || PersonFields.recordIDs.contains(name)
            continue
          }
        }
        if key == "links", case .entry(_, let name) = way {
          values += Self.links(value, name)
          continue
        }
        let isBeside = key == "avatar" && !way.isTemplate
        values +=
          cleaned(value, key, &reader, .key(key, in: path), isBeside: isBeside).map { [$0] } ?? []
        if case .entry = way, !values.isEmpty { break }
      }
      if key == "avatar", wanted.gravatar, let mail = Self.mail(entries, shape) {
        values.append(mail)
      }
      if key == "avatar", values.isEmpty, let path = page?.besides {
        values.append(Node(.scalar(Scalar("./" + path, style: .quoted)), at: node.position))
      }
      guard let first = values.first else { continue }
      let value =
        values.count == 1 ? first : Node(.sequence(values.flatMap(\.items)), at: first.position)
      result.append(Entry(key: key, keyPosition: first.position, value: value))
    }
    if page == nil, result.isEmpty, entries.allSatisfy({ reader.isAbsent($0.value) }) {
      return nil
    }
    if let page, !result.contains(where: { $0.key == "name" }) {
      let words = page.name.split { "-_ ".contains($0) }
      let name = Scalar(
        words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " "),
        style: .quoted)
      result.append(
        Entry(
          key: "name", keyPosition: node.position, value: Node(.scalar(name), at: node.position)))
    }
    let isNamed = result.contains { $0.key == "id" }
    guard isNamed || result.contains(where: { $0.key == "name" }) else {
      nameless.count += 1
      if nameless.count == 1 {
        nameless.first = reader.located(path, at: node.position)
        nameless.keys = entries.map(\.key)
      }
      return nil
    }
    hasPeople = true
    var hasMailID = mailed.contains(isNamed ? "id" : "name")
    if !isNamed, let name = result.first(where: { $0.key == "name" }),
      let text = page?.name ?? name.value.text
    {
      hasMailID = hasMailID || text.contains("@")
      let slug = Slug.of(text)
      // Room is left for digits.
      let id = Scalar(Self.cut(slug.isEmpty ? text : slug, to: 200), style: .quoted)
      result.insert(
        Entry(
          key: "id", keyPosition: name.keyPosition,
          value: Node(.scalar(id), at: name.value.position)),
        at: 0)
    }
    return (Node(.mapping(result), at: node.position), isNamed, hasMailID)
  }

  /// Tells of records without a name, and of names in the manifest that no record has.
  func finish(_ reader: inout FieldReader) {
    guard hasRecords else { return }
    if let first = nameless.first {
      let count = nameless.count
      let keys = nameless.keys
      let name = keys.first { ValuePath.plain($0).contains("name") } ?? keys.first ?? "…"
      reader.diagnostics.add(
        Diagnostic(
          hasPeople ? .warning : .error, .missingKey,
          (count == 1 ? "a record has" : "\(count) records have") + " neither a name nor an `id`",
          at: first.location, path: first.path,
          note: hasPeople
            ? nil : "the first has " + keys.prefix(12).map(\.quoted).joined(separator: ", "),
          help: hasPeople
            ? "give each of them a name, or an `id`"
            : "say in `fields` what the name is, as in fields: { name: \(name.quoted) }; "
              + "in a table the first row names the columns"))
    }
    for (key, rules) in wanted.rules.sorted(by: { $0.key < $1.key }) {
      for (number, rule) in rules.enumerated() where !(found[key] ?? []).contains(number) {
        if case .word = rule.source { continue }
        reader.report(
          .warning, .missingKey, "no record has what \(key.quoted) asks for",
          at: rule.field.node.position, rule.field.path,
          help: seen.isEmpty ? nil : suggestion(for: rule.field.node.text ?? "", among: seen))
      }
    }
  }

  /// Tells of columns that look like a key that was not found.
  func noteNearMisses(_ reader: inout FieldReader) {
    for (index, key) in KeyTable.user.keys.enumerated()
    where wanted.rules[key] == nil && shapes.values.allSatisfy({ $0.ways[index].isEmpty }) {
      guard let near = nearest(to: key, among: seen),
        !shapes.values.contains(where: { $0.isUsed(ValuePath.plain(near)) })
      else { continue }
      reader.report(
        .note, .unknownKey, "\(near.quoted) is not read", at: Position(line: 1, column: 1),
        .key("users", in: .root), help: "did you mean `\(key)`?")
    }
  }

  /// What is taken for what, as in `name from "Full Name"; not used: "fax"`; nil if all names are ours.
  var guess: String? {
    var used = Set(wanted.conditions.flatMap { $0.path.names.prefix(1) + [$0.path.whole] })
    if wanted.gravatar { used.formUnion(PersonFields.mailNames) }
    var isOurs = true
    var words: [String] = []
    for (index, key) in KeyTable.user.keys.enumerated() {
      var sources: Set<String> = []
      for (keys, shape) in shapes {
        let names = shape.ways[index].flatMap(\.names)
        used.formUnion(names)
        sources.formUnion(names.compactMap { shape.names[$0] }.map { keys.names[$0] })
      }
      if let rules = wanted.rules[key] { sources = Set(rules.compactMap { $0.field.node.text }) }
      guard !sources.isEmpty else { continue }
      isOurs = isOurs && sources == [key]
      let list = sources.sorted().prefix(4).map(\.quoted).joined(separator: ", ")
      words.append("\(key) from \(list)")
    }
    let others = seen.filter { !used.contains(ValuePath.plain($0)) }
    if isOurs && others.isEmpty || words.isEmpty { return nil }
    let rest = others.count > 12 ? " and \(others.count - 12) more" : ""
    return words.joined(separator: "; ")
      + (others.isEmpty
        ? "" : "; not used: \(others.prefix(12).map(\.quoted).joined(separator: ", "))\(rest)")
  }

  /// Keys of all records.
  private var seen: [String] { Set(shapes.keys.flatMap(\.names)).sorted() }

  // MARK: Values

  private mutating func shape(of entries: [Entry]) -> Shape {
    let isMarkdown = page?.isMarkdown ?? false
    if let last, last.keys.names.count == entries.count, last.keys.isMarkdown == isMarkdown,
      zip(last.keys.names, entries).allSatisfy({ $0 == $1.key })
    {
      return last.shape
    }
    let keys = Keys(names: entries.map(\.key), isMarkdown: isMarkdown)
    var shape = shapes[keys] ?? Shape()
    if shape.ways.isEmpty {
      for (index, key) in keys.names.enumerated() {
        let name = ValuePath.plain(key)
        if shape.names[name] == nil { shape.names[name] = index }
      }
      shape.ways = KeyTable.user.keys.map { ways(to: $0, shape.names) }
      // Records of a hostile list may all differ.
      if shapes.count < 1_000 { shapes[keys] = shape }
    }
    last = (keys, shape)
    return shape
  }

  private func ways(to key: String, _ names: [String: Int]) -> [Way] {
    // In a list without ids, which nobody wrote for us, such words mean other things.
    if ["background", "styles", "focus", "decorations", "alias"].contains(key),
      wanted.rules[key] == nil,
      names["id"] == nil, names["avatar"] == nil
    {
      return []
    }
    if let rules = wanted.rules[key] {
      return rules.enumerated().map { .source($1.source, number: $0) }
    }
    func entries(_ words: [String]) -> [Way] {
      words.compactMap { word in names[word].map { .entry($0, name: word) } }
    }
    let usual = PersonFields.usualNames[key, default: []]
    var ways = entries(usual)
    if key == "name" {
      let first = PersonFields.firstNames.first { names[$0] != nil }
      let last = PersonFields.lastNames.first { names[$0] != nil }
      if let last, let given = first ?? (names["name"] == nil ? nil : "name") {
        let template = ValueTemplate(words: ValuePath(given), ValuePath(last))
        var whole: [Way] = []
        if let first = first.flatMap({ names[$0] }), let last = names[last] {
          // A `name` is complete as written, but directories display people as "Doe, Jane (IT)".
          let parts = (first: first, last: last)
          whole = usual.compactMap { word in
            names[word].map { .wholeName($0, name: word, parts: word == "name" ? nil : parts) }
          }
        }
        ways = whole + [.source(.template(template), number: -1)] + ways
      }
      ways += entries(PersonFields.firstNames)
      if !entries(PersonFields.recordIDs).isEmpty { ways += entries(PersonFields.accountNames) }
    }
    // A page's title is who it is about, unless it has a name beside.
    if page?.isMarkdown == true, let title = names["title"],
      entries(PersonFields.firstNames + PersonFields.usualNames["name", default: []]).isEmpty
    {
      if key == "name" { return [.entry(title, name: "title")] }
      if key == "title" { ways.removeAll { $0.names == ["title"] } }
    }
    return ways
  }

  private mutating func value(
    _ way: Way, _ key: String, _ entries: [Entry], _ shape: Shape, at position: Position
  ) -> Node? {
    switch way {
    case .entry(let index, _): return entries[index].value
    case .wholeName(let index, _, let parts):
      let value = entries[index].value
      guard let text = value.text.map(Self.plain) else { return nil }
      guard let parts else { return text.contains(" ") ? value : nil }
      guard let first = entries[parts.first].value.text, let last = entries[parts.last].value.text
      else { return nil }
      return text.hasWords(of: first, then: last) ? value : nil
    case .source(let source, let number):
      let node: Node?
      switch source {
      case .value(let path): node = Self.value(path, entries, shape)
      case .word(let word): node = Node(.scalar(Scalar(word, style: .quoted)), at: position)
      case .template(let template):
        let words = template.paths.compactMap {
          Self.value($0, entries, shape)?.text.map(Self.plain)
        }
        if words.contains(where: { $0.contains("@") }) { mailed.insert(key) }
        if number < 0, words.count == 2, words[0].hasWords(of: words[1]) { return nil }
        node = template.text { Self.value($0, entries, shape)?.text.map(Self.plain) }
          .map { Node(.scalar(Scalar($0, style: .quoted)), at: position) }
      }
      if node != nil, number >= 0 { found[key, default: []].insert(number) }
      return node
    }
  }

  private static func value(_ path: ValuePath, _ entries: [Entry], _ shape: Shape) -> Node? {
    if path.names.count > 1, let index = shape.names[path.whole] { return entries[index].value }
    guard let first = path.names.first, let index = shape.names[first] else { return nil }
    return entries[index].value.value(at: path.names.dropFirst())
  }

  /// The picture that belongs to a mail address, which itself is never kept.
  private static func mail(_ entries: [Entry], _ shape: Shape) -> Node? {
    let index = PersonFields.mailNames.lazy.compactMap { shape.names[$0] }.first
    guard let value = index.map({ entries[$0].value }), let text = value.items.first?.text?.trimmed,
      text.contains("@"), !text.contains(" ")
    else { return nil }
    return Node(.scalar(Scalar("gravatar:" + text, style: .quoted)), at: value.position)
  }

  private func isMet(
    _ path: ValuePath, _ values: [String], _ entries: [Entry], _ shape: Shape
  ) -> Bool {
    guard let node = Self.value(path, entries, shape) else { return false }
    return node.items.contains { $0.text.map { values.contains($0.lowercased()) } ?? false }
  }

  // MARK: One bad value is no reason to refuse a person

  /// The value as a user's record has it; nil if there is nothing in it.
  private func cleaned(
    _ node: Node, _ key: String, _ reader: inout FieldReader, _ path: NodePath,
    isBeside: Bool = false
  ) -> Node? {
    if reader.isAbsent(node) { return nil }
    switch node.content {
    case .sequence(let items) where key != "focus":
      let isOne = !["avatar", "tags", "links", "styles", "decorations"].contains(key)
      let items = items.compactMap { cleaned($0, key, &reader, path, isBeside: isBeside) }
      return isOne ? items.first : items.isEmpty ? nil : Node(.sequence(items), at: node.position)
    case .mapping where key != "focus":
      // `photo: { src: …, alt: … }`
      return ["url", "src", "href", "name", "title"].lazy
        .compactMap { node.value(at: [$0][...]) }.first { $0.text != nil }
        .flatMap { cleaned($0, key, &reader, path, isBeside: isBeside) }
    case .scalar(let scalar):
      // `team: true`
      if key == "tags" || key == "avatar" || key == "link", scalar.isAnswer { return nil }
      // A file's name may have any spaces in it.
      var text = key == "avatar" ? scalar.text.trimmed : Self.plain(scalar.text)
      if key == "about" {
        let lines = scalar.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        text = lines.map { Self.plain(String($0)) }.joined(separator: "\n").trimmed
      }
      if text.isEmpty { return nil }
      if key == "link" || key == "links" { text = Self.link(text) }
      if key == "avatar", let root = wanted.root, text.hasPrefix("/"), !text.hasPrefix("//"),
        !isFetched || root.contains("://")
      {
        text = root + text
      } else if isBeside, let page, page.isMarkdown || outside == nil && !page.isPicture {
        text = page.picture(text)
      } else if isBeside, let outside, case .file? = AvatarSource.Kind(source: text) {
        guard !text.hasPrefix("/"), !text.split(separator: "/").contains("..") else {
          reader.report(
            .warning, .badText, "\(text.shortened) does not lie beside the list",
            at: node.position, path, help: "say in `root` where paths begin, or copy the picture")
          return nil
        }
        text = outside + text
      }
      if key != "avatar", text.utf8.count > ManifestLimits.textBytes {
        reader.report(
          .warning, .badText, "the text is \(text.utf8.count) bytes long, and is cut",
          at: node.position,
          path)
        let kept = Self.cut(text, to: ManifestLimits.textBytes - 3)
        text = (kept.lastIndex(of: " ").map { String(kept[..<$0]) } ?? kept) + "…"
      }
      if text == scalar.text { return node }
      return Node(.scalar(Scalar(text, style: scalar.style)), at: node.position)
    default: return node
    }
  }

  /// Words with one space between them, without control characters.
  static func plain(_ text: String) -> String {
    // Nearly every text is so already.
    var isSpace = true
    let isPlain = text.utf8.allSatisfy { byte in
      defer { isSpace = byte == 0x20 }
      return byte > 0x20 && byte < 0x7F || byte == 0x20 && !isSpace
    }
    if isPlain && !isSpace { return text }
    return text.plain
  }

  private static func cut(_ text: String, to limit: Int) -> String {
    // A character has more bytes than one, sometimes many.
    var kept = text.prefix(limit)
    while kept.utf8.count > limit { kept.removeLast() }
    return String(kept)
  }
}
