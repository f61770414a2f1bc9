import Diagnostics
import Documents

/// Finds the people in a JSON, YAML or TOML document.
///
/// 1. Each list of records in the document is a candidate.
/// 2. `at` selects the lists. Without `at`, lists with a name such as `members` are selected, or
///    else the only plausible candidate.
/// 3. If several lists are selected, each record gets its list's name as its group.
extension Document {
  fileprivate typealias Candidate = (path: [String], list: Node)
  /// The records, their path if all are from one list, the other lists' paths, and a help text.
  typealias People = (records: [Node], at: String?, others: [String], help: String?)

  /// Finds the people, or a single person if `isOne` is true.
  func people(at path: ValuePath?, isOne: Bool) throws(Diagnostic) -> People {
    if let path {
      let lists = root.lists(at: path.names[...])
      if !lists.isEmpty { return (records(of: lists), nil, [], nil) }
    }
    if isOne, path == nil, root.isPerson { return (root.items, nil, [], nil) }
    let all = root.candidates()
    let candidates = all.filter { path, list in
      list.hasRecords || path.isEmpty || ColumnNames.isOfPeople(path.last ?? "")
        || ColumnNames.all("answer").contains(path.last ?? "")
    }
    var chosen = path == nil ? candidates.chosen : []
    if chosen.isEmpty, isOne, path == nil { return (root.items, nil, [], nil) }
    let (likely, likelyPaths) = (chosen, Set(chosen.map(\.path)))
    // In `{ authors: […], tutors: […] }`, a list like the chosen one may contain people too.
    if chosen.areLike(candidates) { chosen = [] }
    // Also suggest lists of texts if the chosen lists contain only texts.
    let hasRecords = chosen.isEmpty || chosen.contains(where: \.list.hasRecords)
    let usable = all.filter { !hasRecords || $0.list.hasRecords }
    let rest = usable.filter { !likelyPaths.contains($0.path) }
    let unused = chosen.isEmpty ? likely + rest : rest
    let others = unused.map { $0.list.place(at: $0.path) }
    let help = help(for: unused.prefix(12), of: usable)
    if chosen.isEmpty {
      let contacts = root.candidates(withContacts: true).first {
        $0.list.hasRecords && $0.path.contains(where: ColumnNames.mayBePrivate)
      }
      throw Diagnostic(
        .error, .listExpected,
        path.map { "there is nothing at \($0.text.quoted)" }
          ?? "cannot \(others.isEmpty ? "find a list of people" : "tell which lists contain people")",
        at: FileLocation(file: file, position: root.position),
        note: others.isEmpty ? nil : "lists found: \(others.prefix(12).joined(separator: ", "))",
        help: help
          ?? contacts.map { $0.path.joined(separator: ".") }.map {
            "if \($0.quoted) contains the people and not private contacts, set at: \($0.typed)"
          } ?? "set the list's path, as in users: { from: team.json, at: people }")
    }
    // A list of groups, as in `[{ name: Gold, members: […] }]`.
    let names = chosen.map { $0.list.nameInGroups.map { [$0] } ?? [] }
    let lists = zip(chosen, names).flatMap { candidate, names in
      let title = candidate.path.last?.split(separator: "_").joined(separator: " ")
      return candidate.list.lists(
        at: names.map(ValuePath.plain)[...],
        group: chosen.count > 1 ? title.map(candidate.list.with) : nil)
    }
    let place = chosen[0].path + names[0]
    let isPlain = chosen.count == 1 && !place.isEmpty && !place.contains { $0.contains(".") }
    return (records(of: lists), isPlain ? place.joined(separator: ".") : nil, others, help)
  }

  /// Suggests only paths that work: a key may contain a dot, and `*` may match too many lists.
  private func help(for others: ArraySlice<Candidate>, of all: [Candidate]) -> String? {
    func lists(at place: String) -> [Node] {
      place.contains { "\"\\".contains($0) }
        ? [] : root.lists(at: ValuePath(place).names[...]).map(\.list).filter { !$0.items.isEmpty }
    }
    let one = others.lazy.filter(hasPeople).map { $0.list.place(at: $0.path) }
      .first { !lists(at: $0).isEmpty }
    let place = ((all.first?.path.dropLast() ?? []) + ["*"]).joined(separator: ".")
    let hasAll =
      all.count > 1 && !others.isEmpty
      && all.allSatisfy { $0.list.nameInGroups == nil && hasPeople($0) }
      && lists(at: place) == all.map(\.list)
    let parts = [
      one.map { "to choose a list, set at: \($0.typed) in the manifest" },
      hasAll ? "to use all, set at: \(place.quoted)" : nil,
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private func hasPeople(_ candidate: Candidate) -> Bool {
    !candidate.path.contains(where: ColumnNames.mayBePrivate)
      && (candidate.list.nameInGroups != nil
        || candidate.list.people.prefix(100).contains(where: \.hasName))
  }

  private func records(of lists: [(group: Node?, list: Node)]) -> [Node] {
    lists.flatMap { group, list in
      list.people.map { person in
        let person = person.unwrapped
        return group.map(person.inGroup) ?? person
      }
    }
  }
}

extension [(path: [String], list: Node)] {
  /// Returns whether a sibling of these lists has mostly the same keys and contains people's names.
  ///
  /// Lists such as `members` are complete, and only people have a key such as `role` or `email`.
  fileprivate func areLike(_ others: Self) -> Bool {
    let parts = filter { !ColumnNames.isWhole($0.path.last ?? "") }
    let keys = Dictionary(grouping: parts) { $0.path.dropLast() }.mapValues {
      Set($0.map(\.list.keys))
    }
    let taken = Set(map(\.path))
    return others.contains { path, list in
      guard !taken.contains(path), let known = keys[path.dropLast()],
        !path.contains(where: ColumnNames.mayBePrivate)
      else { return false }
      let own = list.keys
      return known.contains {
        let shared = $0.intersection(own)
        return shared.count * 3 >= $0.union(own).count * 2
          && shared.contains { ColumnNames.certainOfPeople.contains(ValuePath.plain($0)) }
      } && list.hasNamesOfPeople
    }
  }

  /// The outermost lists with names such as `members`, or else the only plausible list.
  fileprivate var chosen: Self {
    var named = filter { $0.path.last.map(ColumnNames.isOfPeople) == true }
    if named.contains(where: \.list.hasRecords) { named.removeAll { !$0.list.hasRecords } }
    let members = named.filter { !$0.path.suffix(1).contains(where: ColumnNames.isContacts) }
    if !members.isEmpty { named = members }
    let usual = named.filter { $0.path.last.map(ColumnNames.isUsual) == true }
    if let depth = (usual.isEmpty ? named : usual).map(\.path.count).min() {
      return named.filter { $0.path.count == depth }
    }
    let tests: [(Element) -> Bool] = [
      { $0.path.contains(where: ColumnNames.isOfPeople) },
      { $0.path.last.map(ColumnNames.all("answer").contains) == true }, { _ in true },
    ]
    let only = tests.lazy.map { self.filter($0) }.first { $0.count == 1 } ?? []
    return only.filter { $0.path.count == 1 || !$0.path.contains(where: ColumnNames.isPrivate) }
  }
}

extension Node {
  /// A record with the node's text as its `name`; nil if the node is not text.
  var namedRecord: Node? {
    guard case .scalar(let scalar) = content, [.plain, .quoted].contains(scalar.style) else {
      return nil
    }
    return Node(.mapping([Entry(key: "name", keyPosition: position, value: self)]), at: position)
  }

  /// Returns the record with the group's name added, unless the record contains a group.
  func inGroup(_ group: Node) -> Node {
    guard case .mapping(let entries) = (namedRecord ?? self).content,
      !entries.contains(where: { ValuePath.plain($0.key) == "group" })
    else { return self }
    let entry = Entry(key: "group", keyPosition: group.position, value: group)
    return Node(.mapping(entries + [entry]), at: position)
  }

  var isPerson: Bool {
    guard case .mapping(let entries) = content else { return false }
    return entries.contains { ColumnNames.ofPeople.contains(ValuePath.plain($0.key)) }
  }

  private var name: Node? {
    entries?.first { ColumnNames.certainNames.contains(ValuePath.plain($0.key)) }?.value
  }

  fileprivate var hasName: Bool { name != nil }

  /// The first records of a list, or of a mapping keyed by id.
  private var sample: [Node] {
    if case .mapping(let entries) = content { return entries.prefix(100).map(\.value) }
    return Array(items.prefix(100))
  }

  fileprivate var keys: Set<String> { Set(sample.flatMap { $0.entries?.map(\.key) ?? [] }) }

  fileprivate var hasNamesOfPeople: Bool {
    sample.count { record in
      let name = record.name?.text
      return name.map { $0.isName || $0.isHan && 2...4 ~= $0.count } == true
        || record.first(of: ColumnNames.family) != nil
    } * 5 > sample.count * 4
  }

  var isMapping: Bool { if case .mapping = content { true } else { false } }

  /// Finds the lists below mappings; treats a mapping from ids to people as a list.
  fileprivate func candidates(
    at path: [String] = [], withContacts: Bool = false
  ) -> [(path: [String], list: Node)] {
    guard case .mapping(let entries) = content else { return isList ? [(path, self)] : [] }
    let isKeyed = entries.allSatisfy(\.value.isMapping) && entries.contains { $0.value.isPerson }
    if isKeyed, entries.contains(where: \.value.hasName) { return [(path, self)] }
    let open = entries.filter { !$0.value.isScalar && (withContacts || !hasContacts($0.key)) }
    let lists =
      path.count > 5
      ? [] : open.flatMap { $0.value.candidates(at: path + [$0.key], withContacts: withContacts) }
    // In `team: { title: Our team, people: […] }`, the key `team` is not the id of a person.
    let isGroup = lists.contains { inner, list in
      list.hasRecords && inner.count > path.count + 1
        && ColumnNames.isUsual(inner[path.count]) && ColumnNames.isUsual(inner[inner.count - 1])
    }
    return isKeyed && !isGroup ? [(path, self)] : lists
  }

  /// Returns whether the lists below a key contain this person's or organisation's contacts.
  private func hasContacts(_ key: String) -> Bool {
    let isPrivate = ColumnNames.isPrivate(key)
    guard isPrivate || ColumnNames.isContacts(key), let entries else { return false }
    return entries.contains { entry in
      let (name, text) = (ValuePath.plain(entry.key), (entry.value.innerText ?? entry.value).text)
      let isKey = ColumnNames.ofPeople.contains(name) || ColumnNames.parts.contains(name)
      if isPrivate { return isKey }
      let isRole = ColumnNames.all("title").contains(name) && (hasName || name != "title")
      guard let text, !text.isEmpty, Double(text) == nil else { return false }
      return text.isValue || isRole || ColumnNames.all("avatar").contains(name)
    }
  }

  fileprivate var hasRecords: Bool { isMapping || items.contains(where: \.isMapping) }

  /// The key that contains each group's people, if this is a list of groups.
  fileprivate var nameInGroups: String? {
    guard isList else { return nil }
    let names = Set(
      items.map { group in
        let lists = group.candidates().filter { $0.path.count == 1 && $0.list.hasRecords }
        let names = lists.map { $0.path[0] }.filter(ColumnNames.isUsual)
        return names.first { !ColumnNames.isContacts($0) } ?? names.first
      })
    return names.count == 1 ? names.first ?? nil : nil
  }

  fileprivate func place(at path: [String]) -> String {
    (path + (nameInGroups.map { [$0] } ?? [])).joined(separator: ".")
  }

  /// The items of a list, the values of a mapping keyed by id, or the node itself.
  fileprivate var people: [Node] {
    guard case .mapping(let entries) = content else { return items }
    // The key is the id, as in `ada: { name: Ada Lovelace }`.
    return entries.map { entry in
      guard case .mapping(let own) = entry.value.content, !own.contains(where: { $0.key == "id" })
      else { return entry.value }
      let id = Node.text(entry.key, at: entry.keyPosition)
      let first = Entry(key: "id", keyPosition: entry.keyPosition, value: id)
      return Node(.mapping([first] + own), at: entry.value.position)
    }
  }

  /// Returns the lists at a path with their group names; `*` matches every key.
  fileprivate func lists(
    at names: ArraySlice<String>, group: Node? = nil
  ) -> [(group: Node?, list: Node)] {
    guard let name = names.first else { return [(group, self)] }
    switch content {
    case .mapping(let entries) where name == "*":
      // Skip values such as `links` in `{ board: […], links: { site: … } }`.
      return entries.filter { names.count > 1 || $0.value.isGroup }.flatMap { entry in
        entry.value.lists(at: names.dropFirst(), group: .text(entry.key, at: entry.keyPosition))
      }
    case .sequence(let items) where Int(name) == nil:
      return items.flatMap { item in
        let title = item.first(of: ["name", "title", "group", "label"] + ColumnNames.all("tags"))
        return item.lists(at: name == "*" ? names.dropFirst() : names, group: title ?? group)
      }
    default: return value(at: [name]).map { $0.lists(at: names.dropFirst(), group: group) } ?? []
    }
  }

  private var isGroup: Bool {
    guard case .mapping(let entries) = content else { return isList }
    return entries.allSatisfy(\.value.isMapping)
  }

  /// The inner record merged with the outer keys, as in `{ user: { name: … }, role: … }`.
  fileprivate var unwrapped: Node {
    guard case .mapping(let entries) = content, !isPerson,
      let inner = entries.first(where: {
        ColumnNames.all("wrapper").contains($0.key) && $0.value.isPerson
      }),
      case .mapping(let own) = inner.value.content
    else { return self }
    return Node(.mapping(own + entries.filter { $0.key != inner.key }), at: position)
  }
}
