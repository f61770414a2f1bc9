import Diagnostics

extension YAMLBuilder {
  func tagProblem(_ tag: String, at position: Position) -> Diagnostic {
    let name = tag.hasPrefix("tag:yaml.org,2002:") ? "!!" + tag.dropFirst(18) : tag
    return Diagnostic(
      .yamlTag, "the tag `\(name.brief)` is not supported", file: file, at: position,
      help: "remove it; to make a value text, put it into quotes")
  }

  func keyProblem(_ kind: YAMLEvent.Kind, at position: Position) -> Diagnostic {
    let found =
      switch kind {
      case .alias: "an alias"
      case .sequenceStart: "a list"
      default: "a mapping"
      }
    return Diagnostic(
      .yamlKey, "a key has to be text, but this is \(found)", file: file, at: position,
      help: "put text that starts with `[`, `{`, `*` or `?` into quotes")
  }

  /// Converts a libyaml error to a diagnostic with the most likely fix.
  func problem(of error: YAMLError) -> Diagnostic {
    if error.context?.hasPrefix("while parsing a flow") == true,
      let found = ColorComments(text.bytes).first(
        on: min(lastLine, error.contextPosition.line, error.position.line)...error.position.line)
    {
      return Diagnostic(
        .emptyColor, "`\(found.color)` without quotes is a comment, also the rest of its line",
        file: file, at: found.position, help: "put the colour in quotes: \"\(found.color)\"")
    }
    // Report an unclosed quote where it opens, and other errors where they were found.
    let isQuote =
      error.context == "while scanning a quoted scalar" && error.contextPosition < error.position
    let position = isQuote ? error.contextPosition : error.position
    let note: String? =
      if isQuote {
        "the quoted text is still open at \(error.position)"
      } else if let context = error.context, error.contextPosition < error.position {
        "\(context) that began at \(error.contextPosition)"
      } else {
        nil
      }
    if error.context == "while scanning a tag" || error.context == "while parsing a tag"
      || error.problem == "found undefined tag handle"
    {
      return Diagnostic(
        .yamlTag, "the tag here is not supported", file: file, at: position, note: note,
        help: "remove it, or put text that starts with `!` into quotes")
    }
    let wording = Self.wordings.first { $0[0] == error.problem }
    return Diagnostic(
      .yamlSyntax, wording?[1] ?? "cannot read the YAML here: \(error.problem)", file: file,
      at: position, note: note,
      help: wording?[2] ?? "put text with special characters into quotes")
  }

  /// libyaml's message, our message and the fix.
  private static let wordings = """
    mapping values are not allowed in this context | a `:` ends a key, but a key is not allowed here | \
    put text that contains `: ` into quotes, and check the indentation
    could not find expected ':' | a key lacks its `:` | \
    write `key: value`; put text that runs over several lines into quotes
    found character that cannot start any token | a value cannot start with this character | \
    indent with spaces, not tabs; put text that starts with @, ` or % into quotes
    found a tab character where an indentation space is expected | \
    the line is indented with a tab | indent with spaces
    found a tab character that violates indentation | the line is indented with a tab | \
    indent with spaces
    found unexpected end of stream | a quoted text is never closed | close the quote
    found unexpected document indicator | \
    a quoted text is not closed before a line of `---` or `...` | close the quote, or indent the line
    found unknown escape character | a backslash in double quotes is not followed by an escape | \
    write the backslash twice, or use single quotes
    did not find expected key | a key was expected here | \
    check the indentation of this line, and that quotes are closed where they should be
    did not find expected '-' indicator | an item of the list was expected here | \
    start it with `- `, at the same indentation as the items before it
    did not find expected ',' or ']' | a comma or the closing bracket was expected here | \
    separate its items with commas, and close the bracket
    did not find expected ',' or '}' | a comma or the closing bracket was expected here | \
    separate its items with commas, and close the bracket
    did not find expected <document start> | the YAML goes on after its end | \
    check the indentation of this line and for brackets closed too early
    did not find expected node content | a value was expected here | \
    write one, or remove the key
    block sequence entries are not allowed in this context | \
    a list is not allowed here | \
    put it on its own line below the key; put text that starts with `- ` into quotes
    """.split(separator: "\n").map { $0.split(separator: " | ").map(String.init) }
}
