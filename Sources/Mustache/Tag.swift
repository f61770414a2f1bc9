import Bytes
import Diagnostics

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
  let range: Range<Int>
  /// The range between the sigil and the closing delimiter, without surrounding whitespace.
  let content: Range<Int>
}

/// A scanner that finds tags and keeps track of the current delimiters.
struct TagScanner {
  let source: SourceText
  private var opening = Array("{{".utf8)
  private var closing = Array("}}".utf8)

  init(_ source: SourceText) {
    self.source = source
  }

  /// Returns the next tag at or after an offset; a set-delimiter tag takes effect immediately.
  mutating func next(from offset: Int) throws(Diagnostic) -> Tag? {
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
        .templateUnclosedTag, "this tag is never closed", at: start,
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
    // `firstRange(of:)` is generic and therefore slow for bytes.
    source.bytes[offset...].indices.first {
      source.bytes[$0] == pattern.first && source.bytes[$0...].starts(with: pattern)
    }
  }

  private mutating func setDelimiters(_ tag: Tag) throws(Diagnostic) {
    let words = source.bytes[tag.content].split(whereSeparator: Byte.isSpace)
    let fits = words.allSatisfy { word in
      word.count <= Limits.delimiter && !word.contains(UInt8(ascii: "="))
    }
    guard words.count == 2, fits else {
      throw source.error(
        .templateBadDelimiters, "expected two delimiters that do not contain =",
        at: tag.range.lowerBound,
        help: "for example, write {{=<% %>=}}")
    }
    opening = Array(words[0])
    closing = Array(words[1])
  }
}

extension Tag {
  func word(in source: SourceText) throws(Diagnostic) -> String {
    let word = source.text(content)
    guard !word.isEmpty else {
      throw source.error(
        .templateBadName, "this tag is missing a name", at: range.lowerBound,
        help: "write a name between the delimiters")
    }
    guard !source.bytes[content].contains(where: Byte.isSpace) else {
      throw source.error(
        .templateBadName, "a name cannot contain spaces: \(word.quoted)", at: range.lowerBound,
        help: "is this tag closed in the right place?")
    }
    return word
  }

  /// Parses `a.b.c`, or `.` for the current value.
  func path(in source: SourceText) throws(Diagnostic) -> Path {
    try path(word(in: source), in: source)
  }

  /// Parses `name`, or `*a.b.c` for a dynamic name.
  func target(in source: SourceText) throws(Diagnostic) -> Inclusion.Target {
    if let star = content.first, source.bytes[star] == UInt8(ascii: "*") {
      var name = content.dropFirst()
      while let first = name.first, Byte.isSpace(source.bytes[first]) { name = name.dropFirst() }
      let inner = Tag(kind: kind, range: range, content: name)
      return .dynamic(try inner.path(in: source))
    }
    let name = try word(in: source)
    guard TemplateName.isAllowed(name) else {
      throw source.error(
        .templateOutside, "invalid template name \(name.quoted)",
        at: range.lowerBound,
        help: "use only letters, digits, _ - . and /, and stay inside the templates folder")
    }
    return .fixed(name)
  }

  /// Returns the name that a closing tag must repeat; `* name` and `*name` are equivalent.
  func label(in source: SourceText) throws(Diagnostic) -> String {
    guard let first = content.first, source.bytes[first] == UInt8(ascii: "*") else {
      return try word(in: source)
    }
    return String(source.text(content).filter { !$0.isWhitespace })
  }

  private func path(_ word: String, in source: SourceText) throws(Diagnostic) -> Path {
    if word == "." { return Path(keys: [], offset: range.lowerBound) }
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty }) else {
      throw source.error(
        .templateBadName, "the name contains an empty part: \(word.quoted)",
        at: range.lowerBound, help: "write a.b, or . for the innermost value")
    }
    return Path(keys: parts.map(String.init), offset: range.lowerBound)
  }
}
