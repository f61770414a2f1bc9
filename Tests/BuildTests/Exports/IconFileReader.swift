import Foundation

struct IconFileReader {
  struct Entry {
    var width: Int
    var height: Int
    var bits: Int
    var picture: Data
  }

  let entries: [Entry]

  /// Returns nil unless the directory covers every byte exactly once.
  init?(_ file: Data) {
    let bytes = [UInt8](file)
    func number(_ at: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }
    guard bytes.count >= 6, number(0, 2) == 0, number(2, 2) == 1 else { return nil }
    let count = number(4, 2)
    var end = 6 + 16 * count
    guard bytes.count >= end else { return nil }
    var entries: [Entry] = []
    for place in 0..<count {
      let at = 6 + 16 * place
      let (length, offset) = (number(at + 8, 4), number(at + 12, 4))
      guard bytes[at + 2] == 0, bytes[at + 3] == 0, number(at + 4, 2) == 1, offset == end,
        bytes.count >= offset + length
      else { return nil }
      entries.append(
        Entry(
          width: Int(bytes[at]), height: Int(bytes[at + 1]), bits: number(at + 6, 2),
          picture: Data(bytes[offset..<offset + length])))
      end = offset + length
    }
    guard end == bytes.count else { return nil }
    self.entries = entries
  }
}
