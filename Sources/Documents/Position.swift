/// A place in a text file: line and column from 1, columns count Unicode scalars.
package struct Position: Hashable, Comparable, Sendable {
  private let storedLine: Int32
  private let storedColumn: Int32

  package var line: Int { Int(storedLine) }
  package var column: Int { Int(storedColumn) }

  package init(line: Int, column: Int) {
    storedLine = Int32(clamping: line)
    storedColumn = Int32(clamping: column)
  }

  package static func < (left: Position, right: Position) -> Bool {
    (left.storedLine, left.storedColumn) < (right.storedLine, right.storedColumn)
  }
}
