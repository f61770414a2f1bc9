import Diagnostics

/// Finds duplicate keys of one mapping: by looking for few, by hashing for many.
///
/// Keys are compared as Swift compares strings, so two spellings of the same accents are one key.
struct KeyLedger {
  private var positions: [String: Position] = [:]

  /// Where the key stands in `entries[base...]`, whose keys are all different.
  mutating func first(_ key: String, in entries: [Entry], from base: Int) -> Position? {
    if entries.count - base <= 16 {
      var index = base
      while index < entries.count {
        if entries[index].key == key { return entries[index].keyPosition }
        index += 1
      }
      return nil
    }
    while positions.count < entries.count - base {
      let entry = entries[base + positions.count]
      positions[entry.key] = entry.keyPosition
    }
    return positions[key]
  }
}
