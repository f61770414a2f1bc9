import Diagnostics

extension YAMLBuilder {
  func tagProblem(_ tag: String, at position: Position) -> Diagnostic {
    let name = tag.hasPrefix("tag:yaml.org,2002:") ? "!!" + tag.dropFirst(18) : tag
    return Diagnostic(
      .yamlTag, "the tag `\(name.brief)` is not supported", file: file, at: position,
      help: "remove it; to make the value a string, quote it")
  }

  func keyProblem(_ kind: YAMLEvent.Kind, at position: Position) -> Diagnostic {
    let found =
      switch kind {
      case .alias: "an alias"
      case .sequenceStart: "a list"
      default: "a mapping"
      }
    return Diagnostic(
      .yamlKey, "a key must be text, but this is \(found)", file: file, at: position,
      help: "quote text that starts with `[`, `{`, `*` or `?`")
  }

  func problem(of error: YAMLError) -> Diagnostic {
    if error.context?.hasPrefix("while parsing a flow") == true,
      let found = ColorComments(text.bytes).first(
        on: min(lastLine, error.contextPosition.line, error.position.line)...error.position.line)
    {
      return Diagnostic(
        .emptyColor, "`\(found.color)` without quotes starts a comment",
        file: file, at: found.position, help: "put the colour in quotes: \"\(found.color)\"")
    }
    // Report an unclosed quote where it opens, and other errors where they were found.
    let isQuote =
      error.context == "while scanning a quoted scalar" && error.contextPosition < error.position
    let position = isQuote ? error.contextPosition : error.position
    let note: String? =
      if isQuote {
        "the quoted string is still open at \(error.position)"
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
        help: "remove it, or quote text that starts with `!`")
    }
    let wording = Self.wordings.first { $0[0] == error.problem }
    return Diagnostic(
      .yamlSyntax, wording?[1] ?? "cannot read the YAML here: \(error.problem)", file: file,
      at: position, note: note,
      help: wording?[2] ?? "quote text with special characters")
  }

  /// libyaml's messages, each with sitegen's replacement and the fix.
  private static let wordings = """
    mapping values are not allowed in this context | a `:` ends a key, but a key is not allowed here | \
    quote text that contains `: `, and check the indentation
    could not find expected ':' | the `:` after a key is missing | \
    write `key: value`; quote text that spans several lines
    found character that cannot start any token | a value cannot start with this character | \
    indent with spaces, not tabs; quote text that starts with @, ` or %
    found a tab character where an indentation space is expected | \
    the line is indented with a tab | indent with spaces
    found a tab character that violates indentation | the line is indented with a tab | \
    indent with spaces
    found unexpected end of stream | a quoted string is never closed | close the quote
    found unexpected document indicator | \
    a quoted string is not closed before a `---` or `...` line | close the quote, or indent the line
    found unknown escape character | a backslash in double quotes is not followed by an escape | \
    write the backslash twice, or use single quotes
    did not find expected key | a key was expected here | \
    check the indentation of this line, and that all quotes are closed
    did not find expected '-' indicator | a list item was expected here | \
    start it with `- `, at the same indentation as the items before it
    did not find expected ',' or ']' | a comma or the closing bracket was expected here | \
    separate the items with commas, and close the bracket
    did not find expected ',' or '}' | a comma or the closing bracket was expected here | \
    separate the items with commas, and close the bracket
    did not find expected <document start> | there is more text after the end of the YAML | \
    check the indentation of this line and look for brackets closed too early
    did not find expected node content | a value was expected here | \
    write one, or remove the key
    block sequence entries are not allowed in this context | \
    a list is not allowed here | \
    put it on its own line below the key; quote text that starts with `- `
    """.split(separator: "\n").map { $0.split(separator: " | ").map(String.init) }
}
