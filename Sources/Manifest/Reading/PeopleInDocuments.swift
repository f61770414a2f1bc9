import Bytes
import Diagnostics
import Documents

extension Document {
  /// The list of people in it: at a place, or the only one there is.
  ///
  /// A document that `isOne` person is a list of one.
  func people(at path: ValuePath?, isOne: Bool) throws(Diagnostic) -> [Node] {
    if isOne, path == nil {
      if let list = root.onlyList, !root.isPerson { return list.items }
      return root.items
    }
    let lists = path.map { root.lists(at: $0.names[...]) } ?? root.onlyList.map { [(nil, $0)] }
    guard let lists, !lists.isEmpty else {
      let names = root.listNames
      throw Diagnostic(
        .error, .listExpected,
        path.map { "there is nothing at \($0.text.quoted)" } ?? "it has several lists, or none",
        at: FileLocation(file: file, position: root.position),
        note: names.isEmpty ? nil : "there are \(names.joined(separator: ", "))",
        help:
          "say where the list is, as in users: { from: team.json, at: \(names.first ?? "people") }"
          + (names.count > 1 ? ", or at: \"*\" for all of them" : ""))
    }
    return lists.flatMap { group, list in
      list.people.map { person in group.map(person.inGroup) ?? person }
    }
  }
}

extension Node {
  /// Of a text a record with this name.
  var namedRecord: Node? {
    guard case .scalar(let scalar) = content, [.plain, .quoted].contains(scalar.style) else {
      return nil
    }
    return Node(.mapping([Entry(key: "name", keyPosition: position, value: self)]), at: position)
  }

  /// Of a list its items, of a mapping its values with their keys as ids, else itself.
  fileprivate var people: [Node] {
    guard case .mapping(let entries) = content else { return items }
    // `ada: { name: Ada Lovelace }`
    return entries.map { entry in
      guard case .mapping(let own) = entry.value.content, !own.contains(where: { $0.key == "id" })
      else { return entry.value }
      let id = Node(.scalar(Scalar(entry.key, style: .quoted)), at: entry.keyPosition)
      let first = Entry(key: "id", keyPosition: entry.keyPosition, value: id)
      return Node(.mapping([first] + own), at: entry.value.position)
    }
  }

  /// What lies at a place, each with the name of the group that it is in: `*` is every key, and a
  /// list has groups with names of their own.
  fileprivate func lists(
    at names: ArraySlice<String>, group: Node? = nil
  ) -> [(group: Node?, list: Node)] {
    guard let name = names.first else { return [(group, self)] }
    switch content {
    case .mapping(let entries) where name == "*":
      // `{ board: […], links: { site: … } }`
      return entries.filter { names.count > 1 || $0.value.isGroup }.flatMap { entry in
        let key = Node(.scalar(Scalar(entry.key, style: .quoted)), at: entry.keyPosition)
        return entry.value.lists(at: names.dropFirst(), group: key)
      }
    case .sequence(let items) where Int(name) == nil:
      return items.flatMap { item in
        let title = ["name", "title", "group", "label"].lazy
          .compactMap { item.value(at: [$0][...]) }.first { $0.text != nil }
        return item.lists(at: name == "*" ? names.dropFirst() : names, group: title ?? group)
      }
    default: return value(at: [name]).map { $0.lists(at: names.dropFirst(), group: group) } ?? []
    }
  }

  private var isGroup: Bool {
    switch content {
    case .sequence: true
    case .mapping(let entries): entries.allSatisfy(\.value.isMapping)
    case .scalar: false
    }
  }

  /// A person's record that says so, too, unless it has another word for it.
  fileprivate func inGroup(_ group: Node) -> Node {
    guard case .mapping(let entries) = (namedRecord ?? self).content,
      !entries.contains(where: { ValuePath.plain($0.key) == "group" })
    else { return self }
    let entry = Entry(key: "group", keyPosition: group.position, value: group)
    return Node(.mapping(entries + [entry]), at: position)
  }

  /// Of a mapping the only list of mappings in it, or itself where all its values are mappings.
  fileprivate var onlyList: Node? {
    guard case .mapping(let entries) = content else { return nil }
    if !entries.isEmpty, entries.allSatisfy({ $0.value.isMapping }),
      entries.contains(where: \.value.isPerson)
    {
      return self
    }
    let names = listNames
    if names.count == 1 { return value(at: [ValuePath.plain(names[0])]) }
    // `{ data: { people: […] }, links: {…} }`
    let inner = names.isEmpty ? entries.compactMap(\.value.onlyList) : []
    return inner.count == 1 ? inner[0] : nil
  }

  /// Whether it has a name, by the words that people use for one.
  fileprivate var isPerson: Bool {
    guard case .mapping(let entries) = content else { return false }
    let words = ["name", "title", "photo", "image", "avatar", "picture"]
    let names = words + PersonFields.firstNames + PersonFields.usualNames["name", default: []]
    return entries.contains { names.contains(ValuePath.plain($0.key)) }
  }

  /// Keys whose values are lists of mappings.
  fileprivate var listNames: [String] {
    guard case .mapping(let entries) = content else { return [] }
    return entries.filter { entry in
      if case .sequence(let items) = entry.value.content {
        items.contains(where: \.isMapping)
      } else {
        false
      }
    }.map(\.key)
  }

  var isMapping: Bool {
    if case .mapping = content { true } else { false }
  }
}

extension Syntax {
  init?(fileName: String) {
    if fileName.hasSuffix(".all-contributorsrc") {
      self = .json
      return
    }
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    self.init(fileExtension: String(fileName[dot...].dropFirst()))
  }

  /// In messages.
  var name: String {
    switch self {
    case .yaml: "YAML"
    case .json: "JSON"
    case .jsonLines: "JSON lines"
    case .csv: "CSV"
    case .tsv: "TSV"
    case .markdown: "Markdown"
    case .vCard: "vCards"
    }
  }

  /// What a list seems to be whose address does not tell.
  init(sniffing bytes: [UInt8]) {
    let start = bytes.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    if let first = start.first, "[{".utf8.contains(first) {
      self = .json
    } else if start.starts(with: "BEGIN:VCARD".utf8) {
      self = .vCard
    } else {
      self = start.starts(with: "---".utf8) || start.starts(with: "- ".utf8) ? .yaml : .csv
    }
  }
}
