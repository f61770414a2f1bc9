import Diagnostics

/// A position that advances over text byte by byte; lines end at `\n`, `\r\n` or `\r`.
///
/// Columns count Unicode scalars, as libyaml does: that needs no tables and is the same in every
/// version of Unicode. A tab counts one.
struct TextCursor {
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
