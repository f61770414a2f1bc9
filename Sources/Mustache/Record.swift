/// Named values, in the order they were set.
///
/// Records are small (a page, a person), so a search along the hashes of the keys is quicker than
/// a dictionary and takes less memory.
package struct Record: Sendable, ExpressibleByDictionaryLiteral {
  private struct Entry: Sendable {
    let key: Key
    var value: Value
  }

  private var entries: [Entry]

  package init() {
    entries = []
  }

  /// Of two equal keys the last one counts.
  package init(dictionaryLiteral entries: (Key, Value)...) {
    self.init(entries)
  }

  init(_ pairs: [(Key, Value)]) {
    entries = []
    entries.reserveCapacity(pairs.count)
    for (key, value) in pairs { entries.append(Entry(key: key, value: value)) }
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

  private func index(of key: Key) -> Int? {
    var index = entries.count
    while index > 0 {
      index -= 1
      if entries[index].key == key { return index }
    }
    return nil
  }
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

  package init(stringLiteral text: String) {
    self.init(text)
  }

  package static func == (left: Key, right: Key) -> Bool {
    left.digest == right.digest && left.text == right.text
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(digest)
  }
}
