import Documents

extension Node {
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

  /// Of a list its items, else itself.
  var items: [Node] {
    if case .sequence(let items) = content { items } else { [self] }
  }
}
