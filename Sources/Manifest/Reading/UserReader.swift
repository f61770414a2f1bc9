import Bytes
import Diagnostics
import Documents
import Recipes

/// A reader of users that formats messages only for errors, because there may be 100,000 users.
struct UserReader {
  typealias NamedItem = (source: AvatarSource.Kind, item: Field)

  var fields: FieldReader
  private let styles: [String: Int]
  private let decorations: Set<String>
  var fallback: [NamedItem] = []
  /// Whether to read `alias`, which may mean something else in external lists.
  private let hasAliases: Bool
  private(set) var users: [User] = []
  private(set) var joined = 0
  /// The first use of each id; canonically equivalent ids count as equal.
  private var places: [String: (position: Position, list: Int, index: Int)] = [:]
  private var numbers: [String: (list: Int, index: Int)] = [:]
  /// Users with derived ids: indices in `users` and hashes of their records.
  private var unnumbered: [(index: Int, record: Int, position: Position)] = []
  /// A remote list's URL and its people's ids; such a list must not refer to local files.
  var fetched: (base: String, ids: Set<String>)?
  private var list = 0
  private var isInManifest: Bool { list == 0 }
  /// Inline pictures without duplicates, and their total size in bytes.
  private var inlined: Set<InlinePicture> = []
  private var inlinedBytes = 0

  init(_ fields: FieldReader, of manifest: Manifest) {
    self.fields = fields
    let names = manifest.styles.enumerated().map { ($1.name, $0) }
    styles = Dictionary(names) { first, _ in first }
    decorations = Set(manifest.styles.flatMap { $0.decorations.compactMap(\.name) })
    hasAliases = manifest.exports.contains(.aliases)
  }

  /// Reads the next user, reporting and dropping invalid values.
  ///
  /// An invalid id is an error in the manifest; in a list, the user is skipped.
  mutating func read(
    _ node: Node, index: Int, hasOwnID: Bool = true, ownNumber: String? = nil,
    hasMailID: Bool = false, mail: String? = nil, row: Node? = nil, refusesPhoto: Bool = false
  ) {
    let path = NodePath.item(index, of: .key("users", in: .root))
    guard node.isMapping || isInManifest else {
      return fields.report(
        .warning, .wrongType, "this is not a person, so it is skipped",
        at: fields.located(path, at: node.position))
    }
    let errors = fields.diagnostics.count(.error)
    fields.isForgiving = node.isMapping
    defer { (fields.isForgiving, fields.person) = (false, nil) }
    guard let values = fields.mapping(Field(node: node, path: path), User.keys.table) else {
      return
    }
    fields.isForgiving = !isInManifest
    let ownID = values["id"].flatMap { id($0) }
    // Messages name the person by id, unless the id contains an email address.
    (fields.isForgiving, fields.person) = (
      true, hasOwnID && ownID?.contains("@") == false ? ownID : nil
    )
    var start = node.position
    // A table's keys are in its header, so a key's position does not identify the row.
    if !fields.isTabular, case .mapping(let entries) = node.content, let first = entries.first {
      start = first.keyPosition
    }
    var user = User(
      id: ownID ?? "", name: values["name"].flatMap { fields.text($0) } ?? "",
      at: FileLocation(file: fields.file, position: start), number: index)
    func visible(_ text: String) -> String? { text.isBlank ? nil : text }
    let own = values["avatar"].map { sources($0) } ?? []
    user.background = values["background"].flatMap { fields.color($0) }
    user.title = values["title"].flatMap { fields.text($0) }.flatMap(visible)
    user.organisation = values["organisation"].flatMap { fields.text($0) }.flatMap(visible)
    user.about = values["about"].flatMap { fields.text($0, allowsLines: true) }.flatMap(visible)
    // Use NFC, because the gallery's scripts compare tags by code units.
    user.tags =
      items(values["tags"], limit: ManifestLimits.tags, marks: wordMarks)
      .compactMap { fields.text($0).flatMap(visible).map(Initialism.normalized) }.distinct
    user.link = values["link"].flatMap { link($0) }
    user.links = items(values["links"], limit: ManifestLimits.tags).compactMap { link($0) }.distinct
    user.styles = values["styles"].flatMap { field in
      let names = names(
        field, limit: ManifestLimits.styles, "style", .unknownStyle, among: styles.keys)
      // An empty list means no styles; a list with only unknown names means all styles.
      return names.isEmpty && !field.items.isEmpty
        ? nil : Set(names.compactMap { styles[$0] }).sorted()
    }
    user.focus = values["focus"].flatMap { fields.pinnedFocus($0) }
    user.decorations = Set(
      names(
        values["decorations"], limit: ManifestLimits.decorations, "decoration", .unknownDecoration,
        among: decorations, otherwise: "add a `name` to a style's decoration")
    ).sorted()
    user.alias = values["alias"].flatMap { alias($0) }
    user.hasMailID = hasMailID
    user.refusesPhoto = refusesPhoto || fetched != nil
    guard let id = values["id"] else {
      return fields.report(
        isInManifest ? .error : .warning, .missingKey, "`id` is missing",
        at: fields.located(path, at: start), help: "every user needs an `id`")
    }
    if user.id.isEmpty { return }
    fetched?.ids.insert(user.id)
    var isOwn = hasOwnID
    if isOwn, let first = places[user.id] {
      guard !isInManifest else {
        return fields.report(
          .error, .duplicateID, "two users have the id \(user.id.quoted)", at: fields.located(id),
          note: "the first is at \(FileLocation(file: fields.file, position: first.position))",
          help: "give one of them a different id")
      }
      let name = users[first.index].name
      if user.name.isBlank || name == user.id || name == user.name {
        if first.list == list {
          fields.report(
            .note, .duplicateID,
            "\(user.id.quoted) appears again: records with the same id and name are merged",
            at: fields.located(id))
        }
        return complete(first.index, with: user, own, joinsTags: first.list == list)
      }
      // Treat the record as another person: ids are unique only within a list, and may be wrong.
      isOwn = false
    }
    if isOwn { places[user.id] = (id.node.position, list, users.count) }
    guard fields.diagnostics.count(.error) == errors else { return }
    if !isOwn {
      if let ownNumber {
        // Different lists may assign the same number to different people.
        if let first = numbers[ownNumber], users[first.index].name == user.name {
          return complete(first.index, with: user, own, joinsTags: first.list == list)
        }
        numbers[ownNumber] = (list, users.count)
      }
      unnumbered.append((users.count, (row ?? node).words.hashValue, id.node.position))
      user.idCheck = MadeIDs.check(
        name: user.name, mail: mail ?? node.words.joined(separator: "\n"))
    }
    if user.name.isBlank { user.name = user.id }
    user.avatars = avatars(of: user, own)
    users.append(user)
  }

  /// Starts the next list, whose records may add values to people from earlier lists.
  mutating func startList() { list += 1 }

  private func avatars(of user: User, _ own: [NamedItem]) -> [AvatarSource] {
    // A user with only a background gets no fallback pictures.
    let isWholeList = own.isEmpty && user.background != nil
    return (isWholeList ? [] : own + fallback).enumerated().map { index, named in
      AvatarSource(
        named.source, at: named.item.node.position,
        fallback: index < own.count ? nil : Int16(index - own.count))
    }
  }

  /// Fills in missing values from a later record, because a person in two groups is listed twice.
  private mutating func complete(
    _ index: Int, with later: User, _ own: [NamedItem], joinsTags: Bool
  ) {
    joined += 1
    var user = users[index]
    if user.name == user.id, !later.name.isBlank { user.name = later.name }
    user.background = user.background ?? later.background
    for path in [\User.title, \.link, \.organisation, \.about, \.alias] {
      user[keyPath: path] = user[keyPath: path] ?? later[keyPath: path]
    }
    if user.links.isEmpty { user.links = later.links }
    user.styles = user.styles ?? later.styles
    user.focus = user.focus ?? later.focus
    if user.decorations.isEmpty { user.decorations = later.decorations }
    if user.tags.isEmpty || joinsTags {
      user.tags = Array((user.tags + later.tags).distinct.prefix(ManifestLimits.tags))
    }
    user.hasMailID = user.hasMailID || later.hasMailID
    if !user.avatars.contains(where: { $0.fallback == nil }) {
      user.avatars = avatars(of: user, own)
      // Messages refer to the first list's file, so use the user's position in that file.
      let position = user.declared.location.position ?? Position(line: 1, column: 1)
      for number in user.avatars.indices where user.avatars[number].fallback == nil {
        user.avatars[number].position = position
      }
    }
    users[index] = user
  }

  /// Merges identical records and assigns derived ids: those from earlier builds, or unused ones.
  mutating func finishIDs(_ made: MadeIDs) {
    var seen: [String: Set<Int>] = [:]
    var equal: Set<Int> = []
    func take(_ id: String, _ index: Int, _ position: Position) {
      users[index].id = id
      places[id] = (position, list, index)
    }
    var others: [(index: Int, position: Position)] = []
    for (index, record, position) in unnumbered {
      let base = users[index].id
      guard seen[base, default: []].insert(record).inserted else {
        equal.insert(index)
        continue
      }
      let former = users[index].idCheck.map { made.ids(of: base, $0) } ?? []
      if let id = former.first(where: { places[$0] == nil }) {
        take(id, index, position)
      } else {
        others.append((index, position))
      }
    }
    var numbers: [String: Int] = [:]
    for (index, position) in others {
      let base = users[index].id
      guard places[base] != nil else {
        take(base, index, position)
        continue
      }
      var number = numbers[base, default: 1]
      repeat { number += 1 } while places["\(base)-\(number)"] != nil
      numbers[base] = number
      take("\(base)-\(number)", index, position)
      let user = users[index]
      fields.report(
        .warning, .duplicateID, "another person has the same id; this one gets \(user.id.quoted)",
        at: Located(user.declared.location, path: user.declared.path + ".id"),
        help: "give each person an `id`; if these records are the same person, set "
          + "fields: { id: \"{name | slug}\" }")
    }
    joined += equal.count
    if !equal.isEmpty {
      users = users.enumerated().filter { !equal.contains($0.offset) }.map(\.element)
    }
    unnumbered = []
  }

  private mutating func id(_ field: Field) -> String? {
    guard let id = fields.text(field, limit: ManifestLimits.idBytes, id: .badID) else { return nil }
    guard id.isBlank else { return id }
    return fields.reject(.badID, "the id is blank", field, help: "every user needs an `id`")
  }

  mutating func sources(_ field: Field) -> [NamedItem] {
    items(field, limit: ManifestLimits.avatarsOfOneUser).compactMap { item in
      // `data:` URLs are long, so only the document's own limits apply.
      guard let text = fields.text(item, limit: .max), !text.isEmpty,
        let source = fields.source(
          fetched.map { AvatarSource.Kind.resolved(text, in: $0.base) } ?? text, item)
      else { return nil }
      guard fetched.map({ source.isAllowed(inListAt: $0.base) }) ?? true else {
        return fields.reject(
          .badAddress, "\(text.quoted) is not allowed in a remote list", item,
          help: "use https:// URLs, or URLs relative to the list")
      }
      return sharing(source, item).map { ($0, item) }
    }
  }

  /// Shares the bytes of identical inline pictures, or returns nil if their total is too large.
  private mutating func sharing(_ source: AvatarSource.Kind, _ field: Field) -> AvatarSource.Kind? {
    guard case .inline(let picture) = source else { return source }
    let (inserted, member) = inlined.insert(picture)
    if inserted { inlinedBytes += picture.bytes.count }
    guard inlinedBytes > ManifestLimits.inlineBytes else { return .inline(member) }
    return fields.reject(
      .tooMany, "inline pictures exceed \(ManifestLimits.inlineBytes >> 20) MiB in total", field,
      help: "move them to files")
  }

  private mutating func link(_ field: Field) -> String? {
    guard let link = fields.text(field), !link.isEmpty else { return nil }
    if WebURL.isLink(link) { return link }
    // The message does not quote user info, which may contain a password.
    let hasUser = link.contains("@")
    return fields.reject(
      .badLink, hasUser ? "cannot use the link" : "\(link.quoted) is not a link", field,
      help: "start it with https://, http:// or mailto:, without spaces, invisible characters or a "
        + "username before the host")
  }

  private mutating func alias(_ field: Field) -> String? {
    guard hasAliases || isInManifest,
      let text = fields.text(field, limit: ManifestLimits.nameBytes, id: .badName), !text.isEmpty
    else { return nil }
    if text.filter({ $0 != "_" }).isWord { return text }
    return fields.reject(
      .badName, "\(text.quoted) is not a valid alias", field, help: "use only a-z, 0-9, - and _")
  }

  private mutating func names(
    _ field: Field?, limit: Int, _ kind: String, _ unknown: DiagnosticID,
    among known: some Collection<String>, otherwise help: String? = nil
  ) -> [String] {
    items(field, limit: limit, marks: wordMarks).compactMap { item in
      guard let name = fields.text(item) else { return nil }
      if known.contains(name) { return name }
      fields.reportUnknown(kind, name, unknown, item, among: known.sorted(), otherwise: help)
      return nil
    }
  }

  /// Returns the items of a list or the parts of a table cell, without absent items.
  private mutating func items(_ field: Field?, limit: Int, marks: String = ";|") -> [Field] {
    guard let field, let items = fields.list(field, limit: limit) else { return [] }
    guard fields.isTabular else { return items.filter { !fields.isAbsent($0.node) } }
    let parts = items.flatMap { item -> [Field] in
      guard case .scalar(let cell) = item.node.content else { return [item] }
      return split(cell.text, at: marks).map {
        let node = Node(.scalar(Scalar($0, style: .plain)), at: item.node.position)
        return Field(node: node, path: item.path)
      }
    }
    if parts.count <= limit { return parts }
    fields.report(.tooMany, "too many values: \(parts.count); at most \(limit) are allowed", field)
    return []
  }

  private var wordMarks: String { fields.hasSemicolons ? ";|," : ";|" }
}

extension Node {
  fileprivate var words: [String] {
    switch content {
    case .scalar(let scalar): [scalar.text]
    case .sequence(let items): items.flatMap(\.words)
    case .mapping(let entries): entries.flatMap { [$0.key] + $0.value.words }
    }
  }
}

/// Splits a cell at separators, other than a `;` in a `data:` URL, and trims the parts.
private func split(_ cell: String, at marks: String) -> [String] {
  guard cell.utf8.contains(where: marks.utf8.contains) else { return [cell] }
  var parts: [String] = []
  for part in cell.utf8.split(omittingEmptySubsequences: false, whereSeparator: marks.utf8.contains)
  {
    if let last = parts.last, last.hasPrefix("data:"), !last.contains(",") {
      parts[parts.count - 1] = "\(last);\(Substring(part))"
    } else {
      parts.append(String(Substring(part).trimmingBlanks))
    }
  }
  return parts.filter { !$0.isEmpty }
}
