import Bytes
import Diagnostics
import Documents

extension Node {
  func with(_ text: String) -> Node { .text(text, at: position) }

  /// The full name from a record such as `{ first: Ada, last: Lovelace }`.
  var nameParts: String? {
    let parts = [ColumnNames.given + ["given"], ColumnNames.family + ["family"]].compactMap {
      first(of: $0)?.text
    }
    // Names in Chinese characters begin with the family name.
    if parts.count == 2, parts.allSatisfy(\.isHan) { return (parts[1] + parts[0]).plain }
    return parts.isEmpty ? nil : parts.joined(separator: " ").plain
  }

  /// The main text in a mapping such as `{ src: …, alt: … }` or `{ en: … }`.
  var innerText: Node? {
    first(of: ["url", "src", "href", "name", "title", "en", "fr", "de", "es"])
  }

  func first(of names: [String]) -> Node? {
    names.lazy.compactMap { value(at: [$0]) }.first { $0.text != nil }
  }

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
      let found = items.compactMap { $0.value(at: names) }.flatMap(\.items)
      return found.isEmpty ? nil : Node(.sequence(found), at: position)
    case .scalar: return nil
    }
  }

  /// The entries of a record, including JSON:API's `attributes`; nil if the node is not a mapping.
  var entries: [Entry]? {
    guard case .mapping(let entries) = content else { return nil }
    let inner = entries.first { $0.key == "attributes" }?.value.content
    if case .mapping(let own) = inner { return entries + own }
    return entries
  }

  var items: [Node] { if case .sequence(let items) = content { items } else { [self] } }
}

extension String {
  var isHan: Bool { unicodeScalars.allSatisfy { $0.properties.isIdeographic } }

  var typed: String { wholeMatch(of: /[\w.-]+/) == nil ? quoted : self }

  /// Returns whether the text contains the words of `first`, then those of `last`, ignoring case.
  func hasWords(of first: String, then last: String = "") -> Bool {
    func words(_ text: String) -> [Substring] {
      Folding.folded(text).split { !$0.isLetter && !$0.isNumber }
    }
    let (own, first, last) = (words(self), words(first), words(last))
    guard !first.isEmpty, let found = own.firstRange(of: first) else { return false }
    return last.isEmpty || own[found.upperBound...].firstRange(of: last) != nil
  }
}
