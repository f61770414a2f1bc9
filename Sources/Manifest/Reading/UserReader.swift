import Bytes
import Diagnostics
import Documents
import Recipes

/// Reads users one by one, from the manifest or from a file of their own.
///
/// There may be a hundred thousand, so the words of a message are put together only for a mistake.
struct UserReader {
  /// A source that a value names, and where.
  typealias NamedItem = (source: AvatarSource.Kind, item: Field)

  var fields: FieldReader
  /// The styles that `styles` may name.
  let styles: [String: Int]
  /// The names that `decorations` may have.
  let decorations: Set<String>
  /// Tried after all that a user names.
  let fallback: [NamedItem]
  private(set) var users: [User] = []
  /// Where each id stood first; `String` is equal by NFC, as ids are.
  private var places: [String: Place] = [:]
  /// Of a list on the network, which names nothing of ours.
  var fetched: Fetched?
  /// The number of the list that is read.
  private var list: Int32 = 0
  /// The last list of which was told that somebody is in it twice.
  private var repeating: Int32 = -1
  /// Pictures that stand in the manifest itself, each once, and how many bytes they have together.
  private var inlined: Set<InlinePicture> = []
  private var inlinedBytes = 0
  /// Ids that several people would have had.
  private var shared: Set<String> = []
  private var tagLists: Set<[String]> = []
  /// Whether aliases of somebody else's lists are read: there the word can mean other things.
  private let hasAliases: Bool
  /// What many people of a list are.
  private var titles: Set<String> = []

  struct Fetched {
    /// Its address.
    let base: String
    /// Of the people in it.
    var ids: Set<String> = []
  }

  /// A hundred thousand of these are small.
  private struct Place {
    let position: Position
    let list: Int32
    /// In `users`, if the record is there.
    var index: Int32?
    /// Of the record, where the id comes from a name; 0 where it is the user's own.
    var digits: UInt32 = 0
  }

  init(
    _ fields: FieldReader, styles: [String: Int], decorations: Set<String> = [],
    fallback: [NamedItem] = [], hasAliases: Bool = false
  ) {
    self.fields = fields
    self.styles = styles
    self.decorations = decorations
    self.fallback = fallback
    self.hasAliases = hasAliases
  }

  /// The next user; one with a mistake is told and left out.
  ///
  /// An id that is not the user's own gives way to others.
  mutating func read(
    _ node: Node, index: Int, hasOwnID: Bool = true, hasMailID: Bool = false
  ) {
    let path = NodePath.item(index, of: .key("users", in: .root))
    guard case .mapping(let entries) = node.content else {
      guard !fields.isForgiving else {
        return fields.report(
          .warning, .wrongType, "it is no person, and is left out", at: node.position, path)
      }
      fields.reportType(Field(node: node, path: path), expected: "a mapping with keys of a user")
      return
    }
    let errors = fields.diagnostics.count(.error)
    // A table's keys stand in its header, so a row stands where it begins.
    let start = fields.isTabular ? node.position : entries.first?.keyPosition ?? node.position
    var user = User(
      id: "", name: "", at: FileLocation(file: fields.file, position: start), number: index)
    var idPosition: Position?
    var own: [NamedItem] = []
    for entry in entries {
      if fields.isAbsent(entry.value) {
        if !KeyTable.user.keys.contains(entry.key) { reportKey(entry, path) }
        if KeyTable.user.colors.contains(entry.key) {
          fields.noteEmptyColor(entry, .key(entry.key, in: path))
        }
        continue
      }
      let field = Field(node: entry.value, path: .key(entry.key, in: path))
      switch entry.key {
      case "id":
        guard let id = id(field) else { continue }
        user.id = id
        idPosition = entry.value.position
      case "name": user.name = fields.text(field) ?? ""
      case "avatar": own = sources(field)
      case "background": user.background = fields.color(field)
      case "title": user.title = shared(fields.text(field))
      case "organisation": user.organisation = shared(fields.text(field))
      case "about":
        user.about = fields.text(field, allowsLines: true).flatMap { $0.isBlank ? nil : $0 }
      case "tags": user.tags = tags(field)
      case "link": user.link = link(field)
      case "links":
        for item in items(field, limit: ManifestLimits.tags) {
          guard let link = link(item), !user.links.contains(link) else { continue }
          user.links.append(link)
        }
      case "styles": user.styles = styleIndices(field)
      case "focus": user.focus = fields.pinnedFocus(field)
      case "decorations": user.decorations = decorationNames(field)
      case "alias": user.alias = alias(field)
      default: reportKey(entry, path)
      }
    }
    user.hasMailID = hasMailID
    guard let idPosition else {
      // A bad id has been told already; a missing one has not.
      let hasID = entries.contains { $0.key == "id" && !fields.isAbsent($0.value) }
      if !hasID {
        fields.report(
          fields.isForgiving ? .warning : .error, .missingKey, "`id` is missing", at: start, path,
          help: "every user needs an `id`")
      }
      return
    }
    fetched?.ids.insert(user.id)
    var hasOwnID = hasOwnID
    if hasOwnID, fields.isForgiving, let first = places[user.id], first.digits == 0,
      let index = first.index
    {
      let name = users[Int(index)].name
      if user.name.isBlank || name == user.id || name == user.name {
        if first.list == list, repeating != list {
          repeating = list
          fields.report(
            .note, .duplicateID,
            "\(user.id.quoted) is there again: records of one id and name are one person",
            at: idPosition, .key("id", in: path))
        }
        return complete(Int(index), with: user, own, joinsTags: first.list == list)
      }
      // A number counts in one list only, and lists have mistakes: somebody else has the id.
      hasOwnID = false
    }
    let digits = hasOwnID ? 0 : node.digits
    let isSame = !hasOwnID && places[user.id]?.digits == digits
    // The same record twice is the same person.
    if let other = places[user.id], let index = other.index, other.digits > 0, !isSame {
      distinguish(Int(index), other.digits)
    }
    if !hasOwnID, !isSame, places[user.id] != nil || shared.contains(user.id) {
      user.id += Self.text(of: digits)
      if places[user.id] == nil {
        fields.report(
          .warning, .duplicateID, "several people would have one id; this one is \(user.id.quoted)",
          at: idPosition, .key("id", in: path),
          help: "give each of them an `id`, or those who are one person the same, as in "
            + "fields: { id: \"{name | slug}\" }")
      }
    }
    if let first = places[user.id] {
      let file = first.index.map { users[Int($0)].declared.location.file }
      fields.report(
        hasOwnID ? .error : .warning, .duplicateID,
        "there are two users with the id \(user.id.quoted)", at: idPosition, .key("id", in: path),
        note:
          "the first is at \(FileLocation(file: file ?? fields.file, position: first.position))",
        help: "give one of them another id")
      return
    }
    var place = Place(position: idPosition, list: list)
    places[user.id] = place
    guard fields.diagnostics.count(.error) == errors else { return }
    (place.index, place.digits) = (Int32(users.count), digits)
    places[user.id] = place
    if user.name.isBlank { user.name = user.id }
    user.avatars = avatars(of: user, own)
    users.append(user)
  }

  /// The records that follow are those of another list, which may tell more of the same people.
  mutating func startList() { list += 1 }

  private func avatars(of user: User, _ own: [NamedItem]) -> [AvatarSource] {
    // A background alone is picture enough.
    let isWholeList = own.isEmpty && user.background != nil
    return (isWholeList ? [] : own + fallback).enumerated().map { index, named in
      AvatarSource(
        named.source, at: named.item.node.position,
        fallback: index < own.count ? nil : Int16(index - own.count))
    }
  }

  /// Fills in what an earlier record does not say of a person.
  ///
  /// In one list somebody stands twice who belongs to two groups.
  private mutating func complete(
    _ index: Int, with later: User, _ own: [NamedItem], joinsTags: Bool
  ) {
    var user = users[index]
    if user.name == user.id, !later.name.isBlank { user.name = later.name }
    user.background = user.background ?? later.background
    user.title = user.title ?? later.title
    user.link = user.link ?? later.link
    user.organisation = user.organisation ?? later.organisation
    user.about = user.about ?? later.about
    if user.links.isEmpty { user.links = later.links }
    user.styles = user.styles ?? later.styles
    user.focus = user.focus ?? later.focus
    if user.decorations.isEmpty { user.decorations = later.decorations }
    if user.tags.isEmpty || joinsTags {
      let tags = later.tags.filter { !user.tags.contains($0) }
      user.tags += tags.prefix(ManifestLimits.tags - user.tags.count)
    }
    user.alias = user.alias ?? later.alias
    user.hasMailID = user.hasMailID || later.hasMailID
    if !user.avatars.contains(where: { $0.fallback == nil }) {
      user.avatars = avatars(of: user, own)
      // Messages name the file of the first list.
      let position = user.declared.location.position ?? Position(line: 1, column: 1)
      for number in user.avatars.indices where user.avatars[number].fallback == nil {
        user.avatars[number].position = position
      }
    }
    users[index] = user
  }

  /// Gives another id to somebody who has one that is not theirs alone.
  private mutating func distinguish(_ index: Int, _ digits: UInt32) {
    var user = users[index]
    shared.insert(user.id)
    let place = places.removeValue(forKey: user.id)
    repeat { user.id += Self.text(of: digits) } while places[user.id] != nil
    places[user.id] = place
    users[index] = user
  }

  /// Behind an id; the first of the seven digits is only there to keep the zeros behind it.
  private static func text(of digits: UInt32) -> String {
    "-" + String(digits, radix: 16).dropFirst()
  }

  /// Something wrong with a record as text.
  mutating func report(_ problem: Diagnostic, index: Int) {
    var problem = problem
    problem.path = "users[\(index)]"
    // Somebody else's list: who can be read stays.
    if fields.isForgiving { problem.severity = .warning }
    fields.diagnostics.add(problem)
  }

  private mutating func reportKey(_ entry: Entry, _ path: NodePath) {
    fields.reportKey(entry, .key(entry.key, in: path), .user)
  }

  // MARK: One key each

  private mutating func id(_ field: Field) -> String? {
    guard let id = fields.text(field, limit: ManifestLimits.idBytes, id: .badID) else { return nil }
    guard id.isBlank else { return id }
    fields.report(.badID, "the id is blank", field, help: "every user needs an `id`")
    return nil
  }

  /// Each source that a value names.
  mutating func sources(_ field: Field) -> [NamedItem] {
    items(field, limit: ManifestLimits.avatarsOfOneUser).compactMap { item in
      // A source has no limit but the document's: `data:` is long.
      guard let text = fields.text(item, limit: .max), !text.isEmpty,
        let source = fields.source(
          fetched.map { AvatarSource.Kind.resolved(text, in: $0.base) } ?? text, item)
      else { return nil }
      guard fetched.map({ source.isAllowed(inListAt: $0.base) }) ?? true else {
        fields.report(
          .badAddress, "\(text.quoted) is not taken from a list on the network", item,
          help: "such a list names addresses with https://, also relative to its own")
        return nil
      }
      return sharing(source, item).map { ($0, item) }
    }
  }

  /// The same, with the bytes of an equal picture; nil where there are too many bytes.
  private mutating func sharing(_ source: AvatarSource.Kind, _ field: Field) -> AvatarSource.Kind? {
    guard case .inline(let picture) = source else { return source }
    let (inserted, member) = inlined.insert(picture)
    if inserted { inlinedBytes += picture.bytes.count }
    guard inlinedBytes > ManifestLimits.inlineBytes else { return .inline(member) }
    fields.report(
      .tooMany,
      "pictures in the manifest have more than \(ManifestLimits.inlineBytes >> 20) MiB together",
      field, help: "put them into files")
    return nil
  }

  /// In NFC: scripts compare tags by their units, and equal ones shall be equal there too.
  private mutating func tags(_ field: Field) -> [String] {
    var tags: [String] = []
    for item in items(field, limit: ManifestLimits.tags, marks: wordMarks) {
      guard let text = fields.text(item), !text.isBlank else { continue }
      let tag = Initialism.normalized(text)
      if !tags.contains(tag) { tags.append(tag) }
    }
    // Most people of a list have tags that others have too, and then the same list of them.
    if let known = tagLists.firstIndex(of: tags) { return tagLists[known] }
    if tagLists.count < 1_000 { tagLists.insert(tags) }
    return tags
  }

  /// The same text with the memory of an equal one; nil for a blank one.
  private mutating func shared(_ text: String?) -> String? {
    guard let text, !text.isBlank else { return nil }
    if let known = titles.firstIndex(of: text) {
      // Equal texts may have other bytes.
      return titles[known].utf8.elementsEqual(text.utf8) ? titles[known] : text
    }
    if titles.count < 1_000 { titles.insert(text) }
    return text
  }

  private mutating func link(_ field: Field) -> String? {
    guard let link = fields.text(field), !link.isEmpty else { return nil }
    if WebURL.isLink(link) { return link }
    fields.report(
      .badLink, "\(link.quoted) is no link", field,
      help: "links start with https://, http:// or mailto:, and have no spaces")
    return nil
  }

  private mutating func alias(_ field: Field) -> String? {
    guard hasAliases || !fields.isForgiving,
      let text = fields.text(field, limit: ManifestLimits.nameBytes, id: .badName), !text.isEmpty
    else { return nil }
    if text.filter({ $0 != "_" }).isWord { return text }
    fields.report(
      .badName, "\(text.quoted) is no alias", field,
      help: "an alias has the characters a-z, 0-9, - and _")
    return nil
  }

  private mutating func styleIndices(_ field: Field) -> [Int] {
    var indices: Set<Int> = []
    for item in items(field, limit: ManifestLimits.styles, marks: wordMarks) {
      guard let name = fields.text(item) else { continue }
      if let index = styles[name] {
        indices.insert(index)
      } else {
        fields.reportUnknown("style", name, .unknownStyle, item, among: styles.keys.sorted())
      }
    }
    return indices.sorted()
  }

  private mutating func decorationNames(_ field: Field) -> [String] {
    var names: Set<String> = []
    for item in items(field, limit: ManifestLimits.decorations, marks: wordMarks) {
      guard let name = fields.text(item) else { continue }
      if decorations.contains(name) {
        names.insert(name)
      } else {
        fields.reportUnknown(
          "decoration", name, .unknownDecoration, item, among: decorations.sorted(),
          otherwise: "no style has decorations with a `name`")
      }
    }
    return names.sorted()
  }

  /// The values of a list without absent ones; in a table the parts of a cell are values.
  ///
  /// `marks` is what stands between them; the name of a picture may have a comma in it.
  private mutating func items(_ field: Field, limit: Int, marks: String = ";|") -> [Field] {
    guard let items = fields.list(field, limit: limit) else { return [] }
    guard fields.isTabular else { return items.filter { !fields.isAbsent($0.node) } }
    let parts = items.flatMap { item -> [Field] in
      guard case .scalar(let cell) = item.node.content else { return [item] }
      return split(cell.text, at: marks).map {
        let node = Node(.scalar(Scalar($0, style: .plain)), at: item.node.position)
        return Field(node: node, path: item.path)
      }
    }
    if parts.count <= limit { return parts }
    fields.report(.tooMany, "\(parts.count) values are too many, allowed are \(limit)", field)
    return []
  }

  private var wordMarks: String { fields.hasSemicolons ? ";|," : ";|" }
}

extension Node {
  /// Six digits of all that stands in a record, behind a 1: when a namesake leaves, they stay what
  /// they are.
  fileprivate var digits: UInt32 {
    let digest = Digest(of: Array(words.joined(separator: "\0").utf8))
    return digest.bytes.prefix(3).reduce(1) { $0 << 8 | UInt32($1) }
  }

  private var words: [String] {
    switch content {
    case .scalar(let scalar): [scalar.text]
    case .sequence(let items): items.flatMap(\.words)
    case .mapping(let entries): entries.flatMap { [$0.key] + $0.value.words }
    }
  }
}

/// The parts of a cell between marks, without the space around them; `data:` keeps its own `;`.
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
