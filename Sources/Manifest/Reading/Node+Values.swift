import Documents

extension Node {
  /// The name of a record such as `{ first: Ada, last: Lovelace }`.
  var nameParts: String? {
    let parts = [ColumnNames.given + ["given"], ColumnNames.family + ["family"]].compactMap {
      $0.lazy.compactMap { value(at: [$0][...])?.text }.first
    }
    return parts.isEmpty ? nil : PersonReader.plain(parts.joined(separator: " "))
  }

  /// The value that lies there, if there is one.
  func value(at names: ArraySlice<String>) -> Node? {
    guard let name = names.first else { return self }
    switch content {
    case .mapping(let entries):
      let entry = entries.first { ValuePath.plain($0.key) == name }
      return entry?.value.value(at: names.dropFirst())
    case .sequence(let items):
      if let index = Int(name) {
        return items.indices.contains(index) ? items[index].value(at: names.dropFirst()) : nil
      }
      // Of several groups all that lies there.
      let found = items.compactMap { $0.value(at: names) }.flatMap(\.items)
      return found.isEmpty ? nil : Node(.sequence(found), at: position)
    case .scalar: return nil
    }
  }

  /// The keys of a record, with those of its `attributes` as in JSON:API; nil if it is not a mapping.
  var entries: [Entry]? {
    guard case .mapping(let entries) = content else { return nil }
    let inner = entries.first { $0.key == "attributes" }?.value.content
    if case .mapping(let own) = inner { return entries + own }
    return entries
  }

  /// Of a list its items, else itself.
  var items: [Node] {
    if case .sequence(let items) = content { items } else { [self] }
  }
}

extension String {
  /// Whether the words of the other text are among its own, without regard to case and accents.
  func hasWords(of other: String) -> Bool {
    let words = Slug.of(other)
    return words.isEmpty ? hasSuffix(other) : "-\(Slug.of(self))-".contains("-\(words)-")
  }

  /// Whether its words include those of `first` and, after them, those of `last`, without regard to
  /// case and accents.
  func hasWords(of first: String, then last: String) -> Bool {
    func words(_ text: String) -> [Substring] {
      Folding.folded(text).split { !$0.isLetter && !$0.isNumber }
    }
    let (own, first, last) = (words(self), words(first), words(last))
    guard !first.isEmpty, !last.isEmpty, let found = own.firstRange(of: first) else { return false }
    return own[found.upperBound...].firstRange(of: last) != nil
  }
}
