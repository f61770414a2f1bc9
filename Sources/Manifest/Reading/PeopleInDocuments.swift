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
    guard let list = path.map({ root.value(at: $0.names[...]) }) ?? root.onlyList else {
      throw Diagnostic(
        .error, .listExpected,
        path.map { "there is nothing at \($0.text.quoted)" } ?? "it has several lists, or none",
        at: FileLocation(file: file, position: root.position),
        note: root.listNames.isEmpty ? nil : "there are \(root.listNames.joined(separator: ", "))",
        help: "say where the list is, as in users: { from: team.json, at: people }")
    }
    if case .sequence(let items) = list.content { return items }
    guard case .mapping(let entries) = list.content else { return [list] }
    // `ada: { name: Ada Lovelace }`
    return entries.map { entry in
      guard case .mapping(let own) = entry.value.content, !own.contains(where: { $0.key == "id" })
      else { return entry.value }
      let id = Node(.scalar(Scalar(entry.key, style: .quoted)), at: entry.keyPosition)
      let first = Entry(key: "id", keyPosition: entry.keyPosition, value: id)
      return Node(.mapping([first] + own), at: entry.value.position)
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
