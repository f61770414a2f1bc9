/// A value for templates; it can be written as a Swift literal.
///
/// In a section, `absent`, `false`, `0`, empty text and an empty list are falsy.
package enum Value: Sendable {
  /// The value of a known name without data; it hides the same name in outer contexts.
  case absent
  /// Text that is escaped by tags with two braces.
  case text(String)
  case bool(Bool)
  case number(Int)
  case list([Value])
  case record(Record)
}

extension Value {
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

/// Named values in insertion order; for small records, linear search is faster than a dictionary.
package struct Record: Sendable, ExpressibleByDictionaryLiteral {
  private var entries: [(key: String, value: Value)]

  /// If a key is repeated, its last value wins.
  package init(dictionaryLiteral entries: (String, Value)...) { self.init(entries) }

  package init(_ entries: [(String, Value)] = []) {
    self.entries = entries.map { (key: $0, value: $1) }
  }

  /// Returns nil for an unknown name; assigning nil does nothing.
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
