import Diagnostics

/// A position that walks over text; lines end at `\n`, `\r\n` or `\r`.
///
/// Columns count Unicode scalars: that is what the YAML library counts, it needs no tables, and it
/// stays the same from one Unicode version to the next. A tab counts one.
struct TextPlace {
  private var line: Int
  private var column: Int
  private var isAfterReturn = false

  init(line: Int = 1, column: Int = 1) {
    self.line = line
    self.column = column
  }

  init(_ position: Position) {
    self.init(line: position.line, column: position.column)
  }

  var position: Position { Position(line: line, column: column) }

  mutating func advance(over byte: UInt8) {
    switch byte {
    case Byte.newline:
      if !isAfterReturn { line += 1 }
      column = 1
    case Byte.carriageReturn:
      line += 1
      column = 1
    default:
      if !byte.isContinuation { column += 1 }
    }
    isAfterReturn = byte == Byte.carriageReturn
  }

  mutating func advance(over bytes: [UInt8], in range: Range<Int>) {
    for offset in range { advance(over: bytes[offset]) }
  }
}
