import Diagnostics
import Documents

/// Finds the people in a JSON, YAML or TOML document.
///
/// 1. Each list of records in the document is a candidate.
/// 2. `at` chooses, else names such as `members`, else there must be one candidate only.
/// 3. Records of several lists get the name of their list as group.
extension Document {
  /// The records, the list's place for `at` if there is one list, and the places of other lists.
  typealias People = (records: [Node], at: String?, others: [String])

  /// If the document `isOne` person, it is a list of one.
  func people(at path: ValuePath?, isOne: Bool) throws(Diagnostic) -> People {
    if let path {
      let lists = root.lists(at: path.names[...])
      if !lists.isEmpty { return (records(of: lists), nil, []) }
    }
    if isOne, path == nil, root.isPerson { return (root.items, nil, []) }
    let candidates = root.candidates()
    let chosen = path == nil ? candidates.chosen : []
    let names = candidates.filter(\.list.hasRecords).map { $0.path.joined(separator: ".") }
    if chosen.isEmpty {
      if isOne, path == nil { return (root.items, nil, []) }
      let all = candidates.contains { $0.path.count > 1 } ? "" : ", or at: \"*\" for all of them"
      throw Diagnostic(
        .error, .listExpected,
        path.map { "there is nothing at \($0.text.quoted)" }
          ?? (names.isEmpty
            ? "cannot find a list of people" : "cannot tell which list has the people"),
        at: FileLocation(file: file, position: root.position),
        note: names.isEmpty ? nil : "there are \(names.joined(separator: ", "))",
        help:
          "say where the list is, as in users: { from: team.json, at: \(names.first ?? "people") }"
          + (names.count > 1 ? all : ""))
    }
    let lists = chosen.flatMap { path, list in
      // A list of groups, as in `[{ name: Gold, members: […] }]`.
      let title = path.last?.split(separator: "_").joined(separator: " ")
      return list.lists(
        at: (list.nameInGroups.map { [ValuePath.plain($0)] } ?? [])[...],
        group: chosen.count > 1 ? title.map(list.with) : nil)
    }
    let place = chosen[0].path + (chosen[0].list.nameInGroups.map { [$0] } ?? [])
    let isPlain = chosen.count == 1 && !place.isEmpty && !place.contains { $0.contains(".") }
    let others = Set(names).subtracting(chosen.map { $0.path.joined(separator: ".") })
    return (
      records(of: lists), isPlain ? place.joined(separator: ".") : nil,
      names.filter(others.contains)
    )
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
  /// Those with a name for people nearest to the root, else the only one that it may be.
  fileprivate var chosen: Self {
    var named = filter { $0.path.last.map(ColumnNames.isOfPeople) == true }
    if named.contains(where: \.list.hasRecords) { named.removeAll { !$0.list.hasRecords } }
    if let depth = named.map(\.path.count).min() {
      return named.filter { $0.path.count == depth }
    }
    let tests: [(Element) -> Bool] = [
      { $0.path.contains(where: ColumnNames.isOfPeople) },
      { $0.path.last.map(ColumnNames.all("answer").contains) == true }, { _ in true },
    ]
    return tests.lazy.map { self.filter($0) }.first { $0.count == 1 } ?? []
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

  /// Adds the group name to a record unless it already has a group.
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

  var isMapping: Bool {
    if case .mapping = content { true } else { false }
  }

  /// The lists below mappings; people with keys as ids are a list, too.
  fileprivate func candidates(at path: [String] = []) -> [(path: [String], list: Node)] {
    guard case .mapping(let entries) = content else {
      let isNamed = path.last.map {
        ColumnNames.isOfPeople($0) || ColumnNames.all("answer").contains($0)
      }
      return isList && (hasRecords || isNamed != false) ? [(path, self)] : []
    }
    if entries.allSatisfy(\.value.isMapping), entries.contains(where: \.value.isPerson) {
      return [(path, self)]
    }
    return path.count > 5 ? [] : entries.flatMap { $0.value.candidates(at: path + [$0.key]) }
  }

  fileprivate var hasRecords: Bool { isMapping || items.contains(where: \.isMapping) }

  /// The name of the people in each of the groups in this list.
  fileprivate var nameInGroups: String? {
    guard isList else { return nil }
    let names = Set(
      items.map { group in
        group.candidates().first {
          $0.path.count == 1 && $0.list.hasRecords && ColumnNames.isOfPeople($0.path[0])
        }?.path[0]
      })
    return names.count == 1 ? names.first ?? nil : nil
  }

  /// The items of a list, or the values of a mapping with keys as ids, or the node itself.
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

  private var isGroup: Bool {
    guard case .mapping(let entries) = content else { return isList }
    return entries.allSatisfy(\.value.isMapping)
  }

  /// Merges the inner record with the outer keys, as in `{ user: { name: … }, role: … }`.
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
