import Bytes

/// One `{{…}}` as it stands in the template.
struct Tag {
  enum Kind {
    case escaped
    case unescaped
    case section
    case inverted
    case close
    case partial
    case parent
    case block
    case comment
    case delimiters
  }

  let kind: Kind
  /// Of the whole tag, delimiters included.
  let range: Range<Int>
  /// Between sigil and closing delimiter, without the whitespace around it.
  let content: Range<Int>
}

/// Finds tags; keeps the delimiters that hold at the moment.
struct TagScanner {
  let source: SourceText
  private var opening = Array("{{".utf8)
  private var closing = Array("}}".utf8)

  init(_ source: SourceText) {
    self.source = source
  }

  /// The next tag at or after an offset; a tag that sets delimiters takes effect at once.
  mutating func next(from offset: Int) throws(MustacheError) -> Tag? {
    guard let start = find(opening, from: offset) else { return nil }
    let inside = start + opening.count
    let sigil = inside < source.bytes.count ? source.bytes[inside] : 0
    let kind = kind(of: sigil)
    let begin = kind == .escaped ? inside : inside + 1
    var terminator = closing
    if sigil == UInt8(ascii: "{") { terminator.insert(UInt8(ascii: "}"), at: 0) }
    if kind == .delimiters { terminator.insert(UInt8(ascii: "="), at: 0) }
    guard let end = find(terminator, from: begin) else {
      throw source.error(
        "template-unclosed-tag", "this tag is never closed", at: start,
        help: "close it with \(String(decoding: terminator, as: UTF8.self))")
    }
    let tag = Tag(
      kind: kind, range: start..<(end + terminator.count),
      content: source.bytes[begin..<end].trimmed(while: Byte.isSpace).indices)
    if kind == .delimiters { try setDelimiters(tag) }
    return tag
  }

  private func kind(of sigil: UInt8) -> Tag.Kind {
    switch sigil {
    case UInt8(ascii: "#"): .section
    case UInt8(ascii: "^"): .inverted
    case UInt8(ascii: "/"): .close
    case UInt8(ascii: ">"): .partial
    case UInt8(ascii: "<"): .parent
    case UInt8(ascii: "$"): .block
    case UInt8(ascii: "!"): .comment
    case UInt8(ascii: "="): .delimiters
    case UInt8(ascii: "{"), UInt8(ascii: "&"): .unescaped
    default: .escaped
    }
  }

  private func find(_ pattern: [UInt8], from offset: Int) -> Int? {
    let last = source.bytes.count - pattern.count
    var index = offset
    while index <= last {
      if source.bytes[index] == pattern[0]
        && source.bytes[index..<(index + pattern.count)].elementsEqual(pattern)
      {
        return index
      }
      index += 1
    }
    return nil
  }

  private mutating func setDelimiters(_ tag: Tag) throws(MustacheError) {
    let words = source.bytes[tag.content].split(whereSeparator: Byte.isSpace)
    let fits = words.allSatisfy { word in
      word.count <= Limits.delimiter && !word.contains(UInt8(ascii: "="))
    }
    guard words.count == 2, fits else {
      throw source.error(
        "template-bad-delimiters", "delimiters are two words without =", at: tag.range.lowerBound,
        help: "write for example {{=<% %>=}}")
    }
    opening = Array(words[0])
    closing = Array(words[1])
  }
}
