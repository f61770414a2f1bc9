import Bytes
import Diagnostics

/// The text that libyaml reads, and the positions of its marks.
///
/// A class, because libyaml's read handler holds its address.
final class YAMLInput {
  private var window: TextWindow
  /// The end of what libyaml has got of `window.bytes`.
  private var served = 0
  /// How many bytes libyaml may take before its next event.
  private let patience: Int
  private var silence = 0
  /// The character at `window.start`.
  private var characterIndex = 0
  /// Why libyaml got no more bytes.
  private(set) var failure: Diagnostic?

  var file: String { window.file }

  init(_ window: TextWindow, awaiting patience: Int) {
    self.window = window
    self.patience = patience
  }

  // MARK: For libyaml

  /// As many bytes as asked for, fewer only at the end; nil after a failure.
  func serve(_ count: Int) -> ArraySlice<UInt8>? {
    let end = min(window.bytes.count, served + count)
    if end == served {
      do throws(Diagnostic) {
        try window.checkEnd()
      } catch {
        failure = error
        return nil
      }
    }
    silence += end - served
    if silence > patience {
      failure = tooLong()
      return nil
    }
    defer { served = end }
    return window.bytes[served..<end]
  }

  /// libyaml has returned an event.
  func hasSpoken() { silence = 0 }

  // MARK: Positions

  /// The position of a mark; exact only for marks in the order of the text.
  func position(of mark: YAMLMark) -> Position {
    guard mark.index >= characterIndex else {
      return Position(line: mark.line + 1, column: mark.column + 1)
    }
    advance(to: mark)
    return window.cursor.position
  }

  private func advance(to mark: YAMLMark) {
    let bytes = window.bytes
    var offset = window.start
    var cursor = window.cursor
    var index = characterIndex
    while offset < bytes.count {
      if !bytes[offset].isContinuation {
        if index == mark.index { break }
        index += 1
      }
      cursor.advance(over: bytes[offset])
      offset += 1
    }
    characterIndex = index
    window.skip(to: offset, at: cursor)
  }

  // MARK: Colours without quotes

  /// Where the bytes from the last position on begin.
  var offset: Int { window.start }

  /// The colour that begins a comment after a key, as in `color: #fff`: on the line at `offset`.
  func colorComment(at offset: Int) -> String? {
    let line = window.bytes[offset...].prefix { $0 != Byte.newline && $0 != Byte.carriageReturn }
    return firstColorComment(in: line.startIndex..<line.endIndex).map { colorText(at: $0) }
  }

  /// The same between two marks: a comment that hides the end of a mapping in braces.
  func colorComment(from start: YAMLMark, to end: YAMLMark) -> Diagnostic? {
    var index = -1
    var (first, last) = (window.bytes.count, window.bytes.count)
    for (offset, byte) in window.bytes.enumerated() where !byte.isContinuation {
      index += 1
      if index == start.index { first = offset }
      if index == end.index { last = offset }
    }
    guard first < last, let hash = firstColorComment(in: first..<last) else { return nil }
    var cursor = TextCursor()
    cursor.advance(over: window.bytes, in: 0..<hash)
    let color = colorText(at: hash)
    return Diagnostic(
      .emptyColor, "`\(color)` without quotes is a comment, also the rest of its line", file: file,
      at: cursor.position, help: "put the colour in quotes: \"\(color)\"")
  }

  /// The first `#` after `:` and blanks that has the digits of a colour behind it.
  private func firstColorComment(in range: Range<Int>) -> Int? {
    range.first(where: { hash in
      guard window.bytes[hash] == Byte.hash else { return false }
      let before = window.bytes[range.lowerBound..<hash]
      let key = before.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
      guard let key, key + 1 < hash, before[key] == UInt8(ascii: ":") else { return false }
      let rest = window.bytes[(hash + 1)...].prefix { $0.isASCIILetterOrDigit }
      return [3, 4, 6, 8].contains(rest.count) && rest.allSatisfy(\.isHexDigit)
    })
  }

  private func colorText(at hash: Int) -> String {
    let digits = window.bytes[(hash + 1)...].prefix { $0.isASCIILetterOrDigit }
    return "#" + String(decoding: digits, as: UTF8.self)
  }

  // MARK: Around the document

  /// Refuses directives but `%YAML` before libyaml sees them: it reads many in quadratic time.
  func checkPrologue() throws(Diagnostic) {
    var index = window.start
    var cursor = window.cursor
    while try nextByte(&index, &cursor) == Byte.percent, cursor.position.column == 1 {
      guard window.bytes[index...].starts(with: "%YAML ".utf8) else {
        throw Diagnostic(
          .yamlDirective, "the file holds a directive", file: file, at: cursor.position,
          help: "remove the line; only `%YAML 1.1` and `%YAML 1.2` are understood")
      }
      try skipLine(&index, &cursor)
    }
  }

  /// Refuses whatever follows the first document, so that libyaml need not read on.
  func checkEpilogue(after mark: YAMLMark) throws(Diagnostic) {
    advance(to: mark)
    var index = window.start
    var cursor = window.cursor
    while let byte = try nextByte(&index, &cursor) {
      let isMark = cursor.position.column == 1
      if isMark, window.bytes[index...].starts(with: "...".utf8) {
        try skipLine(&index, &cursor)
        continue
      }
      if isMark, byte == Byte.percent || window.bytes[index...].starts(with: "---".utf8) {
        throw Diagnostic(
          .yamlManyDocuments, "a second document begins here", file: file, at: cursor.position,
          help: "a file holds one document: remove the rest, or put it into a file of its own")
      }
      throw Diagnostic(
        .yamlSyntax, "the YAML goes on after its end", file: file, at: cursor.position,
        help: "check the indentation of this line and for brackets closed too early")
    }
  }

  /// The next byte that is neither blank nor in a comment.
  private func nextByte(_ index: inout Int, _ cursor: inout TextCursor) throws(Diagnostic)
    -> UInt8?
  {
    while try isThere(index) {
      switch window.bytes[index] {
      case let byte where byte.isASCIISpace:
        cursor.advance(over: byte)
        index += 1
      case Byte.hash:
        try skipLine(&index, &cursor)
      case let byte:
        return byte
      }
    }
    return nil
  }

  private func skipLine(_ index: inout Int, _ cursor: inout TextCursor) throws(Diagnostic) {
    while try isThere(index), window.bytes[index] != Byte.newline,
      window.bytes[index] != Byte.carriageReturn
    {
      cursor.advance(over: window.bytes[index])
      index += 1
    }
  }

  private func isThere(_ index: Int) throws(Diagnostic) -> Bool {
    if index < window.bytes.count { return true }
    if window.bytes.count - window.start > patience { throw tooLong() }
    try window.checkEnd()
    return false
  }

  private func tooLong() -> Diagnostic {
    .recordTooLong(patience, file: file, at: window.cursor.position)
  }
}
