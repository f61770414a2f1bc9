import Bytes

extension Parser {
  /// Consumes the text before a tag that is not standalone, and skips the tag.
  mutating func pass(_ tag: Tag) {
    takeText(upTo: tag.range.lowerBound)
    if isAtLineStart {
      if tag.kind != .close { noteLine(tag.range.lowerBound..<tag.range.lowerBound) }
      append(.lineStart)
    }
    cursor = tag.range.upperBound
    isAtLineStart = false
  }

  /// Skips a standalone tag's line and returns its indentation; skips only the tag if it is inline.
  mutating func passLine(of tag: Tag) -> Range<Int>? {
    guard let leading = leadingWhitespace(before: tag), let next = nextLine(after: tag) else {
      pass(tag)
      return nil
    }
    takeText(upTo: leading.lowerBound)
    if tag.kind != .close { noteLine(leading) }
    cursor = next
    isAtLineStart = true
    return dedented(leading)
  }

  /// Returns the whitespace before a tag on its line; nil if other text precedes the tag.
  func leadingWhitespace(before tag: Tag) -> Range<Int>? {
    let end = tag.range.lowerBound
    if frames[frames.count - 1].isParent { return end..<end }
    var start = end
    while start > cursor && source.bytes[start - 1].isASCIIBlank { start -= 1 }
    let startsLine = start == cursor ? isAtLineStart : source.bytes[start - 1] == Byte.newline
    return startsLine ? start..<end : nil
  }

  /// Returns the start of the next line; nil if other text follows the tag on its line.
  func nextLine(after tag: Tag) -> Int? {
    let bytes = source.bytes
    var index = tag.range.upperBound
    while index < bytes.count && bytes[index].isASCIIBlank { index += 1 }
    if index < bytes.count && bytes[index] == Byte.carriageReturn { index += 1 }
    if index == bytes.count { return index }
    return bytes[index] == Byte.newline ? index + 1 : nil
  }

  mutating func takeText(upTo end: Int) {
    guard cursor < end else { return }
    if dedent.isEmpty && !frames[frames.count - 1].awaitsFirstLine {
      append(.text(cursor..<end, startsLine: isAtLineStart))
      cursor = end
    } else {
      while cursor < end { takeLine(upTo: end) }
    }
    isAtLineStart = source.bytes[end - 1] == Byte.newline
  }

  private mutating func takeLine(upTo end: Int) {
    let newline = source.bytes[cursor..<end].firstIndex(of: Byte.newline)
    let lineEnd = newline.map { $0 + 1 } ?? end
    var text = cursor..<lineEnd
    if isAtLineStart {
      let words = text.first { !source.bytes[$0].isASCIIBlank } ?? lineEnd
      let isEmpty =
        words < lineEnd
        && (source.bytes[words] == Byte.newline || source.bytes[words] == Byte.carriageReturn)
      if !isEmpty { noteLine(cursor..<words) }
      text = dedented(cursor..<words).lowerBound..<lineEnd
    }
    append(text.isEmpty ? .lineStart : .text(text, startsLine: isAtLineStart))
    isAtLineStart = newline != nil
    cursor = lineEnd
  }

  /// Sets the indentation of a block's content from the first line of the content.
  mutating func noteLine(_ whitespace: Range<Int>) {
    guard frames[frames.count - 1].awaitsFirstLine else { return }
    frames[frames.count - 1].awaitsFirstLine = false
    switch frames[frames.count - 1].kind {
    case .argument: dedent = whitespace
    case .block: frames[frames.count - 1].indentation = dedented(whitespace)
    case .root, .section, .parent: break
    }
  }

  /// Removes `dedent`, as far as it matches, from a line's leading whitespace.
  func dedented(_ whitespace: Range<Int>) -> Range<Int> {
    var start = whitespace.lowerBound
    for index in dedent {
      guard start < whitespace.upperBound, source.bytes[start] == source.bytes[index] else { break }
      start += 1
    }
    return start..<whitespace.upperBound
  }
}
