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
  package init(stringLiteral text: String) { self = .text(text) }
  package init(booleanLiteral bool: Bool) { self = .bool(bool) }
  package init(integerLiteral number: Int) { self = .number(number) }
  package init(arrayLiteral items: Value...) { self = .list(items) }
  package init(dictionaryLiteral entries: (Key, Value)...) { self = .record(Record(entries)) }
}

/// Named values, in the order they were set.
///
/// Records are small (a page, a person), so a search along the hashes of the keys is quicker than
/// a dictionary and takes less memory.
package struct Record: Sendable, ExpressibleByDictionaryLiteral {
  private struct Entry: Sendable {
    let key: Key
    var value: Value
  }

  private var entries: [Entry] = []

  package init() {}

  /// Of two equal keys the last one counts.
  package init(dictionaryLiteral entries: (Key, Value)...) {
    self.init(entries)
  }

  package init(_ pairs: [(Key, Value)]) {
    entries = pairs.map(Entry.init)
  }

  /// Nil means that the name is unknown here; setting nil changes nothing.
  package subscript(key: Key) -> Value? {
    get { index(of: key).map { entries[$0].value } }
    set {
      guard let newValue else { return }
      if let index = index(of: key) {
        entries[index].value = newValue
      } else {
        entries.append(Entry(key: key, value: newValue))
      }
    }
  }

  private func index(of key: Key) -> Int? { entries.lastIndex { $0.key == key } }
}

/// A name in a template or a record, with its hash.
package struct Key: Hashable, Sendable, ExpressibleByStringLiteral {
  package let text: String
  private let digest: UInt64

  package init(_ text: String) {
    self.text = text
    // FNV-1a. Names come from templates and from our own code, so nobody gains by collisions;
    // equality compares the text as well.
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
    self.digest = digest
  }

  package init(stringLiteral text: String) { self.init(text) }

  package static func == (left: Key, right: Key) -> Bool {
    left.digest == right.digest && left.text == right.text
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
