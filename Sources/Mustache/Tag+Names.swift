/// What the content of a tag names.
extension Tag {
  /// The content as text, refused if it is no single word.
  func word(in source: SourceText) throws(MustacheError) -> String {
    let word = source.text(content)
    guard !word.isEmpty else {
      throw source.error(
        "template-bad-name", "this tag names nothing", at: range.lowerBound,
        help: "write a name between the delimiters")
    }
    guard !source.bytes[content].contains(where: Byte.isSpace) else {
      throw source.error(
        "template-bad-name", "a name has no spaces: \(abridged(word))", at: range.lowerBound,
        help: "is this tag closed where it should be?")
    }
    return word
  }

  /// `a.b.c`, or `.` for the innermost value.
  func path(in source: SourceText) throws(MustacheError) -> Path {
    try path(word(in: source), in: source)
  }

  /// `name`, or `*a.b.c` for the template that a value names.
  func target(in source: SourceText) throws(MustacheError) -> Inclusion.Target {
    if let star = content.first, source.bytes[star] == UInt8(ascii: "*") {
      var name = content.dropFirst()
      while let first = name.first, Byte.isSpace(source.bytes[first]) { name = name.dropFirst() }
      let inner = Tag(kind: kind, range: range, content: name)
      return .dynamic(try inner.path(in: source))
    }
    let name = try word(in: source)
    guard TemplateName.isAllowed(name) else {
      throw source.error(
        "template-outside", "no template can have the name \(abridged(name))",
        at: range.lowerBound,
        help: "names are letters, digits, _ - . and / and stay inside the templates' folder")
    }
    return .fixed(name)
  }

  /// What a closing tag must repeat; `* name` and `*name` are the same.
  func label(in source: SourceText) throws(MustacheError) -> String {
    guard let first = content.first, source.bytes[first] == UInt8(ascii: "*") else {
      return try word(in: source)
    }
    return String(source.text(content).filter { !$0.isWhitespace })
  }

  private func path(_ word: String, in source: SourceText) throws(MustacheError) -> Path {
    if word == "." { return Path(keys: [], offset: range.lowerBound) }
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty }) else {
      throw source.error(
        "template-bad-name", "a part of the name is empty: \(abridged(word))",
        at: range.lowerBound, help: "write a.b, or . for the innermost value")
    }
    return Path(keys: parts.map { Key(String($0)) }, offset: range.lowerBound)
  }
}

/// The name as an error shows it: one line, not too long, nothing that a terminal obeys.
func abridged(_ name: String) -> String {
  let start = name.prefix(40)
  let shown = start.map {
    $0.isWhitespace || $0.unicodeScalars.contains(where: isControl) ? " " : $0
  }
  return String(shown) + (start.endIndex == name.endIndex ? "" : "…")
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator: true
  default: false
  }
}
