/// What a template can be filled with.
///
/// Literals make values: `["name": "Ada", "count": 3, "isNew": true, "tags": ["a", "b"]]`.
/// False for a section are `absent`, `false`, `0`, empty text and an empty list.
package enum Value: Sendable {
  /// Known, but nothing: unlike a missing name it hides the same name further out.
  case absent
  /// Escaped where it is written with two braces.
  case text(String)
  case bool(Bool)
  case number(Int)
  case list([Value])
  case record(Record)
}

extension Value {
  /// Text, or `absent` for nil.
  package init(_ text: String?) {
    self = text.map(Value.text) ?? .absent
  }
}

extension Value: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral text: String) { self = .text(text) }
  package init(booleanLiteral bool: Bool) { self = .bool(bool) }
  package init(integerLiteral number: Int) { self = .number(number) }
  package init(arrayLiteral items: Value...) { self = .list(items) }
  package init(dictionaryLiteral entries: (String, Value)...) { self = .record(Record(entries)) }
}

/// Named values, in the order they were set.
///
/// Records are small (a page, a person) and so are their names, so a search is quicker than a dictionary
/// and takes less memory.
package struct Record: Sendable, ExpressibleByDictionaryLiteral {
  private var entries: [(key: String, value: Value)]

  /// Of two equal keys the last one counts.
  package init(dictionaryLiteral entries: (String, Value)...) { self.init(entries) }

  package init(_ entries: [(String, Value)] = []) {
    self.entries = entries.map { (key: $0, value: $1) }
  }

  /// Nil means that the name is unknown here; setting nil changes nothing.
  package subscript(key: String) -> Value? {
    get { index(of: key).map { entries[$0].value } }
    set {
      guard let newValue else { return }
      if let index = index(of: key) {
        entries[index].value = newValue
      } else {
        entries.append((key, newValue))
      }
    }
  }

  private func index(of key: String) -> Int? { entries.lastIndex { $0.key == key } }
}
