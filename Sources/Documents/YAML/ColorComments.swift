import Bytes
import Diagnostics

/// Unquoted colours in a document: YAML reads `color: #fff` as an empty value and a comment.
package struct ColorComments {
  private let bytes: [UInt8]
  private var lines: [Range<Int>] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var rest = TextLines(bytes)
    while let line = rest.next() { lines.append(line) }
  }

  package func color(on line: Int) -> String? { first(on: line...line)?.color }

  /// Returns the first colour after a key's `:` in a range of lines, numbered from 1.
  func first(on numbers: ClosedRange<Int>) -> (color: String, position: Position)? {
    for number in numbers.clamped(to: 1...max(lines.count, 1)) where number <= lines.count {
      // Skip long lines: the line is scanned for each key, and there may be thousands of keys.
      if lines[number - 1].count > 10_000 { continue }
      let line = bytes[lines[number - 1]]
      for hash in line.indices where line[hash] == Byte.hash {
        let before = line[..<hash]
        let colon = before.lastIndex { $0 != UInt8(ascii: " ") && $0 != Byte.tab }
        let digits = line[(hash + 1)...].prefix { $0.isASCIILetterOrDigit }
        guard let colon, colon + 1 < hash, before[colon] == Byte.colon,
          [3, 4, 6, 8].contains(digits.count), digits.allSatisfy(\.isHexDigit)
        else {
          if before.last.map({ $0 == Byte.space || $0 == Byte.tab }) ?? true { break }
          continue
        }
        let column = 1 + before.count { !$0.isContinuation }
        return (
          "#" + String(decoding: digits, as: UTF8.self), Position(line: number, column: column)
        )
      }
    }
    return nil
  }
}
