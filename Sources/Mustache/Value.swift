/// What a template can be filled with.
///
/// Literals make values: `["name": "Ada", "count": 3, "isNew": true, "tags": ["a", "b"]]`.
/// False for a section are `absent`, `false`, `0`, empty text and an empty list.
package enum Value: Sendable {
  /// Known, but nothing: unlike a missing name it hides the same name further out.
  case absent
  /// Escaped where it is written with two braces.
  case text(String)
  /// HTML already: written as it is.
  case trusted(String)
  case bool(Bool)
  case number(Int)
  case list([Value])
  /// A list whose items are made one after the other while the section is written.
  indirect case lazy(count: Int, element: @Sendable (_ index: Int) -> Value)
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
  package init(stringLiteral text: String) {
    self = .text(text)
  }

  package init(booleanLiteral bool: Bool) {
    self = .bool(bool)
  }

  package init(integerLiteral number: Int) {
    self = .number(number)
  }

  package init(arrayLiteral items: Value...) {
    self = .list(items)
  }

  package init(dictionaryLiteral entries: (Key, Value)...) {
    self = .record(Record(entries))
  }
}
